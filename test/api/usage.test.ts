import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownUsage } from '../../src/api/subscriptions/usage-schema.ts';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { UsageRecordEntity } from '../../src/database/entities/usage-record.ts';
import type { PlanUpdateId, SubscriptionId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { type ApiAnswer, type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

const NOW = new Date('2026-12-04T15:00:00.000Z');
const MAX = 9_999_999_999;

let app: TestApp;
let elsewhere: ApiClient;
let production: ApiClient;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOW });
  elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
  production = await app.clientWith({ devMode: false });
});
afterAll(() => app.close());

const shop = () => ({ database: app.database, storeId: app.storeId });
const subscribed = (changes = {}) => insertSubscription(shop(), changes);
const product = (price = 5) => buildProduct(app.api, { price });

type Usage = { id: string; productId: string; units?: unknown; action?: unknown };
const record = (usage: Usage, api = app.api, options = {}) =>
  api.post('/v2/subscriptions/record-usage', { units: 1, action: 'add', ...usage }, options);

/** What the next cycle will charge, and the rows that add up to it. */
async function totalsOf(id: string) {
  const em = app.database.em.fork();
  const rows = await em.execute<{ number: number; units: string; cents: string }[]>(
    `select installment_number as number, units, amount_cents as cents from usage_totals
     where subscription_id = ? order by installment_number, product_id`,
    [id],
  );
  return rows.map(({ number, units, cents }) => [number, Number(units), Number(cents)]);
}
const countRecords = () => app.database.em.fork().count(UsageRecordEntity);

describe('usage', () => {
  it('records usage for the next cycle at the current price', async () => {
    const { id } = await subscribed({ cycleNumber: 4 });
    const { id: productId } = await product();
    const usage = dataOf<ShownUsage>(await record({ id, productId, units: 120 }));
    expect(usage).toEqual({
      id: expect.stringMatching(/^usgr_[0-9A-Z]{26}$/),
      devMode: true,
      subscriptionId: id,
      productId,
      units: 120,
      unitPrice: 5,
      action: 'add',
      installmentNumber: 5,
      recordedAt: NOW.toISOString(),
    });
    expect(await totalsOf(id)).toEqual([[5, 120, 600]]);
    const row = await app.database.em.fork().findOneOrFail(UsageRecordEntity, { id: usage.id as never });
    expect(row).toMatchObject({ subscriptionId: id, productId, cycleNumber: 5, action: 'add' });
    expect(row).toMatchObject({ units: 120, unitPriceCents: 5, recordedAt: NOW });
  });

  it('records usage of a trial for the first charge', async () => {
    const { id } = await subscribed({ cycleNumber: 0 });
    const usage = dataOf<ShownUsage>(await record({ id, productId: (await product()).id }));
    expect(usage.installmentNumber).toBe(1);
  });

  it('adds usage to the cycle after the one in which it is recorded', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(10);
    await record({ id, productId, units: 3 });
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, { cycleNumber: 2 });
    await record({ id, productId, units: 4 });
    expect(await totalsOf(id)).toEqual([
      [2, 3, 30],
      [3, 4, 40],
    ]);
  });

  it("subtracts usage at the product's current price", async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(10);
    await record({ id, productId, units: 5 });
    await app.database.em.fork().execute('update products set price_cents = 7 where id = ?', [productId]);
    expect(dataOf(await record({ id, productId, units: 2, action: 'subtract' }))).toMatchObject({
      unitPrice: 7,
    });
    expect(await totalsOf(id)).toEqual([[2, 3, 36]]);
  });

  it('subtracts usage down to zero units and refuses more', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product();
    const subtract = (units: number) => record({ id, productId, units, action: 'subtract' });
    const refused = {
      status: 422,
      json: {
        code: 'NOT_ACCEPTABLE',
        error: expect.stringContaining('below zero'),
        issues: [{ path: 'units' }],
      },
    };
    expect(await subtract(1)).toMatchObject(refused);
    await record({ id, productId, units: 3 });
    expect(await subtract(4)).toMatchObject(refused);
    expect((await subtract(3)).status).toBe(200);
    expect(await subtract(1)).toMatchObject(refused);
    expect(await totalsOf(id)).toEqual([[2, 0, 0]]);
  });

  it('refuses to subtract below zero cents after a price increase', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(10);
    await record({ id, productId, units: 5 });
    await app.database.em.fork().execute('update products set price_cents = 11 where id = ?', [productId]);
    expect((await record({ id, productId, units: 5, action: 'subtract' })).status).toBe(422);
    expect((await record({ id, productId, units: 4, action: 'subtract' })).status).toBe(200);
    expect(await totalsOf(id)).toEqual([[2, 1, 6]]);
  });
});

describe('plan and usage together', () => {
  const over = { status: 422, json: { code: 'NOT_ACCEPTABLE', issues: [{ path: 'units' }] } };

  it('accepts plan and usage up to the largest charge and refuses one cent more', async () => {
    const { id } = await subscribed();
    const [penny, other] = [(await product(1)).id, (await product(1)).id];
    expect((await record({ id, productId: penny, units: MAX - 5_000 - 1 })).status).toBe(200);
    expect(await record({ id, productId: other, units: 2 })).toMatchObject(over);
    expect((await record({ id, productId: other, units: 1 })).status).toBe(200);
    expect(await record({ id, productId: penny, units: 1 })).toMatchObject(over);
  });

  it('includes a pending dearer plan in the limit', async () => {
    const { id, plan } = await subscribed();
    await app.database.em.fork().insert(PlanUpdateEntity, {
      id: mintId<PlanUpdateId>('planUpdate', NOW),
      subscriptionId: id,
      status: 'PENDING',
      plan,
      amountCents: MAX - 10,
      cycle: 'MONTHLY',
      starts: 'NEXT_CYCLE',
      proration: null,
      requestedAt: NOW,
      appliedAt: null,
    });
    const productId = (await product(1)).id;
    expect(await record({ id, productId, units: 11 })).toMatchObject(over);
    expect((await record({ id, productId, units: 10 })).status).toBe(200);
  });

  it('refuses units whose amount exceeds the numbers of the database', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(MAX);
    expect(await record({ id, productId, units: MAX })).toMatchObject(over);
    expect(await record({ id, productId, units: MAX, action: 'subtract' })).toMatchObject(over);
  });
});

describe('refused usage', () => {
  it("returns 404 for a cancelled, unknown or another store's subscription", async () => {
    const { id } = await subscribed();
    const { id: ended } = await subscribed({ status: 'CANCELLED' });
    const { id: productId } = await product();
    const before = await countRecords();
    for (const answer of [
      await record({ id: ended, productId }),
      await record({ id: 'subs_0', productId }),
      await record({ id, productId }, elsewhere),
      await record({ id, productId }, production),
    ]) {
      const json = { error: 'Subscription not found or not active', code: 'NOT_FOUND' };
      expect(answer).toMatchObject({ status: 404, json });
    }
    expect(await countRecords()).toBe(before);
  });

  const deleted = async () => {
    const { id } = await product();
    await app.api.post(`/products/delete?id=${id}`);
    return id;
  };
  it.each<[string, () => Promise<string>]>([
    ['with a cycle', async () => (await buildProduct(app.api, { cycle: 'MONTHLY' })).id],
    ['that is unknown', async () => 'prod_0'],
    ['of another store', async () => (await buildProduct(elsewhere)).id],
    ['of the other environment', async () => (await buildProduct(production)).id],
    ['that is deleted', deleted],
  ])('returns 422 for a product %s', async (_, productId) => {
    const { id } = await subscribed();
    const answer = await record({ id, productId: await productId() });
    const json = { code: 'NOT_ACCEPTABLE', issues: [{ path: 'productId' }] };
    expect(answer).toMatchObject({ status: 422, json });
    expect(await totalsOf(id)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['0 units', { units: 0 }, 'units'],
    ['-1 units', { units: -1 }, 'units'],
    ['1.5 units', { units: 1.5 }, 'units'],
    ['units as text', { units: '1' }, 'units'],
    ['10 000 000 000 units', { units: MAX + 1 }, 'units'],
    ['another action', { action: 'set' }, 'action'],
    ['no action', { action: undefined }, 'action'],
    ['a price', { unitPrice: 1 }, 'unitPrice'],
  ])('returns 400 naming the field for %s', async (_, given, path) => {
    const answer = await record({ id: 'subs_0', productId: 'prod_0', ...given });
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
  });
});

describe('many records at once', () => {
  const all = async <Result>(count: number, call: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => call(index)));

  it('adds up 200 parallel records exactly', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(7);
    const answers = await all(200, (index) => record({ id, productId, units: index + 1 }));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await totalsOf(id)).toEqual([[2, 20_100, 140_700]]);
    expect(await app.database.em.fork().count(UsageRecordEntity, { subscriptionId: id })).toBe(200);
  });

  it('sums up only accepted parallel records and never goes below zero', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(7);
    const answers = await all(200, async (index) => {
      const action = index % 2 === 0 ? 'add' : 'subtract';
      // More is subtracted than added, so some requests must be refused in any order.
      const units = (index % 5) + (action === 'add' ? 1 : 2);
      const { status } = await record({ id, productId, units, action });
      return { status, change: action === 'add' ? units : -units };
    });
    const units = answers.reduce((sum, { status, change }) => sum + (status === 200 ? change : 0), 0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(await totalsOf(id)).toEqual([[2, units, units * 7]]);
  });

  it('keeps parallel records of several products within the largest charge', async () => {
    const { id } = await subscribed({ amountCents: MAX - 10 });
    const products = await all(4, () => product(1));
    const records = await afterWaitingFor(id, products.length, {}, () =>
      products.map(({ id: productId }) => record({ id, productId, units: 6 })),
    );
    expect(records.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await totalsOf(id)).toEqual([[2, 6, 6]]);
  });

  it('counts usage once per Idempotency-Key in parallel requests', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(7);
    const options = (index: number) => ({ headers: { 'Idempotency-Key': `usage-${index % 20}` } });
    const answers = await all(200, (index) =>
      record({ id, productId, units: (index % 20) + 1 }, app.api, options(index)),
    );
    // Requests that arrive while another runs get 409; the others get its response.
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await totalsOf(id)).toEqual([[2, 210, 1_470]]);
    const [first, again] = [
      await record({ id, productId, units: 1 }, app.api, options(0)),
      await record({ id, productId, units: 1 }, app.api, options(0)),
    ];
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(await totalsOf(id)).toEqual([[2, 210, 1_470]]);
  });

  it('records usage for the following cycle if the next one opens meanwhile', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(1);
    await record({ id, productId, units: 5 });
    const [late] = await afterWaitingFor(id, 1, { cycleNumber: 2 }, () => [record({ id, productId })]);
    expect(late?.json.data).toMatchObject({ installmentNumber: 3 });
    expect(await totalsOf(id)).toEqual([
      [2, 5, 5],
      [3, 1, 1],
    ]);
  });

  it('refuses usage if the subscription is cancelled meanwhile', async () => {
    const { id } = await subscribed();
    const { id: productId } = await product(1);
    const [late] = await afterWaitingFor(id, 1, { status: 'CANCELLED' }, () => [record({ id, productId })]);
    expect(late?.status).toBe(404);
    expect(await totalsOf(id)).toEqual([]);
  });

  /**
   * Answers to requests that all came while the subscription was held by a transaction that makes this
   * change.
   */
  async function afterWaitingFor(
    id: SubscriptionId,
    count: number,
    change: Partial<Pick<Subscription, 'cycleNumber' | 'status'>>,
    send: () => Promise<ApiAnswer>[],
  ): Promise<ApiAnswer[]> {
    // Not `transactional`: what is awaited inside would join the transaction, and see one moment of the
    // server's activity only.
    const holder = app.database.em.fork();
    await holder.begin();
    await holder.execute('select 1 from subscriptions where id = ? for update', [id]);
    if (Object.keys(change).length > 0) await holder.nativeUpdate(SubscriptionEntity, { id }, change);
    const answers = Promise.all(send());
    await waitFor(async () => (await countWaiting()) === count).finally(() => holder.commit());
    return answers;
  }

  async function countWaiting(): Promise<number> {
    const [row] = await app.database.em.fork().execute<{ count: string }[]>(
      `select count(*)::text as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%with given as%'`,
    );
    return Number(row?.count);
  }
});
