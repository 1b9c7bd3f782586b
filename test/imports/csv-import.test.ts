import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { OutsidePaymentEntity } from '../../src/database/entities/outside-payment.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { addDays, monthStart, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { createTestStore } from '../support/api/app.ts';
import { type ImportFiles, importFolder, runImportCommand } from '../support/fixtures/import-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let at: TestDatabase;
beforeAll(async () => {
  at = await createTestDatabase();
});
afterAll(() => at.drop());

const em = () => at.database.em.fork();
async function newStore(): Promise<{ url: string; storeId: StoreId }> {
  const { id } = await createTestStore(at.database);
  return { url: at.url, storeId: id };
}

const today = saoPauloDateOf(new Date());
const soon = addDays(today, 12);

/** One row of each kind, right in every field. */
function shop(more: ImportFiles = {}): ImportFiles {
  return {
    customers: [{ id: 'c1', name: 'Ana Souza', email: 'ana@example.com', tax_id: '529.982.247-25' }],
    products: [{ id: 'p1', name: 'Plano', price: '49,90', cycle: 'MONTHLY' }],
    coupons: [{ id: 'k1', code: 'METADE', percent: '50', duration: 'REPEATING', cycles: '6', redeemed: '3' }],
    subscriptions: [{ id: 's1', customer: 'c1', product: 'p1', method: 'PIX', next_charge: soon }],
    payments: [
      {
        id: 'h1',
        customer: 'c1',
        subscription: 's1',
        amount: '49,90',
        method: 'PIX',
        paid_at: addDays(today, -18),
      },
    ],
    ...more,
  };
}

/** Everything that the store has, without the lines of the audit log. */
async function everythingOf(storeId: StoreId): Promise<string> {
  const tables = ['customers', 'products', 'coupons', 'checkouts', 'charges', 'subscriptions'];
  const owned = [...tables, 'imported_rows', 'outside_payments', 'events', 'ledger_movements'];
  const rows = await Promise.all(
    owned.map((table) =>
      em().execute(`select * from ${table} where store_id = :storeId order by 1, 2, 3`, { storeId }),
    ),
  );
  return JSON.stringify(rows);
}

describe('import csv', () => {
  it('reads files as Excel in Brazil writes them', async () => {
    const { url, storeId } = await newStore();
    using folder = importFolder({
      customers:
        '\uFEFFid;name;email;tax_id;metadata.crm\r\nc1;"José ""Zé"" Conceição";ze@example.com;52998224725;77\r\n',
      products: '\uFEFFid;name;price;cycle\r\np1;Plano Ouro;1.249,90;annually\r\n',
      subscriptions: `id;customer;product;method;next_charge;unit_price\r\ns1;c1;p1;pix;${soon.split('-').reverse().join('/')};R$ 99,90\r\n`,
    });
    const { ended, answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(ended).toMatchObject({ code: 0, errors: '' });
    expect(answer.refused).toEqual([]);
    const customer = await em().findOneOrFail(CustomerEntity, { storeId });
    expect(customer).toMatchObject({
      name: 'José "Zé" Conceição',
      taxId: '52998224725',
      metadata: { crm: '77' },
    });
    expect(await em().findOneOrFail(ProductEntity, { storeId })).toMatchObject({ priceCents: 124_990 });
    expect(await em().findOneOrFail(SubscriptionEntity, { storeId })).toMatchObject({
      amountCents: 9_990,
      cycleEndsAt: saoPauloMidnight(soon),
      cycle: 'ANNUALLY',
      workflowStartedAt: null,
    });
  });

  it('imports add-ons at their own price, and usage that is charged every month', async () => {
    const { url, storeId } = await newStore();
    const files = shop({
      products: [
        { id: 'p1', name: 'Plano', price: '49,90', cycle: 'ANNUALLY', usage_cycle: 'MONTHLY' },
        { id: 'seat', name: 'Usuário', price: '15,00', cycle: 'ANNUALLY' },
        { id: 'a:b', name: 'Suporte', price: '9,00', cycle: 'ANNUALLY' },
      ],
      subscriptions: [
        {
          ...{ id: 's1', customer: 'c1', product: 'p1', method: 'PIX', next_charge: soon },
          add_ons: 'seat:3:12,50 | a:b',
        },
      ],
    });
    using folder = importFolder(files);
    const { answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(answer.refused).toEqual([]);
    const subscription = await em().findOneOrFail(SubscriptionEntity, { storeId });
    expect(subscription).toMatchObject({
      amountCents: 4_990 + 3 * 1_250 + 900,
      plan: {
        usageCycle: 'MONTHLY',
        addOns: [
          { name: 'Usuário', quantity: 3, unitPriceCents: 1_250 },
          { name: 'Suporte', quantity: 1, unitPriceCents: 900 },
        ],
      },
    });
  });

  it('refuses add-ons and usage cycles that are not right, and says what would be', async () => {
    const { url, storeId } = await newStore();
    const row = { customer: 'c1', product: 'p1', method: 'PIX', next_charge: soon };
    const { customers = [] } = shop();
    using folder = importFolder({
      customers,
      products: [
        { id: 'p1', name: 'Plano', price: '49,90', cycle: 'MONTHLY' },
        { id: 'p2', name: 'Anual', price: '499,00', cycle: 'ANNUALLY' },
        { id: 'p3', name: 'Mensal', price: '9,00', cycle: 'MONTHLY', usage_cycle: 'MONTHLY' },
      ],
      subscriptions: [
        { ...row, id: 's1', add_ons: 'p2:3' },
        { ...row, id: 's2', add_ons: 'p3:2:cheap' },
        { ...row, id: 's3', add_ons: 'p9' },
      ],
    });
    const { answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    const problems = answer.refused.map(({ id, field, problem }) => `${id} ${field}: ${problem}`);
    expect(problems).toEqual([
      expect.stringContaining('p3 usage_cycle: must be shorter than the cycle'),
      expect.stringMatching(/^s1 add_ons.*: must have the cycle of the plan, which is MONTHLY/),
      expect.stringMatching(/^s2 add_ons: must be products with \|/),
      expect.stringMatching(/^s3 add_ons.*: must be the id of a product/),
    ]);
  });

  it('imports each kind without an event, a movement or a balance', async () => {
    const { url, storeId } = await newStore();
    using folder = importFolder(shop());
    const { ended, answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(ended.code).toBe(0);
    for (const kind of ['customer', 'product', 'coupon', 'subscription', 'payment'])
      expect({ kind, ...answer.counts[kind] }).toMatchObject({ kind, made: 1, refused: 0 });
    const payment = await em().findOneOrFail(OutsidePaymentEntity, { storeId });
    expect(payment).toMatchObject({ amountCents: 4_990, source: 'csv', externalId: 'h1', method: 'PIX' });
    expect(await em().findOneOrFail(CouponEntity, { storeId })).toMatchObject({ redeemsCount: 3 });
    expect(await em().count(EventEntity, { storeId })).toBe(0);
    const [movements] = await em().execute<{ count: string }[]>(
      'select count(*) from ledger_movements where store_id = :storeId',
      { storeId },
    );
    expect(Number(movements?.count)).toBe(0);
    expect((await verifyLedger(em(), storeId)).discrepancies).toEqual([]);
    const lines = await em().execute<{ action: string }[]>(
      'select action from audit_lines where store_id = :storeId order by created_at, id',
      { storeId },
    );
    expect(lines.map(({ action }) => action)).toEqual(['import/start', 'import/end']);
  });

  it('changes nothing when it runs again, also with other values', async () => {
    const { url, storeId } = await newStore();
    using folder = importFolder(shop());
    await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    const before = await everythingOf(storeId);
    folder.write({ products: [{ id: 'p1', name: 'Another', price: '1,00', cycle: 'WEEKLY' }] });
    const { answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(answer.counts.product).toMatchObject({ made: 0, unchanged: 1 });
    expect(await everythingOf(storeId)).toBe(before);
  });

  it('writes nothing in a dry run, and reports what the run then does', async () => {
    const { url, storeId } = await newStore();
    const twice = { id: 'c2', name: 'Ana', email: 'a@example.com', tax_id: '52998224725' };
    const files = shop();
    using folder = importFolder({ ...files, customers: [...(files.customers as []), twice] });
    const before = await everythingOf(storeId);
    const dry = await runImportCommand({ url, storeId }, `csv ${folder.path} --dry-run`);
    expect(await everythingOf(storeId)).toBe(before);
    const real = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(dry.answer.dryRun).toBe(true);
    expect(dry.answer.counts).toEqual(real.answer.counts);
    expect(real.answer.counts.customer).toMatchObject({ made: 1, found: 1 });
  });

  it('takes customers, products and coupons that the store has', async () => {
    const { url, storeId } = await newStore();
    using folder = importFolder(shop());
    await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    const { answer } = await runImportCommand({ url, storeId }, `csv ${folder.path} --name other`);
    expect(answer.counts.customer).toMatchObject({ made: 0, found: 1 });
    expect(answer.counts.product).toMatchObject({ made: 0, found: 1 });
    expect(answer.counts.coupon).toMatchObject({ made: 0, found: 1 });
    // Another system's subscription is another one, whatever its id.
    expect(answer.counts.subscription).toMatchObject({ made: 1 });
    expect(await em().count(CustomerEntity, { storeId })).toBe(1);
  });

  it('refuses rows that cannot be stored, and imports the others', async () => {
    const { url, storeId } = await newStore();
    const long = '9'.repeat(256);
    using folder = importFolder({
      customers: [
        { id: 'c1', name: 'Ana\0Souza' },
        { id: 'c2', name: 'Ana', 'metadata.crm': '7\0' },
        { id: 'c3', name: 'Ana', 'metadata.a\0b': '7' },
        { id: 'c\0', name: 'Ana' },
        { id: long, name: 'Ana' },
        { id: 'c6', name: 'Bia' },
      ],
      payments: [
        { id: 'p\0', customer: 'c6', amount: '10,00', method: 'PIX', paid_at: addDays(today, -3) },
        { id: 'p2', customer: 'c\0', amount: '10,00', method: 'PIX', paid_at: addDays(today, -3) },
        { id: 'p3', customer: 'c6', amount: '10,00', method: 'PIX', paid_at: addDays(today, -3) },
        { id: 'p4', customer: 'c6', amount: '10,00', method: 'PIX', paid_at: '2200-01-02' },
      ],
    });
    for (const more of [' --dry-run', '']) {
      const { answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}${more}`);
      const rule = 'must not contain NUL characters or lone surrogates';
      expect(answer.refused.map(({ field, problem }) => [field, problem])).toEqual([
        ['name', rule],
        ['metadata', rule],
        ['metadata', rule],
        ['id', rule],
        ['id', 'must have at most 255 characters'],
        ['id', rule],
        ['customer', rule],
        ['paid_at', 'must be after 1969 and before 2200'],
      ]);
      expect(answer.counts).toMatchObject({ customer: { made: 1 }, payment: { made: 1 } });
    }
    expect(await em().count(CustomerEntity, { storeId })).toBe(1);
  });

  it('names file, line and column of each refused row, and what is right', async () => {
    const { url, storeId } = await newStore();
    const sub = { customer: 'c1', product: 'p1', method: 'PIX', next_charge: soon };
    using folder = importFolder(
      shop({
        customers: [
          { id: 'c1', name: 'Ana', email: 'ana@example.com' },
          { id: 'c2', name: 'Bia', email: 'not an address', tax_id: '111' },
          { id: 'c1', name: 'Caio' },
          { id: '', name: 'Dora' },
          { id: 'c5', name: '=cmd()' },
        ],
        products: [
          { id: 'p1', name: 'Plano', price: '49,90', cycle: 'MONTHLY' },
          { id: 'p2', name: 'Plano', price: '1.234', cycle: 'DAILY' },
          { id: 'p3', name: 'Camiseta', price: '10' },
        ],
        subscriptions: [
          { ...sub, id: 's1', next_charge: addDays(today, -1) },
          { ...sub, id: 's2', customer: 'c9', product: 'p3' },
          { ...sub, id: 's3', anchor_day: '31', next_charge: `${monthStart(today, 2).slice(0, 7)}-15` },
          { ...sub, id: 's4', coupon: 'k1' },
          { ...sub, id: 's5', paused_until: soon, quantity: '0' },
        ],
        payments: [
          { id: 'h1', customer: 'c1', amount: '10,00', refunded: '10,01', method: 'CASH', paid_at: soon },
        ],
      }),
    );
    const report = folder.pathOf('report');
    const { ended, answer } = await runImportCommand(
      { url, storeId },
      `csv ${folder.path} --report ${report}`,
    );
    expect(ended.code).toBe(0);
    const refusals = answer.refused.map(({ place, field, problem }) => `${place} ${field}: ${problem}`);
    expect(refusals).toEqual([
      'customers.csv, line 3 email: must be an e-mail address, such as ana@example.com',
      'customers.csv, line 3 tax_id: must be a CPF or CNPJ with right check digits, such as 529.982.247-25',
      'customers.csv, line 4 id: is taken: it is also in customers.csv, line 2',
      'customers.csv, line 5 id: is required',
      'customers.csv, line 6 name: is a formula: write its value',
      'products.csv, line 3 price: must be an amount in reais, such as 49,90 or 1.234,56 or 1234.56',
      'products.csv, line 3 cycle: must be one of WEEKLY, MONTHLY, QUARTERLY, SEMIANNUALLY, ANNUALLY',
      expect.stringMatching(
        /^subscriptions\.csv, line 2 next_charge: must be in the future: .*The next date is 20/,
      ),
      'subscriptions.csv, line 3 customer: must be the id of a customer of this import',
      'subscriptions.csv, line 3 product: must be a product with a cycle: this one is sold once, not every month or year',
      'subscriptions.csv, line 4 anchor_day: must be 15, or a later day that the month does not have',
      'subscriptions.csv, line 5 coupon_cycles_left: must say how many of the next charges this REPEATING coupon discounts',
      'subscriptions.csv, line 6 quantity: must be at least 1',
      'payments.csv, line 2 method: must be one of PIX, BOLETO, CARD, OTHER',
    ]);
    const lines = readFileSync(report, 'utf8').split('\r\n');
    expect(lines[0]).toBe('outcome,kind,place,id,recebe_id,field,problem');
    expect(lines.filter((line) => line.startsWith('REFUSED'))).toHaveLength(refusals.length);
    expect(lines.filter((line) => line.startsWith('MADE,customer'))).toHaveLength(1);
  });

  it.each([
    [
      'a file that is not UTF-8',
      Buffer.from('id,name\nc1,Jos\xe9\n', 'latin1'),
      'save it in the spreadsheet as "CSV UTF-8"',
    ],
    ['an unknown column', Buffer.from('id,nome\nc1,Ana\n'), 'there is no column "nome"'],
    ['a quote that never ends', Buffer.from('id,name\nc1,"Ana\n'), 'customers.csv, line'],
    ['no column of ids', Buffer.from('name\nAna\n'), 'the column "id" is missing'],
  ])('rejects %s and imports nothing', async (_what, content, message) => {
    const { url, storeId } = await newStore();
    using folder = importFolder({});
    writeFileSync(folder.pathOf('customers.csv'), content);
    const { ended } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(ended.code).not.toBe(0);
    expect(JSON.parse(ended.errors).error.message).toContain(message);
    expect(await em().count(CustomerEntity, { storeId })).toBe(0);
  });

  it('rejects a token map that is missing or wrong, and shows no token', async () => {
    const { url, storeId } = await newStore();
    using folder = importFolder(shop({ cards: [{ card: 'a', token: 'a secret' }] }));
    for (const [file, message] of [
      ['cards.csv', 'line 2: token must be a token of the provider'],
      ['none.csv', 'cannot be read as a CSV file (ENOENT)'],
    ] as const) {
      const words = `csv ${folder.path} --cards ${folder.pathOf(file)}`;
      const { ended } = await runImportCommand({ url, storeId }, words);
      expect(ended.code).toBe(2);
      expect(ended.errors).toContain(message);
      expect(ended.errors).not.toContain('secret');
    }
    expect(await em().count(CustomerEntity, { storeId })).toBe(0);
  });

  it('records what the current cycle cost, so that a change of plan credits no more', async () => {
    const { url, storeId } = await newStore();
    const sub = { customer: 'c1', product: 'p1', method: 'PIX', next_charge: soon };
    const coupon = { coupon: 'k1', coupon_cycles_left: '3' };
    using folder = importFolder(
      shop({
        subscriptions: [
          { ...sub, id: 'full' },
          { ...sub, id: 'half', ...coupon },
          { ...sub, id: 'paid', ...coupon, current_cycle_paid: '10,00' },
        ],
        payments: [{ id: 'h1', amount: '1,00', method: 'OTHER', paid_at: today }],
      }),
    );
    const { answer } = await runImportCommand({ url, storeId }, `csv ${folder.path}`);
    expect(answer.refused).toEqual([]);
    const paidFor = async (externalId: string) => {
      const { id } = await em().findOneOrFail(SubscriptionEntity, { storeId, externalId });
      return (await em().findOneOrFail(CycleEntity, { subscriptionId: id })).amountCents;
    };
    expect([await paidFor('full'), await paidFor('half'), await paidFor('paid')]).toEqual([
      4_990, 2_495, 1_000,
    ]);
  });
});
