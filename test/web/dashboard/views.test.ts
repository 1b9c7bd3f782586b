import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FoundByAmount, paymentsOfAmount } from '../../../src/api/payments/payments-of-amount.ts';
import { inviteUser } from '../../../src/cli/users.ts';
import { loadConfig } from '../../../src/config.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../../src/database/entities/coupon.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { PayoutEntity } from '../../../src/database/entities/payout.ts';
import { ProductEntity } from '../../../src/database/entities/product.ts';
import { RefundEntity } from '../../../src/database/entities/refund.ts';
import { fillYear } from '../../../src/demo/fill-year.ts';
import { saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import type { RefundId, StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import type { ChargeUpdates } from '../../../src/temporal/charge.ts';
import { soughtBy } from '../../../src/web/dashboard/payments/search.ts';
import { shortDay } from '../../../src/web/i18n/dates.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { DashboardUser, enterBy, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { detailsOf, idsOfYear, LISTS, type YearIds } from '../../support/dashboard/year-pages.ts';

const SCRIPT = '<script>alert(1)</script>';
/** Bytes before compression (docs/performance.md). */
const MOST_BYTES = 100 * 1024;

let app: TestApp;
let owner: DashboardUser;
let ids: YearIds;
let foreign: StoreId;
beforeAll(async () => {
  // The bank of these payments needs longer than a request waits.
  const refund = async ({ status }: Charge, id: RefundId) => {
    await em().nativeUpdate(RefundEntity, { id }, { status: 'PENDING' });
    return status;
  };
  app = await createTestApp({ chargeUpdates: { refund } as Partial<ChargeUpdates> as ChargeUpdates });
  const { platformFee: platformFees } = loadConfig({ DATABASE_URL: 'postgres://unused' });
  await fillYear(em(), { storeId: app.storeId, platformFees, now: new Date() });
  await em().nativeUpdate(CustomerEntity, {}, { name: `João ${SCRIPT}`, email: SCRIPT });
  await em().nativeUpdate(ProductEntity, {}, { name: SCRIPT });
  await em().nativeUpdate(CouponEntity, {}, { notes: SCRIPT });
  await em().nativeUpdate(ChargeEntity, { checkoutId: null }, { description: SCRIPT });
  await em().nativeUpdate(CheckoutEntity, {}, { externalId: SCRIPT });
  owner = await signedInAs('owner', app.storeId);
  foreign = (await createTestStore(app.database)).id;
  ids = await idsOfYear(em(), app.storeId);
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const at = (path: string, store: string = app.storeId) => `/dashboard/${store}/dev${path}`;
const signedInAs = (role: Role, storeId: StoreId) =>
  signedIn({ url: app.api.url, database: app.database }, storeId, role, `${role}-${storeId}@example.com`);

const details = () => detailsOf(ids);

it('escapes stored text on every page and keeps every page small', async () => {
  for (const path of [...LISTS, ...details(), '/payments?q=jo%C3%A3o']) {
    for (const lang of ['pt-BR', 'en']) {
      const page = await owner.get(at(path), { 'Accept-Language': lang });
      expect({ path, status: page.status }).toEqual({ path, status: 200 });
      expect(page.html).not.toContain(SCRIPT);
      expect(page.html).not.toMatch(/ style="|<style|onclick=/);
      expect({ path, isSmall: page.html.length < MOST_BYTES }).toEqual({ path, isSmall: true });
    }
  }
});

it("hides another store's records, whatever their ids", async () => {
  const stranger = await signedInAs('owner', foreign);
  for (const path of details()) {
    const page = await stranger.get(at(path, foreign));
    expect({ path, status: page.status }).toEqual({ path, status: 404 });
  }
  for (const path of LISTS) {
    const page = await stranger.get(at(path, foreign));
    expect({ path, status: page.status }).toEqual({ path, status: 200 });
    expect(page.html).not.toContain(ids.payment);
  }
});

it("ends the first page at the store's day if its clock was moved", async () => {
  const { id } = await createTestStore(app.database);
  const moved = new Date(Date.now() + 800 * 86_400_000);
  await em().execute(
    `insert into store_clocks (store_id, ahead_ms, moved_from, moved_at, steps)
     values (:id, :aheadMs, now(), now(), 0)`,
    { id, aheadMs: moved.getTime() - Date.now() },
  );
  const page = await (await signedInAs('owner', id)).get(at('', id));
  expect(page.html).toMatch(
    new RegExp(`<h2>Conversão, [^<]* ${shortDay('pt-BR', saoPauloDateOf(moved))}</h2>`),
  );
});

it('continues a list on the next page with its filters, and exports it as CSV', async () => {
  const page = await owner.get(at('/payments?status=PAID&method=PIX'));
  const [, next = ''] = /href="([^"]*after=[^"]*)" rel="next"/.exec(page.html) ?? [];
  const second = await owner.get(next.replaceAll('&amp;', '&'));
  expect(second.status).toBe(200);
  expect(second.html).not.toContain('badge--bad');
  expect(second.html).toContain('badge--good');
  const file = await owner.get(at('/payments?status=REFUNDED&format=csv'));
  expect(file.headers.get('content-type')).toContain('text/csv');
  expect(file.html.split('\r\n')[0]).toContain('id,kind,');
  expect(file.html).toContain('REFUNDED');
});

it.each(['/checkouts?', '/checkouts?kind=links&', '/products?', '/coupons?', '/payouts?'])(
  'turns the list %s around by the heading of its date',
  async (path) => {
    const timesIn = async (order: string) => {
      const { html } = await owner.get(at(`${path}order=${order}`));
      expect(html).toContain(order === 'oldest' ? 'aria-sort="ascending"' : 'aria-sort="descending"');
      return [...html.matchAll(/<time datetime="([^"]*)"/g)].map(([, time = '']) => time);
    };
    const [newest, oldest] = [await timesIn('newest'), await timesIn('oldest')];
    expect(newest).toEqual([...newest].sort().reverse());
    expect(oldest).toEqual([...oldest].sort());
    expect([newest.length > 0, oldest.length]).toEqual([true, newest.length]);
  },
);

it('names the customer instead of their id, in lists and details', async () => {
  // Every customer of the store has this name.
  const name = 'João &lt;script&gt;';
  for (const path of ['/subscriptions', `/subscriptions/${ids.subscription}`]) {
    const { html } = await owner.get(at(path));
    expect([path, html.includes(name)]).toEqual([path, true]);
    expect([path, /(?:>|<div>)cust_/.test(html)]).toEqual([path, false]);
  }
});

it('links a subscription and its checkout to each other in words', async () => {
  const { html } = await owner.get(at(`/subscriptions/${ids.subscription}`));
  const [, checkoutId = ''] = /\/checkouts\/(bill_\w+)">Ver o checkout</.exec(html) ?? [];
  const checkout = await owner.get(at(`/checkouts/${checkoutId}`));
  expect(checkout.html).toContain(`/subscriptions/${ids.subscription}">Ver a assinatura<`);
});

describe('the search box', () => {
  it('detects the kind of a search by its format', () => {
    const of = (text: string) => soughtBy(text).kind;
    expect([ids.payment, ids.checkout, ids.subscription, ids.customer].map(of)).toEqual([
      'page',
      'page',
      'page',
      'page',
    ]);
    expect(['123.456.789-09', '12345678909'].map(of)).toEqual(['taxId', 'taxId']);
    expect(of('ana@example.com')).toBe('email');
    expect(soughtBy('R$ 1.234,56')).toEqual({ kind: 'amount', cents: 123_456 });
    for (const text of ['49,90', '49.90', 'R$\u00a049,90', 'R$ 49,9'])
      expect(soughtBy(text)).toEqual({ kind: 'amount', cents: 4_990 });
    expect(['1042', 'pedido-12', 'João', '1.234', 'pix_char_x'].map(of)).toEqual([
      'text',
      'text',
      'text',
      'text',
      'text',
    ]);
  });

  it('opens an object by id and finds payments by tax id, name, own id and amount', async () => {
    const search = (text: string) => owner.get(`${at('/payments')}?${new URLSearchParams({ q: text })}`);
    expect(await search(ids.payment)).toMatchObject({
      status: 303,
      location: at(`/payments/${ids.payment}`),
    });
    const charge = await em().findOneOrFail(ChargeEntity, { customerId: ids.customer as never });
    const { taxId } = await em().findOneOrFail(CustomerEntity, { id: ids.customer as never });
    expect((await search(taxId ?? '')).html).toContain(charge.id);
    expect((await search('JOAO <')).text).toContain('Clientes encontrados');
    const own = await em().findOneOrFail(ChargeEntity, { externalId: { $ne: null } });
    expect((await search(own.externalId ?? '')).html).toContain(own.id);
    const newest = await em().findOneOrFail(
      ChargeEntity,
      { status: 'PAID' },
      { orderBy: { createdAt: 'desc' } },
    );
    const cents = String(newest.amountCents).padStart(3, '0');
    expect((await search(`${cents.slice(0, -2)},${cents.slice(-2)}`)).html).toContain(newest.id);
    expect((await search('ninguém@example.com')).text).toContain('Nenhum pagamento');
  });
});

describe('an amount', () => {
  it('finds every payment of an amount, however few are read at a time', async () => {
    const charges = await em().find(ChargeEntity, {}, { orderBy: { createdAt: 'desc', id: 'desc' } });
    const [[cents = 0] = []] = [...Map.groupBy(charges, ({ amountCents }) => amountCents).entries()]
      .filter(([, { length }]) => length > 30)
      .sort(([, a], [, b]) => a.length - b.length);
    const all = charges.filter((charge) => [charge.amountCents, charge.paidAmountCents].includes(cents));
    const caller = { storeId: app.storeId, devMode: true };
    for (const lookedThrough of [7, 40, 100_000]) {
      const found: string[] = [];
      let after: string | null = null;
      do {
        const { ids: some, end }: FoundByAmount = await paymentsOfAmount(
          em(),
          caller,
          cents,
          after,
          lookedThrough,
        );
        found.push(...some);
        after = end?.id ?? null;
      } while (after !== null);
      expect(found).toEqual(all.map(({ id }) => id));
    }
    expect(await paymentsOfAmount(em(), { ...caller, storeId: foreign }, cents, null)).toMatchObject({
      ids: [],
    });

    const amount = `${Math.trunc(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
    const first = await owner.get(`${at('/payments')}?${new URLSearchParams({ q: amount })}`);
    const [, next = ''] = /href="([^"]*after=[^"]*)" rel="next"/.exec(first.html) ?? [];
    const second = await owner.get(next.replaceAll('&amp;', '&'));
    const shown = (html: string) =>
      all.filter(({ id }) => html.includes(`/payments/${id}`)).map(({ id }) => id);
    expect([...shown(first.html), ...shown(second.html)]).toEqual(all.slice(0, 60).map(({ id }) => id));
    expect(first.text).toContain('Procurado até');
  });
});

describe('forms of the views', () => {
  it('shows the refund form to an owner, and no forms to support', async () => {
    const support = await signedInAs('support', app.storeId);
    const path = at(`/payments/${ids.payment}`);
    expect((await owner.get(path)).html).toContain(`${path}/refund`);
    const seen = await support.get(path);
    expect(seen.html).not.toContain('/refund');
    expect((await support.get(at('/new-checkout'))).status).toBe(403);
  });

  it('opens a dialog by its link, for browsers without JavaScript', async () => {
    const path = at(`/payments/${ids.payment}`);
    expect((await owner.get(path)).html).toContain('data-opens="refund" href="?dialog=refund"');
    const { html } = await owner.get(`${path}?dialog=refund`);
    expect(html).toMatch(/<dialog [^>]* id="refund" [^>]*\bopen>/);
  });

  it('shows a refund that its bank has not completed as being on its way', async () => {
    const path = at(`/payments/${ids.payment}`);
    const sent = await owner.submit(path, `${path}/refund`, { amount: '0,01', reason: '' });
    expect((await owner.get(sent.location ?? '')).text).toContain('R$ 0,01 estão a caminho de quem pagou');
  });

  it('sends money only after the password is given again', async () => {
    const password = 'uma frase bem comprida';
    const finance = new DashboardUser(app.api.url);
    const invited = { store: app.storeId, email: 'fin@example.com', role: 'finance' as const };
    await enterBy(finance, await inviteUser(em(), invited, new Date()), { name: 'Fin', password });
    const send = (fields: Record<string, string>) =>
      finance.submit(at('/new-payout'), at('/payouts'), {
        amount: '10,00',
        externalId: 'r-1',
        password,
        ...fields,
      });
    const sent = () => em().count(PayoutEntity, { storeId: app.storeId, externalId: 'r-1' });
    expect(await send({ password: 'outra frase comprida' })).toMatchObject({ status: 422 });
    expect(await send({ amount: 'dez' })).toMatchObject({ status: 422 });
    expect(await sent()).toBe(0);
    expect(await send({})).toMatchObject({ status: 303, location: at('/payouts') });
    expect(await sent()).toBe(1);
    expect((await finance.get(at('/payouts'))).text).toContain('R$ 10,00');

    const transfer = (fields: Record<string, string>) =>
      finance.submit(at('/new-transfer'), at('/transfers'), {
        amount: '7,50',
        type: 'EMAIL',
        key: 'ana@example.com',
        description: 'Aluguel',
        externalId: 't-1',
        password,
        ...fields,
      });
    const transferred = () => em().find(PayoutEntity, { storeId: app.storeId, externalId: 't-1' });
    for (const [wrong, words] of [
      [{ password: 'outra frase comprida' }, 'A senha não está certa'],
      [{ key: 'ana' }, 'Não é uma chave deste tipo'],
      [{ type: 'CPF', key: '111.111.111-11' }, 'Não é uma chave deste tipo'],
      [{ amount: '0,00' }, 'O valor deve ser de pelo menos R$ 0,01'],
    ] as const) {
      const refused = await transfer(wrong);
      expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(words) });
      expect(refused.html).toContain('value="Aluguel"');
      expect(refused.html).not.toContain(password);
    }
    expect(await transferred()).toEqual([]);
    expect(await transfer({})).toMatchObject({ status: 303, location: at('/payouts?kind=transfers') });
    expect(await transferred()).toMatchObject([
      { kind: 'TRANSFER', amountCents: 750, description: 'Aluguel' },
    ]);
    expect(await transfer({ amount: '8,00' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('já está em uso'),
    });
    expect((await finance.get(at('/payouts?kind=transfers'))).text).toContain('ana@example.com');
    const [line] = await em().find(AuditLineEntity, { action: 'pix/send' });
    expect(line).toMatchObject({ role: 'finance', subjectId: (await transferred())[0]?.id });
  });

  it('gives each form to send money a unique id and shows what became of it', async () => {
    const password = 'uma frase bem comprida';
    const finance = new DashboardUser(app.api.url);
    const invited = { store: app.storeId, email: 'fin2@example.com', role: 'finance' as const };
    await enterBy(finance, await inviteUser(em(), invited, new Date()), { name: 'Fin', password });
    const idIn = async (form: string) =>
      /name="externalId"[^>]* value="([^"]+)"/.exec((await finance.get(at(form))).html)?.[1] ?? '';
    for (const form of ['/new-payout', '/new-transfer']) {
      const [first, second] = [await idIn(form), await idIn(form)];
      expect(first).toMatch(/^(repasse-\d{4}-\d\d-\d\d|pix)-[0-9a-f]{8}$/);
      expect(second).not.toBe(first);
    }

    const pageTextOf = async (externalId: string) => {
      const fields = { amount: '1,00', type: 'EMAIL', key: 'bia@example.com', externalId, password };
      const sent = await finance.submit(at('/new-transfer'), at('/transfers'), fields);
      return (await finance.get(sent.location ?? '')).text;
    };
    const become = (status: 'COMPLETE' | 'FAILED', failureReason: string | null) =>
      em().nativeUpdate(PayoutEntity, { externalId: 't-2' }, { status, failureReason });
    expect(await pageTextOf('t-2')).toContain('O dinheiro está a caminho.');
    await become('COMPLETE', null);
    expect(await pageTextOf('t-2')).toContain('e ele já chegou. Nada foi enviado agora.');
    await become('FAILED', 'account_closed');
    const failed = await pageTextOf('t-2');
    expect(failed).toContain('O envio com o id t-2 falhou (account_closed)');
    expect(failed).not.toContain('está a caminho');
    expect(await em().count(PayoutEntity, { externalId: 't-2' })).toBe(1);
  });

  it('records usage of a subscription and shows what the next cycle charges', async () => {
    const path = at(`/subscriptions/${ids.subscription}`);
    const product = { externalId: 'sms', name: 'SMS', price: 12, currency: 'BRL' };
    const { id } = dataOf<{ id: string }>(await app.api.post('/v2/products/create', product));
    const record = (fields: Record<string, string>) =>
      owner.submit(path, `${path}/usage`, { usedProductId: id, units: '25', counted: 'add', ...fields });
    expect(await record({})).toMatchObject({ status: 303, location: path });
    expect((await owner.get(path)).text).toMatch(/Consumo a cobrar\s*R\$ 3,00/);
    await record({ units: '10', counted: 'subtract' });
    expect((await owner.get(path)).text).toMatch(/Consumo a cobrar\s*R\$ 1,80/);
    for (const [wrong, words] of [
      [{ units: '16', counted: 'subtract' }, 'mais do que foi somado'],
      [{ units: 'duas' }, 'um número inteiro'],
      [{ usedProductId: 'prod_none' }, 'cobrado uma vez só'],
    ] as const)
      expect((await record(wrong)).text).toContain(words);
    expect((await owner.get(path)).text).toMatch(/Consumo a cobrar\s*R\$ 1,80/);
    const lines = await em().find(AuditLineEntity, { action: 'subscriptions/record-usage' });
    expect(lines.map(({ subjectId }) => subjectId)).toEqual([ids.subscription, ids.subscription]);
    const finance = await signedInAs('finance', app.storeId);
    expect((await finance.get(path)).html).not.toContain('/usage');
  });
});
