import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { CheckoutId, CycleId, SubscriptionId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import type { ShownSubscriptionCheckout } from '../../src/wire/checkout.ts';
import type { ShownSubscription } from '../../src/wire/subscription/schema.ts';
import type { ChangePlanInput } from '../../workflows/subscription.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { insertCharge, insertCustomer, NOON } from '../support/rows/checkout-rows.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

const NOW = new Date('2026-12-04T15:00:00.000Z');

/** What the workflow makes of an update, in place of a worker. */
type Workflow = 'active' | 'cancelled first' | 'refuses' | 'loses its answer';
let workflow: Workflow = 'active';
const cancelled: string[] = [];
/** Subscriptions whose overdue cycle somebody had charged. */
const paid: string[] = [];
const changes: ChangePlanInput[] = [];
const started: string[] = [];

let app: TestApp;
let elsewhere: ApiClient;
let production: ApiClient;
beforeAll(async () => {
  app = await createTestApp({
    clock: () => NOW,
    starter: { startSoon: ({ id }) => void started.push(id) },
    subscriptionUpdates: {
      async cancel({ id }) {
        cancelled.push(id);
        const end = { status: 'CANCELLED' as const, canceledAt: NOW, cancelPolicy: 'NOW' as const };
        await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, end);
        if (workflow === 'loses its answer') throw new ServiceError('away');
        return 'CANCELLED';
      },
      async scheduleCancellation({ id, cycleEndsAt }) {
        await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, { cancelAt: cycleEndsAt });
        return 'ACTIVE';
      },
      async pause({ id }, { untilMs, keepsAnchor }) {
        const resumesAt = untilMs === null ? null : new Date(untilMs);
        const change = { pausedAt: NOW, resumesAt, keepsAnchor };
        await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, change);
        return 'ACTIVE';
      },
      attemptNow: () => Promise.resolve('ACTIVE'),
      async changeTrial({ id }, { endsAtMs }) {
        if (workflow === 'cancelled first') return 'CANCELLED';
        const trialEndsAt = endsAtMs === null ? NOW : new Date(endsAtMs);
        const change = { trialEndsAt, cycleEndsAt: trialEndsAt };
        await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, change);
        return 'ACTIVE';
      },
      async pay({ id }) {
        paid.push(id);
        return workflow === 'cancelled first' ? 'CANCELLED' : 'ACTIVE';
      },
      async resume({ id }) {
        if (workflow === 'cancelled first') return 'CANCELLED';
        await app.database.em
          .fork()
          .nativeUpdate(SubscriptionEntity, { id }, { cancelAt: null, pausedAt: null, resumesAt: null });
        return 'ACTIVE';
      },
      async changePlan(subscription, change) {
        changes.push(change);
        if (workflow === 'cancelled first') return 'CANCELLED';
        if (workflow === 'refuses') {
          const refused = ApplicationFailure.nonRetryable('The subscription is cancelled', 'NOT_ACTIVE');
          throw new WorkflowUpdateFailedError('Update failed', refused);
        }
        await notePlan(subscription.id, change);
        return 'ACTIVE';
      },
    },
  });
  elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
  production = await app.clientWith({ devMode: false });
});
afterAll(() => app.close());

async function notePlan(
  subscriptionId: SubscriptionId,
  { planUpdateId, productId, quantity = 1 }: ChangePlanInput,
) {
  const em = app.database.em.fork();
  const { name, priceCents, cycle } = await em.findOneOrFail(ProductEntity, { id: productId });
  await em.insert(PlanUpdateEntity, {
    id: planUpdateId,
    subscriptionId,
    status: 'PENDING',
    plan: { productId, name, imageUrl: null, quantity, unitPriceCents: priceCents },
    amountCents: priceCents * quantity,
    cycle: cycle ?? 'MONTHLY',
    starts: 'NEXT_CYCLE',
    proration: null,
    requestedAt: NOW,
    appliedAt: null,
  });
}

const shop = () => ({ database: app.database, storeId: app.storeId });
const plan = (given: Record<string, unknown> = {}, api = app.api) =>
  buildProduct(api, { cycle: 'MONTHLY', price: 4_900, ...given });
const itemsOf = (id: string, quantity = 1) => [{ id, quantity }];
const create = async (given: Record<string, unknown> = {}, api = app.api, options = {}) => {
  const items = given.items ?? itemsOf((await plan({}, api)).id);
  return api.post('/v2/subscriptions/create', { ...given, items }, options);
};
const build = async (given: Record<string, unknown> = {}, api = app.api) =>
  dataOf<ShownSubscriptionCheckout>(await create(given, api));
const kept = (id: string) => app.database.em.fork().findOneOrFail(CheckoutEntity, { id: id as CheckoutId });
const countCheckouts = () => app.database.em.fork().count(CheckoutEntity);
const listed = async (query: string, api = app.api) =>
  dataOf<ShownSubscriptionCheckout[]>(await api.get(`/subscriptions/list?${query}`)).map(({ id }) => id);
const NOT_ACTIVE = { error: 'Subscription not found or not active', code: 'NOT_FOUND' };

describe('creating a subscription', () => {
  it('returns the new checkout with all sent fields and no subscription yet', async () => {
    const product = await plan({ cycle: 'QUARTERLY' });
    const [coupon, customer] = [await buildCoupon(app.api), await buildCustomer(app.api)];
    const body = {
      items: itemsOf(product.id, 2),
      externalId: 'account-1',
      methods: ['PIX', 'CARD'],
      coupons: [coupon.id],
      customerId: customer.id,
      returnUrl: 'https://app.example.com/plans',
      completionUrl: 'https://app.example.com/welcome',
      metadata: { b: 1, a: [2] },
    };
    const checkout = await build({ ...body, retryPolicy: { maxRetry: 10, retryEvery: 30 } });
    expect(checkout).toEqual({
      ...body,
      id: checkout.id,
      url: `${app.api.url}/pay/${checkout.id}`,
      customerNamedBy: 'MERCHANT',
      addOns: [],
      amount: 9_800,
      paidAmount: null,
      status: 'PENDING',
      devMode: true,
      receiptUrl: null,
      customerFee: null,
      card: { maxInstallments: 1, passFeesToCustomer: false },
      installmentsCount: null,
      upSellProductId: null,
      subscriptionId: null,
      subscriptionStatus: null,
      subscriptionState: null,
      debitRetryPolicy: null,
      expiresAt: '2027-01-03T15:00:00.000Z',
      createdAt: NOW.toISOString(),
      updatedAt: NOW.toISOString(),
    });
    expect(await kept(checkout.id)).toMatchObject({
      frequency: 'SUBSCRIPTION',
      cycle: 'QUARTERLY',
      trialDays: null,
      maxRetry: 10,
      retryEveryDays: 30,
      items: [{ productId: product.id, unitPriceCents: 4_900, quantity: 2 }],
    });
  });

  it('defaults to CARD and three attempts a day apart', async () => {
    const { id, methods } = await build();
    expect(methods).toEqual(['CARD']);
    expect(await kept(id)).toMatchObject({ maxRetry: 3, retryEveryDays: 1 });
    const other = await build({ retryPolicy: { retryEvery: 7 } });
    expect(await kept(other.id)).toMatchObject({ maxRetry: 3, retryEveryDays: 7 });
  });

  it('uses the trial of its product', async () => {
    const { id } = await build({ items: itemsOf((await plan({ trialDays: 14 })).id) });
    expect(await kept(id)).toMatchObject({ trialDays: 14, amountCents: 4_900 });
  });

  it('returns the same checkout from checkouts/get and checkouts/list', async () => {
    const checkout = await build({ externalId: 'shown' });
    expect(checkout).not.toHaveProperty('frequency');
    expect(dataOf(await app.api.get(`/checkouts/get?id=${checkout.id}`))).toEqual(checkout);
    expect(dataOf(await app.api.get('/checkouts/list?externalId=shown'))).toEqual([checkout]);
    expect((await app.api.get(`/payment-links/get?id=${checkout.id}`)).status).toBe(404);
  });

  it('accepts every field of checkouts/create, also those that do not apply', async () => {
    const upSell = await buildProduct(app.api);
    const given = {
      card: { maxInstallments: 1 },
      upSellProductId: upSell.id,
      frequency: 'ONE_TIME',
      interest: { value: 100 },
      fine: 'whatever',
      externalId: null,
      returnUrl: null,
      customerId: null,
      metadata: null,
    };
    expect(await build(given)).toMatchObject({ card: { maxInstallments: 1 }, upSellProductId: upSell.id });
  });

  it('refuses card installments and gives the reason', async () => {
    const before = await countCheckouts();
    expect(await create({ items: itemsOf((await plan()).id), card: { maxInstallments: 2 } })).toMatchObject({
      status: 422,
      json: {
        error: 'card.maxInstallments: must be 1: each cycle of a subscription is charged in one payment',
        issues: [{ path: 'card.maxInstallments' }],
      },
    });
    expect(await countCheckouts()).toBe(before);
  });

  it('starts the workflow once when the Idempotency-Key is repeated', async () => {
    const items = itemsOf((await plan()).id);
    const options = { headers: { 'Idempotency-Key': 'subscription-1' } };
    const [first, second] = [
      await create({ items }, app.api, options),
      await create({ items }, app.api, options),
    ];
    expect(second.text).toBe(first.text);
    const { id } = dataOf<ShownSubscriptionCheckout>(first);
    expect(started.filter((startedId) => startedId === id)).toHaveLength(1);
  });

  const item = { id: 'prod_1', quantity: 1 };
  it.each<[string, Record<string, unknown>, string]>([
    ['no item', { items: [] }, 'items'],
    ['two items', { items: [item, item] }, 'items'],
    ['a quantity of 0', { items: [{ ...item, quantity: 0 }] }, 'items[0].quantity'],
    ['BOLETO', { methods: ['BOLETO'] }, 'methods[0]'],
    ['no method', { methods: [] }, 'methods'],
    ['a method twice', { methods: ['PIX', 'PIX'] }, 'methods'],
    ['no retry', { retryPolicy: { maxRetry: 0 } }, 'retryPolicy.maxRetry'],
    ['11 retries', { retryPolicy: { maxRetry: 11 } }, 'retryPolicy.maxRetry'],
    ['a retry at once', { retryPolicy: { retryEvery: 0 } }, 'retryPolicy.retryEvery'],
    ['a retry after 31 days', { retryPolicy: { retryEvery: 31 } }, 'retryPolicy.retryEvery'],
    ['a retry after 1.5 days', { retryPolicy: { retryEvery: 1.5 } }, 'retryPolicy.retryEvery'],
    ['a misspelt policy', { retryPolicy: { maxRetries: 1 } }, 'retryPolicy.maxRetries'],
  ])('returns 400 naming the field for %s and stores nothing', async (_, given, path) => {
    const before = await countCheckouts();
    const answer = await app.api.post('/v2/subscriptions/create', { items: [item], ...given });
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR' } });
    expect(answer.json.issues?.map((issue) => issue.path)).toContain(path);
    expect(await countCheckouts()).toBe(before);
  });

  const deletedPlan = async () => {
    const { id } = await plan();
    await app.api.post(`/products/delete?id=${id}`);
    return id;
  };
  type Case = [what: string, given: () => Promise<Record<string, unknown>>, path: string];
  it.each<Case>([
    [
      'a product without a cycle',
      async () => ({ items: itemsOf((await buildProduct(app.api)).id) }),
      'items[0].id',
    ],
    ['an unknown product', async () => ({ items: itemsOf('prod_0') }), 'items[0].id'],
    ['a deleted product', async () => ({ items: itemsOf(await deletedPlan()) }), 'items[0].id'],
    [
      'a product of another store',
      async () => ({ items: itemsOf((await plan({}, elsewhere)).id) }),
      'items[0].id',
    ],
    [
      'a product of the other environment',
      async () => ({ items: itemsOf((await plan({}, production)).id) }),
      'items[0].id',
    ],
    [
      'a cycle that costs one cent too much',
      async () => ({ items: itemsOf((await plan({ price: 5_000_000_000 })).id, 2) }),
      'items',
    ],
    ['an unknown customer', async () => ({ customerId: 'cust_0' }), 'customerId'],
  ])('returns 422 naming the field for %s and stores nothing', async (_, given, path) => {
    const body = await given();
    const items = body.items ?? itemsOf((await plan()).id);
    const before = [await countCheckouts(), started.length];
    const answer = await create({ ...body, items });
    expect([answer.status, answer.json.code, answer.json.issues?.[0]?.path]).toEqual([
      422,
      'NOT_ACCEPTABLE',
      path,
    ]);
    expect([await countCheckouts(), started.length]).toEqual(before);
  });

  it('refuses an unknown coupon', async () => {
    expect(await create({ coupons: ['NONE'] })).toMatchObject({
      status: 422,
      json: { code: 'COUPON_NOT_ACCEPTED', error: 'coupons[0]: is unknown' },
    });
  });

  it('refuses a subscription if no provider is configured', async () => {
    expect(await create({}, production)).toMatchObject({
      status: 422,
      json: { code: 'NO_PAYMENT_PROVIDER' },
    });
  });
});

describe('a list of subscriptions', () => {
  it("lists only checkouts of the store's own subscriptions", async () => {
    const externalId = 'mixed';
    const checkout = await build({ externalId });
    await buildCheckout(app.api, { externalId });
    await buildPaymentLink(app.api, { externalId });
    expect(dataOf(await app.api.get('/subscriptions/list?externalId=mixed'))).toEqual([checkout]);
    expect(await listed('externalId=mixed', elsewhere)).toEqual([]);
    expect(await listed('externalId=mixed', production)).toEqual([]);
  });

  it('filters subscriptions by id, checkout status and customer', async () => {
    const data = { email: 'ana.subscribes@example.com', taxId: '529.982.247-25' };
    const customer = await buildCustomer(app.api, data);
    const [first, second] = [await build({ customerId: customer.id }), await build()];
    await app.database.em
      .fork()
      .nativeUpdate(CheckoutEntity, { id: second.id as CheckoutId }, { status: 'PAID' });
    expect(await listed(`id=${second.id}`)).toEqual([second.id]);
    expect(await listed(`id=${second.id}&status=PENDING`)).toEqual([]);
    expect(await listed(`email=${data.email}`)).toEqual([first.id]);
    expect(await listed('taxId=52998224725')).toEqual([first.id]);
    expect(await listed(`customerId=${customer.id}`)).toEqual([first.id]);
  });

  it('filters by the status of the subscription and returns it', async () => {
    const { id: storeId } = await createTestStore(app.database);
    const api = await app.clientWith({ storeId });
    const made: string[] = [];
    for (const [index, status] of (['ACTIVE', 'CANCELLED', 'ACTIVE', 'ACTIVE'] as const).entries()) {
      const createdAt = new Date(NOON.getTime() + index * 3_600_000);
      const subscription = await insertSubscription(
        { database: app.database, storeId },
        { status, createdAt },
      );
      const { checkoutId: id, id: subscriptionId } = subscription;
      const startedWith = { subscriptionId, externalId: index < 2 ? 'order-1' : null };
      await app.database.em.fork().nativeUpdate(CheckoutEntity, { id }, startedWith);
      made.push(id);
    }
    const [first, cancelledOne, third, fourth] = made;
    expect(await listed('subscriptionStatus=ACTIVE', api)).toEqual([fourth, third, first]);
    expect(await listed('subscriptionStatus=CANCELLED', api)).toEqual([cancelledOne]);
    expect(await listed('subscriptionStatus=ACTIVE&externalId=order-1', api)).toEqual([first]);
    const from = new Date(NOON.getTime() + 1).toISOString();
    expect(await listed(`subscriptionStatus=ACTIVE&createdFrom=${from}`, api)).toEqual([fourth, third]);
    const page = await api.get('/v2/subscriptions/list?subscriptionStatus=ACTIVE&limit=2');
    const { next } = page.json.pagination ?? {};
    expect(await listed(`subscriptionStatus=ACTIVE&limit=2&after=${next}`, api)).toEqual([first]);
    expect(await api.get('/v2/subscriptions/list?subscriptionStatus=ACTIVE&status=PAID')).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'subscriptionStatus' }] },
    });
    for (const path of ['subscriptions/list', 'checkouts/list'])
      expect(dataOf(await api.get(`/v2/${path}?id=${cancelledOne}`))).toMatchObject([
        {
          subscriptionId: expect.stringMatching(/^subs_/),
          subscriptionStatus: 'CANCELLED',
          subscriptionState: 'CANCELLED',
        },
      ]);
    expect(dataOf(await api.get(`/v2/checkouts/get?id=${first}`))).toMatchObject({
      subscriptionStatus: 'ACTIVE',
      subscriptionState: 'ACTIVE',
    });
  });
});

describe('the record of a subscription', () => {
  const get = async (id: string, api = app.api) => api.get(`/v2/subscriptions/get?id=${id}`);

  it('returns every field of contract section 6', async () => {
    const { id, checkoutId } = await insertSubscription(shop(), {
      externalId: 'account-2',
      metadata: { plan: 'gold' },
      coupons: ['WELCOME'],
    });
    expect(dataOf(await get(id))).toEqual({
      id,
      checkoutId,
      addOns: [],
      externalId: 'account-2',
      metadata: { plan: 'gold' },
      customerId: null,
      customerNamedBy: null,
      amount: 5_000,
      items: [{ id: expect.stringMatching(/^prod_/), quantity: 1 }],
      currency: 'BRL',
      method: 'CARD',
      status: 'ACTIVE',
      state: 'ACTIVE',
      frequency: 'MONTHLY',
      usageCycle: null,
      discount: null,
      coupons: ['WELCOME'],
      devMode: true,
      trialDays: null,
      trialEndsAt: null,
      retryPolicy: { maxRetry: 3, retryEvery: 1 },
      debitRetryPolicy: null,
      currentCycle: { number: 1, startsAt: NOON.toISOString(), endsAt: '2027-01-02T15:00:00.000Z' },
      mandateId: null,
      currentCharge: null,
      usage: { installmentNumber: 2, amount: 0, chargedAt: '2027-01-02T15:00:00.000Z', products: [] },
      pendingUpdate: null,
      nextChargeAt: '2027-01-02T15:00:00.000Z',
      failedAttempts: 0,
      card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2049 },
      pausedAt: null,
      pausedDueTo: null,
      resumesAt: null,
      cancelAt: null,
      canceledAt: null,
      cancelPolicy: null,
      cancelledDueTo: null,
      finalUsage: null,
      portalUrl: null,
      createdAt: NOON.toISOString(),
      updatedAt: NOON.toISOString(),
    });
  });

  it('shows usage of the cycle and the pending plan change', async () => {
    workflow = 'active';
    const { id } = await insertSubscription(shop());
    const { id: productId } = await buildProduct(app.api, { price: 5 });
    const usage = { id, productId, units: 120, action: 'add' };
    dataOf(await app.api.post('/v2/subscriptions/record-usage', usage));
    const wanted = await plan({ price: 6_000 });
    const update = dataOf(
      await app.api.post('/v2/subscriptions/change-plan', { id, productId: wanted.id, quantity: 2 }),
    );
    expect(dataOf(await get(id))).toMatchObject({
      usage: { installmentNumber: 2, amount: 600 },
      pendingUpdate: update,
    });
    expect(update).toMatchObject({ newAmount: 12_000, status: 'PENDING' });
  });

  it('returns the time of the next charge and the number of declines', async () => {
    const nextChargeAt = async (changes: Partial<Subscription>) => {
      const { id } = await insertSubscription(shop(), changes);
      const shown = dataOf<ShownSubscription>(await get(id));
      return [shown.nextChargeAt, shown.failedAttempts];
    };
    const [cycleEnd, soon] = ['2027-01-02T15:00:00.000Z', '2026-12-05T15:00:00.000Z'];
    expect(await nextChargeAt({})).toEqual([cycleEnd, 0]);
    expect(await nextChargeAt({ failedAttempts: 2, attemptDueAt: new Date(soon) })).toEqual([soon, 2]);
    // This attempt was made and has not ended.
    expect(await nextChargeAt({ failedAttempts: 1, attemptDueAt: NOON })).toEqual([cycleEnd, 1]);
    expect(await nextChargeAt({ status: 'CANCELLED', canceledAt: NOW })).toEqual([null, 0]);
  });

  it('shows a trial', async () => {
    const trialEndsAt = new Date('2026-12-09T15:00:00.000Z');
    const { id } = await insertSubscription(shop(), { trialDays: 7, trialEndsAt, cycleNumber: 0 });
    expect(dataOf(await get(id))).toMatchObject({
      trialDays: 7,
      trialEndsAt: trialEndsAt.toISOString(),
      currentCycle: { number: 0 },
    });
  });

  it("shows the current cycle's PIX charge while it can be paid", async () => {
    const subscription = await insertSubscription(shop(), { method: 'PIX', cycleNumber: 2 });
    const { id, checkoutId } = subscription;
    const checkout = await kept(checkoutId);
    const attempt = async (number: number, closesAt: string) => {
      const cycleId = mintId<CycleId>('cycle', NOON);
      await app.database.em.fork().insert(CycleEntity, {
        id: cycleId,
        subscriptionId: id,
        number,
        status: 'PENDING',
        amountCents: 5_000,
        usageCents: 0,
        startsAt: NOON,
        endsAt: NOON,
        paidByChargeId: null,
        createdAt: NOON,
      });
      const closes = new Date(closesAt);
      return insertCharge(shop(), checkout, 'PIX', { cycleId, expiresAt: closes, closesAt: closes });
    };
    const earlier = await attempt(1, '2026-12-05T15:00:00.000Z');
    const charge = await attempt(2, '2026-12-04T15:00:00.001Z');
    expect(dataOf<ShownSubscription>(await get(id)).currentCharge).toEqual({
      id: charge.id,
      status: 'PENDING',
      expiresAt: '2026-12-04T15:00:00.001Z',
      url: `${app.api.url}/pay/${checkoutId}/${charge.id}`,
      brCode: charge.brCode,
    });
    const em = app.database.em.fork();
    await em.execute('update charges set closes_at = ? where id = ?', [NOW, charge.id]);
    expect(dataOf<ShownSubscription>(await get(id)).currentCharge).toBeNull();
    await em.execute(`update charges set status = 'EXPIRED' where id = ?`, [charge.id]);
    expect(dataOf<ShownSubscription>(await get(id)).currentCharge).toBeNull();
    expect(earlier.status).toBe('PENDING');
  });

  it('returns 404 for a subscription of another store or environment', async () => {
    const { id } = await insertSubscription(shop());
    const neverWas = await get('subs_0');
    expect(neverWas).toMatchObject({ status: 404, json: { error: 'Subscription not found' } });
    for (const client of [elsewhere, production]) expect((await get(id, client)).text).toBe(neverWas.text);
  });
});

describe('pausing', () => {
  const post = (path: string, body: object) => app.api.post(`/v2/subscriptions/${path}`, body);

  it('shows the pause and its end, and no next charge, until it is resumed', async () => {
    const { id, cycleEndsAt } = await insertSubscription(shop());
    const until = new Date(NOW.getTime() + 90 * 24 * 60 * 60 * 1_000).toISOString();
    const paused = { state: 'PAUSED', pausedAt: NOW.toISOString(), resumesAt: until, nextChargeAt: null };
    expect(dataOf(await post('pause', { id, until }))).toMatchObject(paused);
    const nextChargeAt = cycleEndsAt.toISOString();
    const resumed = { state: 'ACTIVE', pausedAt: null, resumesAt: null, nextChargeAt };
    expect(dataOf(await post('resume', { id }))).toMatchObject(resumed);
  });

  it.each([
    ['is over', -1],
    ['is more than two years ahead', 800],
  ])('refuses an end that %s, and pauses nothing', async (_, days) => {
    const { id } = await insertSubscription(shop());
    const until = new Date(NOW.getTime() + days * 24 * 60 * 60 * 1_000).toISOString();
    const answer = await post('pause', { id, until });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'PAUSE_END_OUT_OF_RANGE' } });
    expect(dataOf(await app.api.get(`/v2/subscriptions/get?id=${id}`))).toMatchObject({ state: 'ACTIVE' });
  });
});

describe('changing a trial', () => {
  const update = (body: object) => app.api.post('/v2/subscriptions/update', body);
  const trialEndsAt = new Date(NOW.getTime() + 7 * 24 * 60 * 60 * 1_000);
  const onTrial = { trialDays: 7, trialEndsAt, cycleEndsAt: trialEndsAt, cycleNumber: 0 };

  it('moves its end to a day, or to now', async () => {
    const { id } = await insertSubscription(shop(), onTrial);
    const later = new Date(NOW.getTime() + 20 * 24 * 60 * 60 * 1_000).toISOString();
    const moved = { state: 'TRIALING', trialEndsAt: later, nextChargeAt: later };
    expect(dataOf(await update({ id, trialEnd: later }))).toMatchObject(moved);
    expect(dataOf(await update({ id, trialEnd: 'now' }))).toMatchObject({ trialEndsAt: NOW.toISOString() });
  });

  it.each([
    ['TRIAL_END_OUT_OF_RANGE', onTrial, -1],
    ['TRIAL_END_OUT_OF_RANGE', onTrial, 800],
    ['NOT_IN_TRIAL', {}, 5],
    ['NOT_IN_TRIAL', { ...onTrial, pausedAt: NOW }, 5],
  ])('returns %s for a subscription with %j and %d days', async (rule, changes, days) => {
    const { id } = await insertSubscription(shop(), changes);
    const trialEnd = new Date(NOW.getTime() + days * 24 * 60 * 60 * 1_000).toISOString();
    expect(await update({ id, trialEnd })).toMatchObject({ status: 422, json: { rule } });
  });

  it('returns the subscription to a retry after its trial was ended', async () => {
    const { id } = await insertSubscription(shop(), { ...onTrial, trialEndsAt: NOW, cycleNumber: 1 });
    expect((await update({ id, trialEnd: 'now' })).status).toBe(200);
  });

  it('names the fields of which a request must have one', async () => {
    const { id } = await insertSubscription(shop(), onTrial);
    for (const body of [{ id }, { id, trialEnd: 'now', metadata: {} }]) {
      const answer = await update(body);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('exactly one of card, method, quantity, addOns, trialEnd and metadata');
    }
  });
});

describe('changing the quantity', () => {
  const update = (body: object) => app.api.post('/v2/subscriptions/update', body);

  it('asks the workflow for another quantity at the present price', async () => {
    const { id, plan } = await insertSubscription(shop());
    expect((await update({ id, quantity: 5 })).status).toBe(200);
    expect(changes.at(-1)).toMatchObject({ productId: plan.productId, quantity: 5, keepsPrice: true });
  });

  it('asks for a quantity that starts now, and for how it is charged', async () => {
    const { id } = await insertSubscription(shop());
    expect((await update({ id, quantity: 2, when: 'now', proration: 'full' })).status).toBe(200);
    expect(changes.at(-1)).toMatchObject({ quantity: 2, keepsPrice: true, proration: 'FULL' });
    const other = await insertSubscription(shop());
    expect((await update({ id: other.id, quantity: 3, when: 'now' })).status).toBe(200);
    expect(changes.at(-1)).toMatchObject({ quantity: 3, proration: 'DIFFERENCE' });
  });

  it.each([
    [{ quantity: 2, proration: 'full' }, 'proration'],
    [{ metadata: {}, when: 'now' }, 'when'],
  ])('returns 400 for %j', async (body, path) => {
    const { id } = await insertSubscription(shop());
    expect(await update({ id, ...body })).toMatchObject({ status: 400, json: { issues: [{ path }] } });
  });

  it('returns 422 for a quantity that starts now while a cycle is unpaid', async () => {
    const { id } = await insertSubscription(shop(), { attemptDueAt: new Date() });
    const answer = await update({ id, quantity: 2, when: 'now' });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'CHANGE_NOT_POSSIBLE_NOW' } });
  });

  it('returns 422 if the price would exceed the maximum, and asks nobody', async () => {
    const { id, plan } = await insertSubscription(shop());
    const dear = { plan: { ...plan, unitPriceCents: 10_000 } };
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, dear);
    const before = changes.length;
    const answer = await update({ id, quantity: 1_000_000 });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'TOTAL_TOO_LARGE' } });
    expect(changes).toHaveLength(before);
  });
});

it('links to the portal of its customer', async () => {
  const { id: customerId } = await insertCustomer(shop());
  const { id } = await insertSubscription(shop(), { customerId });
  const shown = dataOf(await app.api.get(`/v2/subscriptions/get?id=${id}`));
  expect(shown).toMatchObject({ portalUrl: `${app.deps.publicUrl}/portal/${customerId}` });
});

it('replaces the metadata of an active subscription', async () => {
  const update = (id: string) =>
    app.api.post('/v2/subscriptions/update', { id, metadata: { seats: 3, plan: 'pro' } });
  const { id } = await insertSubscription(shop(), { metadata: { seats: 1, old: true } });
  expect(dataOf(await update(id))).toMatchObject({ metadata: { seats: 3, plan: 'pro' } });
  const { id: ended } = await insertSubscription(shop(), { status: 'CANCELLED' });
  expect((await update(ended)).status).toBe(404);
  expect((await elsewhere.post('/v2/subscriptions/update', { id, metadata: {} })).status).toBe(404);
});

describe('charging an overdue cycle now', () => {
  const pay = (id: string) => app.api.post('/v2/subscriptions/pay', { id });
  const overdue = { failedAttempts: 2, cycleNumber: 2 };
  const keptPastDue = { ...overdue, pausedAt: NOW, pauseCause: 'PAST_DUE' as const };

  it('shows a cycle that waits for its payer as past due, and asks its workflow', async () => {
    const { id } = await insertSubscription(shop(), keptPastDue);
    const shown = { state: 'PAST_DUE', pausedAt: null, pausedDueTo: null, nextChargeAt: null };
    expect(dataOf(await pay(id))).toMatchObject(shown);
    expect(paid).toContain(id);
  });

  it('returns 422 after ten attempts on request, and asks nobody', async () => {
    const { id } = await insertSubscription(shop(), { ...keptPastDue, extraAttempts: 10 });
    const answer = await pay(id);
    expect(answer).toMatchObject({ status: 422, json: { rule: 'TOO_MANY_REQUESTED_ATTEMPTS' } });
    expect(paid).not.toContain(id);
  });

  it('returns 404 for a subscription that has ended before or meanwhile', async () => {
    const { id: ended } = await insertSubscription(shop(), { status: 'CANCELLED' });
    expect((await pay(ended)).status).toBe(404);
    const { id } = await insertSubscription(shop(), overdue);
    workflow = 'cancelled first';
    expect((await pay(id)).status).toBe(404);
    workflow = 'active';
  });
});

describe('cancelling with the end of the period', () => {
  const post = (path: string, body: object, api = app.api) => api.post(`/v2/subscriptions/${path}`, body);

  it('shows the end ahead, and nothing of it once it is resumed', async () => {
    const { id, cycleEndsAt } = await insertSubscription(shop());
    const cancelAt = cycleEndsAt.toISOString();
    const ending = {
      status: 'ACTIVE',
      state: 'CANCELLING',
      cancelAt,
      nextChargeAt: null,
      cancelPolicy: null,
    };
    expect(dataOf(await post('cancel', { id, atPeriodEnd: true }))).toMatchObject(ending);
    const again = { status: 'ACTIVE', state: 'ACTIVE', cancelAt: null, nextChargeAt: cancelAt };
    expect(dataOf(await post('resume', { id }))).toMatchObject(again);
    expect(cancelled).not.toContain(id);
  });

  it('returns 404 when resuming what has ended, also meanwhile, or belongs to others', async () => {
    const { id } = await insertSubscription(shop(), { status: 'CANCELLED' });
    expect(await post('resume', { id })).toMatchObject({ status: 404, json: NOT_ACTIVE });
    const other = await insertSubscription(shop());
    expect(await post('resume', { id: other.id }, elsewhere)).toMatchObject({ status: 404 });
    workflow = 'cancelled first';
    expect(await post('resume', { id: other.id })).toMatchObject({ status: 404, json: NOT_ACTIVE });
    workflow = 'active';
  });

  it('names a wrong atPeriodEnd', async () => {
    const { id } = await insertSubscription(shop());
    const answer = await post('cancel', { id, atPeriodEnd: 'yes' });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.json)).toContain('atPeriodEnd');
  });
});

describe('cancelling a subscription', () => {
  const cancel = (id: string, api = app.api) => api.post('/v2/subscriptions/cancel', { id });

  it('cancels a subscription once and then returns 404', async () => {
    const { id } = await insertSubscription(shop());
    expect(dataOf(await cancel(id))).toMatchObject({
      id,
      status: 'CANCELLED',
      cancelPolicy: 'NOW',
      canceledAt: NOW.toISOString(),
      cancelledDueTo: null,
    });
    expect(await cancel(id)).toMatchObject({ status: 404, json: NOT_ACTIVE });
    expect(cancelled.filter((cancelledId) => cancelledId === id)).toHaveLength(1);
  });

  it('returns the record on a retry with the key after a 503 that lost the answer', async () => {
    workflow = 'loses its answer';
    const { id } = await insertSubscription(shop());
    const withKey = () =>
      app.api.post('/v2/subscriptions/cancel', { id }, { headers: { 'Idempotency-Key': `cancel-${id}` } });
    expect((await withKey()).status).toBe(503);
    workflow = 'active';
    for (const answer of [await withKey(), await withKey()])
      expect(dataOf(answer)).toMatchObject({ id, status: 'CANCELLED', canceledAt: NOW.toISOString() });
    expect(cancelled.filter((cancelledId) => cancelledId === id)).toHaveLength(1);
  });

  it('returns 404 if failed charges ended the subscription, also with a key', async () => {
    const ended = { status: 'CANCELLED', cancelledDueTo: 'max_payment_retries_exceeded' } as const;
    const { id } = await insertSubscription(shop(), ended);
    const options = { headers: { 'Idempotency-Key': `cancel-${id}` } };
    const answer = await app.api.post('/v2/subscriptions/cancel', { id }, options);
    expect(answer).toMatchObject({ status: 404, json: NOT_ACTIVE });
  });

  it("returns 404 when cancelling an unknown, another store's or production's id", async () => {
    const { id } = await insertSubscription(shop());
    for (const answer of [
      await cancel('subs_0'),
      await cancel(id, elsewhere),
      await cancel(id, production),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: NOT_ACTIVE });
    }
    expect(cancelled).not.toContain(id);
  });
});

describe('changing the plan', () => {
  const change = (id: string, body: object, api = app.api) =>
    api.post('/v2/subscriptions/change-plan', { id, quantity: 1, ...body });

  it('returns the plan change that is pending until the next cycle', async () => {
    workflow = 'active';
    const { id } = await insertSubscription(shop());
    const product = await plan({ price: 9_900, cycle: 'ANNUALLY' });
    const answer = dataOf<{ id: string }>(await change(id, { productId: product.id, quantity: 3 }));
    expect(answer).toEqual({
      devMode: true,
      id: expect.stringMatching(/^subu_[0-9A-Z]{26}$/),
      subscriptionId: id,
      addOns: [],
      status: 'PENDING',
      productId: product.id,
      quantity: 3,
      newAmount: 29_700,
      when: 'next_cycle',
      proration: null,
      requestedAt: NOW.toISOString(),
    });
    expect(changes.at(-1)).toEqual({ planUpdateId: answer.id, productId: product.id, quantity: 3 });
  });

  it.each<Workflow>(['cancelled first', 'refuses'])(
    'returns 404 for a plan change if the workflow state is: %s',
    async (outcome) => {
      workflow = outcome;
      const { id } = await insertSubscription(shop());
      const answer = await change(id, { productId: (await plan()).id });
      expect(answer).toMatchObject({ status: 404, json: NOT_ACTIVE });
    },
  );

  it('requests the same change again for a repeated Idempotency-Key', async () => {
    workflow = 'cancelled first';
    const { id } = await insertSubscription(shop());
    const body = { id, productId: (await plan()).id, quantity: 1 };
    const before = changes.length;
    for (const key of [`first-${id}`, `first-${id}`, `second-${id}`])
      await app.api.post('/v2/subscriptions/change-plan', body, { headers: { 'Idempotency-Key': key } });
    const [first, again, another] = changes.slice(before).map(({ planUpdateId }) => planUpdateId);
    expect(again).toBe(first);
    expect(another).not.toBe(first);
  });

  it("returns 404 when changing a cancelled, unknown or another store's plan", async () => {
    const productId = (await plan()).id;
    const { id } = await insertSubscription(shop());
    const { id: ended } = await insertSubscription(shop(), { status: 'CANCELLED' });
    const before = changes.length;
    for (const answer of [
      await change(ended, { productId }),
      await change('subs_0', { productId }),
      await change(id, { productId }, elsewhere),
      await change(id, { productId }, production),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: NOT_ACTIVE });
    }
    expect(changes).toHaveLength(before);
  });

  it.each<[string, () => Promise<object>, string]>([
    [
      'to a product without a cycle',
      async () => ({ productId: (await buildProduct(app.api)).id }),
      'productId',
    ],
    ['to an unknown product', async () => ({ productId: 'prod_0' }), 'productId'],
    [
      'to a product of another store',
      async () => ({ productId: (await plan({}, elsewhere)).id }),
      'productId',
    ],
    [
      'that costs one cent too much',
      async () => ({ productId: (await plan({ price: 5_000_000_000 })).id, quantity: 2 }),
      'quantity',
    ],
  ])('returns 422 naming the field for a change %s', async (_, body, path) => {
    const { id, plan } = await insertSubscription(shop());
    const dear = { plan: { ...plan, unitPriceCents: 10_000 } };
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, dear);
    const before = changes.length;
    const answer = await change(id, await body());
    expect(answer).toMatchObject({ status: 422, json: { code: 'NOT_ACCEPTABLE', issues: [{ path }] } });
    expect(changes).toHaveLength(before);
  });
});

it('returns 503 for cancel and change-plan without Temporal and changes nothing', async () => {
  const offline = await createTestApp({ starter: { startSoon: () => {} } });
  const { database, storeId } = offline;
  const { id } = await insertSubscription({ database, storeId });
  const productId = (await plan({}, offline.api)).id;
  for (const [path, body] of [
    ['cancel', { id }],
    ['change-plan', { id, productId, quantity: 1 }],
  ] as const) {
    const answer = await offline.api.post(`/subscriptions/${path}`, body);
    expect(answer).toMatchObject({ status: 503, json: { code: 'TEMPORARILY_UNAVAILABLE' } });
  }
  expect(dataOf(await offline.api.get(`/subscriptions/get?id=${id}`))).toMatchObject({ status: 'ACTIVE' });
  expect(await database.em.fork().count(PlanUpdateEntity)).toBe(0);
  await offline.close();
});

it('returns the subscription of a paid checkout from simulate-payment', async () => {
  const { id, checkoutId } = await insertSubscription(shop());
  await app.database.em
    .fork()
    .nativeUpdate(CheckoutEntity, { id: checkoutId }, { status: 'PAID', subscriptionId: id });
  expect(dataOf(await app.api.post('/checkouts/simulate-payment', { id: checkoutId }))).toMatchObject({
    id: checkoutId,
    subscriptionId: id,
  });
});
