import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, AsaasBox } from '../../scripts/psp/asaas/asaas-box.ts';
import { OutsidePaymentEntity } from '../../src/database/entities/outside-payment.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { importFolder, runImportCommand } from '../support/fixtures/import-files.ts';
import { jsonPages } from '../support/outside/json-pages.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await createTestApp();
  url = app.database.config.get('clientUrl') ?? '';
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const today = saoPauloDateOf(new Date());
const year = Number(today.slice(0, 4)) + 1;
const newStore = async () => (await createTestStore(app.database)).id;

/** How subscriptions continue, by their external id. */
async function coursesOf(storeId: StoreId) {
  const rows = await em().find(SubscriptionEntity, { storeId }, { orderBy: { externalId: 'asc' } });
  return rows.map((row) => ({
    id: row.externalId,
    cycle: row.cycle,
    next: row.cycleEndsAt,
    anchorDay: saoPauloDateOf(row.anchorAt).slice(8),
    amountCents: row.amountCents,
    unitCents: row.plan.unitPriceCents,
    addOns: row.plan.addOns?.map(({ name, quantity, unitPriceCents }) => ({
      name,
      quantity,
      unitPriceCents,
    })),
    usageCycle: row.plan.usageCycle,
    usageEndsAt: row.usageEndsAt,
    left: row.discount?.lastNumber ? row.discount.lastNumber - row.cycleNumber : row.discount,
    isTrial: row.cycleNumber === 0,
    cancelAt: row.cancelAt,
    isPaused: row.pausedAt !== null,
    method: row.method,
  }));
}

describe('import abacatepay', () => {
  it('moves a store of another Recebe, and its subscriptions continue the same', async () => {
    const from = await newStore();
    const sub = { customer: 'c1', product: 'p1', method: 'PIX', next_charge: addDays(today, 12) };
    using folder = importFolder({
      customers: Array.from({ length: 120 }, (_, index) => ({
        ...{ id: `c${index}`, name: `Cliente ${index}`, email: `c${index}@example.com` },
      })),
      products: [
        { id: 'p1', name: 'Plano', price: '49,90', cycle: 'MONTHLY' },
        { id: 'p2', name: 'Anual', price: '499,00', cycle: 'ANNUALLY', usage_cycle: 'MONTHLY' },
        { id: 'p3', name: 'Usuário', price: '15,00', cycle: 'MONTHLY' },
      ],
      coupons: [{ id: 'k1', code: 'METADE', percent: '50', duration: 'REPEATING', cycles: '6' }],
      subscriptions: [
        { ...sub, id: 's1' },
        { ...sub, id: 's2', product: 'p2', quantity: '2', unit_price: '400,00' },
        { ...sub, id: 's3', coupon: 'k1', coupon_cycles_left: '3' },
        { ...sub, id: 's4', trial: 'yes' },
        { ...sub, id: 's5', cancel_at_period_end: 'yes' },
        { ...sub, id: 's6', paused: 'yes' },
        { ...sub, id: 's7', method: 'CARD' },
        { ...sub, id: 's8', quantity: '2', add_ons: 'p3:3:12,50' },
      ],
    });
    expect((await runImportCommand({ url, storeId: from }, `csv ${folder.path}`)).answer.refused).toEqual([]);
    const api = await app.clientWith({ storeId: from, readOnly: true });
    const storeId = await newStore();
    const env = { ABACATEPAY_API_KEY: api.key };
    const run = () => runImportCommand({ url, storeId, env }, `abacatepay --api-url ${app.api.url}`);
    const { answer, ended } = await run();
    expect({ errors: ended.errors, refused: answer.refused }).toEqual({ errors: '', refused: [] });
    expect(answer.counts.customer).toMatchObject({ made: 120 });
    expect(await coursesOf(storeId)).toEqual(await coursesOf(from));
    expect((await run()).answer.counts.subscription).toMatchObject({ made: 0, unchanged: 8 });
  });
});

describe('import asaas', () => {
  it('moves customers, subscriptions and payments of an account', async () => {
    const box = await new AsaasBox().open();
    try {
      const ana = box.books.addCustomer({
        name: 'Ana Souza',
        cpfCnpj: '52998224725',
        email: 'ana@example.com',
      });
      const of = { customer: ana.id, billingType: 'PIX', value: 49.9, nextDueDate: addDays(today, 3) };
      const monthly = box.books.addSubscription({ ...of, cycle: 'MONTHLY', externalReference: 'account-1' });
      const yearly = box.books.addSubscription({ ...of, cycle: 'YEARLY', billingType: 'BOLETO', value: 500 });
      box.books.addSubscription({ ...of, cycle: 'BIWEEKLY' });
      box.books.addSubscription({ ...of, cycle: 'WEEKLY', endDate: `${year}-12-31` });
      const [first] = [...box.books.payments.values()];
      box.books.pay(first?.id ?? '', {});
      const storeId = await newStore();
      const env = { ASAAS_API_KEY: API_KEY };
      const { answer, ended } = await runImportCommand({ url, storeId, env }, `asaas --api-url ${box.url}`);
      expect(ended.errors).toBe('');
      expect(answer.refused.map(({ field }) => field).sort()).toEqual(['cycle', 'endDate']);
      const courses = await coursesOf(storeId);
      expect(
        courses.map(({ next, cycle, amountCents }) => [saoPauloDateOf(next), cycle, amountCents]),
      ).toEqual([
        [monthly.nextDueDate, 'MONTHLY', 4_990],
        [yearly.nextDueDate, 'ANNUALLY', 50_000],
      ]);
      expect(await em().find(OutsidePaymentEntity, { storeId })).toMatchObject([
        { amountCents: 4_990, method: 'PIX', source: 'asaas', externalId: first?.id },
      ]);
    } finally {
      await box.close();
    }
  });

  it('learns from earlier payments that a subscription is charged on the 31st', async () => {
    const subscription = {
      ...{ id: 'sub_1', customer: 'cus_1', billingType: 'PIX', value: 10, cycle: 'MONTHLY' },
      ...{ nextDueDate: `${year}-04-30`, status: 'ACTIVE', deleted: false },
    };
    const list = (...data: readonly object[]) => ({ hasMore: false, data });
    await using asaas = await jsonPages(({ pathname, searchParams }) => {
      if (pathname === '/v3/customers') return list({ id: 'cus_1', name: 'Ana', cpfCnpj: '52998224725' });
      if (pathname === '/v3/subscriptions') return list(subscription);
      return searchParams.has('subscription') ? list({ id: 'pay_1', dueDate: `${year}-01-31` }) : list();
    });
    const storeId = await newStore();
    const env = { ASAAS_API_KEY: 'key' };
    const { answer } = await runImportCommand({ url, storeId, env }, `asaas --api-url ${asaas.url}`);
    expect(answer.refused).toEqual([]);
    expect(await coursesOf(storeId)).toMatchObject([{ anchorDay: '31' }]);
  });
});
