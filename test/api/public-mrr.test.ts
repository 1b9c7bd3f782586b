import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ShownRevenue } from '../../src/api/public-mrr/schema.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { PRODUCT_CYCLES } from '../../src/domain/cycle.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { insertCharge, insertCheckout, type Shop } from '../support/rows/checkout-rows.ts';
import { insertSubscription, subscriptionRow } from '../support/rows/subscribed-rows.ts';

const NOW = new Date('2026-12-04T15:00:00.000Z');
const MAX = 9_999_999_999;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOW });
});
afterAll(() => app.close());

/** Creates a store for one test. */
async function newShop(): Promise<Shop & { readonly api: ApiClient }> {
  const { id: storeId } = await createTestStore(app.database);
  return { database: app.database, storeId, api: await app.clientWith({ storeId }) };
}
const mrrOf = async (api: ApiClient) => dataOf(await api.get('/v2/public-mrr/mrr'));

describe('MRR', () => {
  it('returns zero for a store without subscriptions', async () => {
    expect(await mrrOf((await newShop()).api)).toEqual({
      mrr: 0,
      totalActiveSubscriptions: 0,
      totalTrialSubscriptions: 0,
    });
  });

  it('counts active subscriptions in MRR only after their trial', async () => {
    const shop = await newShop();
    await insertSubscription(shop, { amountCents: 100 });
    await insertSubscription(shop, { amountCents: 1_000, status: 'CANCELLED' });
    await insertSubscription(shop, { amountCents: 10_000, trialEndsAt: new Date(NOW.getTime() + 1) });
    await insertSubscription(shop, { amountCents: 100_000, trialEndsAt: NOW });
    expect(await mrrOf(shop.api)).toEqual({
      mrr: 100_100,
      totalActiveSubscriptions: 3,
      totalTrialSubscriptions: 1,
    });
  });

  it('follows every change of plan and status', async () => {
    const shop = await newShop();
    const { id } = await insertSubscription(shop, { amountCents: 100 });
    await insertSubscription(shop, { amountCents: 10 });
    const change = (changes: Partial<Subscription>) =>
      shop.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, changes);
    await change({ amountCents: 900 });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 910 });
    await change({ cycle: 'QUARTERLY', cycleNumber: 7 });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 310, totalActiveSubscriptions: 2 });
    await change({ status: 'CANCELLED' });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 10, totalActiveSubscriptions: 1 });
  });

  it('counts what subscriptions cost after a coupon, also as it changes', async () => {
    const shop = await newShop();
    const { id } = await insertSubscription(shop, { amountCents: 100, recurringDiscountCents: 60 });
    const trialEndsAt = new Date(NOW.getTime() + 1);
    await insertSubscription(shop, { amountCents: 1_000, recurringDiscountCents: 10, trialEndsAt });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 40, totalTrialSubscriptions: 1 });
    const em = shop.database.em.fork();
    await em.nativeUpdate(SubscriptionEntity, { id }, { recurringDiscountCents: 0 });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 100 });
  });

  it('rounds MRR once, half up, over all cycles', async () => {
    const shop = await newShop();
    // 1.5 cents a month in two parts, each of which would be rounded to 1 alone.
    await insertSubscription(shop, { amountCents: 9, cycle: 'ANNUALLY' });
    await insertSubscription(shop, { amountCents: 9, cycle: 'ANNUALLY' });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 2 });
    await insertSubscription(shop, { amountCents: 300, cycle: 'WEEKLY' });
    expect(await mrrOf(shop.api)).toMatchObject({ mrr: 1_302 });
  });

  it("returns MRR without any permission, and only of the key's store and environment", async () => {
    const shop = await newShop();
    await insertSubscription(shop, { amountCents: 100 });
    await insertSubscription(shop, { amountCents: 7, devMode: false });
    const { storeId } = shop;
    expect(await mrrOf(await app.clientWith({ storeId, permissions: [] }))).toMatchObject({ mrr: 100 });
    expect(await mrrOf(await app.clientWith({ storeId, devMode: false }))).toMatchObject({ mrr: 7 });
    expect(await mrrOf((await newShop()).api)).toMatchObject({ mrr: 0 });
    expect((await app.api.get('/public-mrr/mrr', { key: null })).status).toBe(401);
  });

  it('agrees with a simple sum to the cent, for any subscriptions', async () => {
    const any = fc.record({
      cycle: fc.constantFrom(...PRODUCT_CYCLES),
      amountCents: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: MAX })),
      status: fc.constantFrom('ACTIVE' as const, 'ACTIVE' as const, 'CANCELLED' as const),
      trialEndsInMs: fc.option(fc.constantFrom(-1, 0, 1)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 30 }), async (drawn) => {
        const shop = await newShop();
        const rows = drawn.map(({ trialEndsInMs, ...row }) => ({
          ...row,
          trialEndsAt: trialEndsInMs === null ? null : new Date(NOW.getTime() + trialEndsInMs),
        }));
        await insertAll(shop, rows);
        const active = rows.filter(({ status }) => status === 'ACTIVE');
        expect(await mrrOf(shop.api)).toEqual({
          mrr: modelOf(active.filter(({ trialEndsAt }) => trialEndsAt === null || trialEndsAt <= NOW)),
          totalActiveSubscriptions: active.length,
          totalTrialSubscriptions: active.filter(
            ({ trialEndsAt }) => trialEndsAt !== null && trialEndsAt > NOW,
          ).length,
        });
      }),
      { numRuns: 30 },
    );
  });

  type Row = Pick<Subscription, 'cycle' | 'amountCents'>;

  /**
   * Contract section 6 word by word, in 156ths of a cent, of which every cycle has a whole number a month.
   */
  function modelOf(rows: readonly Row[]): number {
    const monthly = { WEEKLY: 676n, MONTHLY: 156n, QUARTERLY: 52n, SEMIANNUALLY: 26n, ANNUALLY: 13n };
    const sum = rows.reduce(
      (total, { cycle, amountCents }) => total + monthly[cycle] * BigInt(amountCents),
      0n,
    );
    return Number((sum + 78n) / 156n);
  }

  async function insertAll(shop: Shop, changes: readonly Partial<Subscription>[]): Promise<void> {
    const checkout = await insertCheckout(shop, { frequency: 'SUBSCRIPTION' });
    const checkouts = changes.map(() => ({ ...checkout, id: mintId<CheckoutId>('checkout', NOW) }));
    const rows = changes.map((change, index) => subscriptionRow(checkouts[index] ?? checkout, change));
    if (rows.length === 0) return;
    await shop.database.em.fork().insertMany(CheckoutEntity, checkouts);
    await shop.database.em.fork().insertMany(SubscriptionEntity, rows);
  }
});

it('returns the address of this service as the website of a store without one', async () => {
  const { api } = await newShop();
  expect(dataOf(await api.get('/v2/public-mrr/merchant-info'))).toMatchObject({ website: app.api.url });
});

it('returns the store of the key from merchant-info', async () => {
  const shop = await newShop();
  await app.database.em
    .fork()
    .execute(`update stores set website = 'https://shop.example.com' where id = ?`, [shop.storeId]);
  expect(dataOf(await shop.api.get('/v2/public-mrr/merchant-info'))).toEqual({
    id: shop.storeId,
    name: 'Loja Teste',
    devMode: true,
    website: 'https://shop.example.com',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

describe('revenue', () => {
  const revenueOf = async (api: ApiClient, query = '') =>
    dataOf<ShownRevenue>(await api.get(`/v2/public-mrr/revenue?${query}`));
  /** A charge that was paid at this instant. */
  async function pay(shop: Shop, paidAt: string, paidAmountCents: number, changes = {}) {
    const checkout = await insertCheckout(shop);
    const paid = {
      status: 'PAID' as const,
      paidAt: new Date(paidAt),
      settlesAt: new Date(paidAt),
      paidAmountCents,
    };
    await insertCharge(shop, checkout, 'PIX', { ...paid, ...changes });
  }

  it('sums payments per São Paulo day, including both ends', async () => {
    const shop = await newShop();
    await pay(shop, '2026-12-01T02:59:59.999Z', 1); // 30 November
    await pay(shop, '2026-12-01T03:00:00.000Z', 20);
    await pay(shop, '2026-12-02T02:59:59.999Z', 300); // still 1 December
    await pay(shop, '2026-12-04T02:59:59.999Z', 4_000); // 3 December
    await pay(shop, '2026-12-04T03:00:00.000Z', 50_000); // 4 December
    expect(await revenueOf(shop.api, 'startDate=2026-12-01&endDate=2026-12-03')).toEqual({
      totalRevenue: 4_320,
      totalTransactions: 3,
      transactionsPerDay: {
        '2026-12-01': { amount: 320, count: 2 },
        '2026-12-03': { amount: 4_000, count: 1 },
      },
    });
  });

  it('returns revenue of the last 30 days by default', async () => {
    const shop = await newShop();
    await pay(shop, '2026-11-05T02:59:59.999Z', 1);
    await pay(shop, '2026-11-05T03:00:00.000Z', 20);
    await pay(shop, '2026-12-04T14:00:00.000Z', 300);
    expect(Object.keys((await revenueOf(shop.api)).transactionsPerDay)).toEqual(['2026-11-05', '2026-12-04']);
    expect(await revenueOf(shop.api, 'startDate=2026-11-06')).toMatchObject({ totalRevenue: 300 });
    expect(await revenueOf(shop.api, 'endDate=2026-12-03')).toMatchObject({ totalRevenue: 21 });
  });

  it('applies the daylight saving time of the day', async () => {
    const shop = await newShop();
    await pay(shop, '2019-01-15T01:59:59.999Z', 1);
    await pay(shop, '2019-01-15T02:00:00.000Z', 20);
    const { transactionsPerDay } = await revenueOf(shop.api, 'startDate=2019-01-15&endDate=2019-01-15');
    expect(transactionsPerDay).toEqual({ '2019-01-15': { amount: 20, count: 1 } });
  });

  it('excludes unpaid, refunded and free payments', async () => {
    const shop = await newShop();
    await pay(shop, '2026-12-04T12:00:00.000Z', 0);
    await pay(shop, '2026-12-04T12:00:00.000Z', 10, { status: 'REFUNDED' });
    await insertCharge(shop, await insertCheckout(shop), 'PIX');
    const nothing = { totalRevenue: 0, totalTransactions: 0, transactionsPerDay: {} };
    expect(await revenueOf(shop.api)).toEqual(nothing);
    await pay(shop, '2026-12-04T12:00:00.000Z', 10, { devMode: false });
    expect(await revenueOf(shop.api)).toEqual(nothing);
    expect(await revenueOf((await newShop()).api)).toEqual(nothing);
    const production = await app.clientWith({ storeId: shop.storeId, devMode: false });
    expect(await revenueOf(production)).toMatchObject({ totalRevenue: 10, totalTransactions: 1 });
  });

  it('accepts a leap year and refuses one day more', async () => {
    const answer = (startDate: string) =>
      app.api.get(`/public-mrr/revenue?startDate=${startDate}&endDate=2028-12-31`);
    expect((await answer('2028-01-01')).status).toBe(200);
    expect(await answer('2027-12-31')).toMatchObject({
      status: 422,
      json: { code: 'NOT_ACCEPTABLE', issues: [{ path: 'startDate' }] },
    });
  });

  it('refuses an end before the start', async () => {
    const answer = await app.api.get('/public-mrr/revenue?startDate=2026-12-05');
    expect(answer).toMatchObject({ status: 422, json: { issues: [{ path: 'startDate' }] } });
  });

  it.each(['2026-02-29', '2026-2-1', '01/02/2026', '2026-01-01T00:00:00Z', '1999-12-31', '2100-01-01', ''])(
    'refuses the day "%s"',
    async (day) => {
      for (const name of ['startDate', 'endDate']) {
        const answer = await app.api.get(`/public-mrr/revenue?${name}=${encodeURIComponent(day)}`);
        expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: name }] } });
      }
    },
  );

  it('accepts the first and the last allowed day', async () => {
    for (const day of ['2000-01-01', '2099-12-31']) {
      expect(await revenueOf(app.api, `startDate=${day}&endDate=${day}`)).toMatchObject({ totalRevenue: 0 });
    }
  });
});
