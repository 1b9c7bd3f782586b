import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownMandate } from '../../src/api/mandates/schema.ts';
import { endMandates } from '../../src/mandates/end-mandates.ts';
import { mandateEffects } from '../../src/run/mandate-effects.ts';
import type { ShownSubscription } from '../../src/wire/subscription/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildProduct } from '../support/rows/catalog.ts';

const ANA = { name: 'Ana Souza', taxId: '52998224725' };

let app: MoneyApp;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = (await app.anotherStore()).api;
});

async function post<Data = { readonly id: string }>(path: string, body: object = {}): Promise<Data> {
  return dataOf<Data>(await api.post(`/v2/${path}`, body));
}

/** Ends unwanted mandates at the bank, as the rounds do. */
async function endedByRounds(): Promise<void> {
  const { parts } = app;
  const deps = {
    ...parts,
    ...mandateEffects(parts),
    publicUrl: app.api.url,
    platformFee: TEST_CONFIG.platformFee,
  };
  await endMandates(deps, new Date(), () => {});
}

interface Order {
  readonly pixAutomatic?: 'fixed' | 'variable';
  readonly trialDays?: number;
  readonly method?: 'PIX' | 'CARD';
  readonly coupon?: string;
}

/** @returns the id of a subscription of R$ 49.00 a month. */
async function subscribed({ pixAutomatic, trialDays, method = 'PIX', coupon }: Order = {}): Promise<string> {
  const more = trialDays === undefined ? {} : { trialDays };
  const { id: productId } = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY', ...more });
  const { id } = await post('subscriptions/create', {
    items: [{ id: productId, quantity: 1 }],
    methods: [method],
    ...(pixAutomatic && { pixAutomatic }),
    ...(coupon && { coupons: [coupon] }),
  });
  const payment = { id, payer: ANA, ...(coupon && { coupon }) };
  return (await post<{ subscriptionId: string }>('checkouts/simulate-payment', payment)).subscriptionId;
}

const subscription = async (id: string) =>
  dataOf<ShownSubscription>(await api.get(`/v2/subscriptions/get?id=${id}`));

/** Half a day after the cycle of a subscription has ended, however long its month is. */
async function afterCycle(id: string): Promise<void> {
  const { endsAt } = (await subscription(id)).currentCycle;
  await advance(api, { to: new Date(Date.parse(endsAt) + 12 * 60 * 60 * 1_000).toISOString() });
}

/** Newest first. */
const mandatesOf = async (id: string) =>
  dataOf<ShownMandate[]>(await api.get(`/v2/mandates/list?subscriptionId=${id}`));

const request = (subscriptionId: string, more: object = {}) =>
  post<ShownMandate>('mandates/create', { subscriptionId, ...more });

const answer = (id: string | undefined, word: 'accept' | 'refuse' | 'cancel') =>
  post<ShownMandate>('dev/mandates/answer', { id, answer: word });

const events = async (name: string) =>
  dataOf<{ data: Record<string, unknown> }[]>(await api.get(`/v2/events/list?name=${name}`));

describe('an authorization without a payment', () => {
  it('waits for its payer in a trial, and debits the first charge', async () => {
    const id = await subscribed({ pixAutomatic: 'fixed', trialDays: 14 });
    const [mandate] = await mandatesOf(id);
    expect(mandate).toMatchObject({ status: 'PENDING', amount: 4_900, brCode: expect.any(String) });
    expect(mandate?.url).toContain(`/authorize/${mandate?.id}`);
    expect((await subscription(id)).mandateId).toBeNull();
    expect((await events('subscription.authorization_requested'))[0]?.data).toMatchObject({
      mandateId: mandate?.id,
      url: mandate?.url,
    });
    await answer(mandate?.id, 'accept');
    expect(await subscription(id)).toMatchObject({ mandateId: mandate?.id, state: 'TRIALING' });
    await advance(api, { by: 'P15D' });
    expect((await mandatesOf(id))[0]?.debits).toMatchObject([{ cycleNumber: 1, status: 'PAID' }]);
    expect(await subscription(id)).toMatchObject({ state: 'ACTIVE', currentCycle: { number: 1 } });
  });

  it('waits for its payer if a coupon covers the first payment', async () => {
    const coupon = { code: 'PRIMEIRO', discountKind: 'PERCENTAGE', discount: 100 };
    await post('coupons/create', coupon);
    const id = await subscribed({ pixAutomatic: 'fixed', coupon: 'PRIMEIRO' });
    const [mandate] = await mandatesOf(id);
    await answer(mandate?.id, 'accept');
    await advance(api, { by: 'P33D' });
    expect((await mandatesOf(id))[0]?.debits).toMatchObject([{ cycleNumber: 2, status: 'PAID' }]);
  });

  it('debits a subscription that was paid by codes', async () => {
    const id = await subscribed();
    const mandate = await request(id, { pixAutomatic: 'variable' });
    expect(mandate).toMatchObject({ status: 'PENDING', amountKind: 'VARIABLE', amount: null });
    await answer(mandate.id, 'accept');
    await advance(api, { by: 'P33D' });
    expect((await mandatesOf(id))[0]).toMatchObject({
      status: 'ACTIVE',
      brCode: null,
      url: null,
      debits: [{ cycleNumber: 2, status: 'PAID' }],
    });
  });

  it('replaces a card', async () => {
    const id = await subscribed({ method: 'CARD' });
    const mandate = await request(id);
    expect(await subscription(id)).toMatchObject({ method: 'CARD', mandateId: null });
    await answer(mandate.id, 'accept');
    expect(await subscription(id)).toMatchObject({ method: 'PIX', mandateId: mandate.id, card: null });
    expect(await events('subscription.payment_method_changed')).toHaveLength(1);
    await advance(api, { by: 'P33D' });
    expect((await mandatesOf(id))[0]?.debits).toMatchObject([{ cycleNumber: 2, status: 'PAID' }]);
  });

  it('changes nothing if the payer refuses', async () => {
    const id = await subscribed({ method: 'CARD' });
    const mandate = await request(id);
    expect(await answer(mandate.id, 'refuse')).toMatchObject({ status: 'REJECTED' });
    expect(await subscription(id)).toMatchObject({ method: 'CARD', status: 'ACTIVE', mandateId: null });
    expect((await events('subscription.authorization_refused'))[0]?.data).toMatchObject({
      mandateId: mandate.id,
    });
    expect((await request(id)).id).not.toBe(mandate.id);
  });

  it('expires if its payer never answers', async () => {
    const id = await subscribed({ pixAutomatic: 'fixed', trialDays: 14 });
    await advance(api, { by: 'P9D' });
    expect((await mandatesOf(id))[0]).toMatchObject({ status: 'EXPIRED', brCode: null });
    await advance(api, { by: 'P6D' });
    expect((await subscription(id)).currentCharge).toMatchObject({ brCode: expect.any(String) });
  });

  it('answers ten requests at once with one request', async () => {
    const id = await subscribed();
    const asked = await Promise.all(Array.from({ length: 10 }, () => request(id)));
    expect(new Set(asked.map((mandate) => mandate.id)).size).toBe(1);
    expect(await mandatesOf(id)).toHaveLength(1);
    expect(await events('subscription.authorization_requested')).toHaveLength(1);
    await answer(asked[0]?.id, 'accept');
    expect(await request(id)).toMatchObject({ id: asked[0]?.id, status: 'ACTIVE' });
  });

  it('asks a payer ten times within a day at most', async () => {
    const id = await subscribed();
    for (let asked = 0; asked < 10; asked += 1) await answer((await request(id)).id, 'refuse');
    const { status, json } = await api.post('/v2/mandates/create', { subscriptionId: id });
    expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining('10 times within a day')]);
    await advance(api, { by: 'P1DT1H' });
    expect(await request(id)).toMatchObject({ status: 'PENDING' });
  });

  it('asks again for the newest plan if an older request is accepted first', async () => {
    const id = await subscribed({ pixAutomatic: 'fixed' });
    const older = await request(id, { pixAutomatic: 'variable' });
    await answer(older.id, 'accept');
    const fixed = await request(id, { pixAutomatic: 'fixed' });
    const { id: productId } = await buildProduct(api, { price: 7_900, cycle: 'MONTHLY' });
    await post('subscriptions/change-plan', { id, productId, quantity: 1 });
    await answer(fixed.id, 'accept');
    await advance(api, { by: 'PT1H' });
    expect((await mandatesOf(id))[0]).toMatchObject({ status: 'PENDING', amount: 7_900 });
  });

  it('refuses a subscription that has ended, and one of another store', async () => {
    const id = await subscribed();
    const { api: other } = await app.anotherStore();
    expect((await other.post('/v2/mandates/create', { subscriptionId: id })).status).toBe(404);
    await post('subscriptions/cancel', { id });
    expect((await api.post('/v2/mandates/create', { subscriptionId: id })).status).toBe(404);
  });
});

describe('a change of plan', () => {
  /** @returns a subscription that is debited, after its change to R$ 79.00 from the next cycle on. */
  async function changed(): Promise<string> {
    const id = await subscribed({ pixAutomatic: 'fixed' });
    await advance(api, { by: 'P22D' });
    const { id: productId } = await buildProduct(api, { price: 7_900, cycle: 'MONTHLY' });
    await post('subscriptions/change-plan', { id, productId, quantity: 1 });
    await advance(api, { by: 'PT1H' });
    return id;
  }

  it('asks for another authorization, which debits the new price', async () => {
    const id = await changed();
    const [asked, before] = await mandatesOf(id);
    expect([asked, before]).toMatchObject([
      { status: 'PENDING', amount: 7_900 },
      { status: 'ACTIVE', amount: 4_900 },
    ]);
    expect((await subscription(id)).mandateId).toBe(before?.id);
    await answer(asked?.id, 'accept');
    await advance(api, { by: 'P11D' });
    const [now, old] = await mandatesOf(id);
    expect(now).toMatchObject({ status: 'ACTIVE', debits: [{ amount: 7_900, status: 'PAID' }] });
    expect(old?.debits.filter(({ status }) => status === 'PAID')).toEqual([]);
    await endedByRounds();
    expect((await mandatesOf(id))[1]).toMatchObject({ id: before?.id, status: 'CANCELLED' });
  });

  it('leaves a code until its payer has accepted', async () => {
    const id = await changed();
    await afterCycle(id);
    expect((await subscription(id)).currentCharge?.brCode).toContain('79.00');
    const [asked] = await mandatesOf(id);
    expect(asked).toMatchObject({ status: 'EXPIRED' });
  });

  it('drops a debit that was ordered under the authorization before', async () => {
    const id = await subscribed({ pixAutomatic: 'fixed' });
    await advance(api, { by: 'P25D' });
    const [before] = await mandatesOf(id);
    expect(before?.debits).toMatchObject([{ status: 'ORDERED' }]);
    const wanted = await request(id, { pixAutomatic: 'variable' });
    await answer(wanted.id, 'accept');
    await advance(api, { by: 'P8D' });
    const [now, old] = await mandatesOf(id);
    expect(old?.debits).toMatchObject([{ status: 'DROPPED' }]);
    expect(now?.debits).toMatchObject([{ cycleNumber: 2, status: 'PAID' }]);
    expect((await subscription(id)).currentCycle.number).toBe(2);
  });
});

describe('the end of an authorization by the store', () => {
  it('leaves a code per cycle, and ends it at the bank', async () => {
    const id = await subscribed({ pixAutomatic: 'fixed' });
    await advance(api, { by: 'P25D' });
    const [mandate] = await mandatesOf(id);
    await post('mandates/cancel', { id: mandate?.id });
    await post('mandates/cancel', { id: mandate?.id });
    expect(await subscription(id)).toMatchObject({ status: 'ACTIVE', mandateId: null });
    const ended = await events('subscription.authorization_cancelled');
    expect(ended.map(({ data }) => data)).toMatchObject([{ mandateId: mandate?.id, endedBy: 'RECEIVER' }]);
    await afterCycle(id);
    expect((await subscription(id)).currentCharge).toMatchObject({ brCode: expect.any(String) });
    await endedByRounds();
    expect((await mandatesOf(id))[0]).toMatchObject({
      status: 'CANCELLED',
      endedBy: 'RECEIVER',
      debits: [{ status: 'DROPPED' }],
    });
  });

  it('withdraws a request, which nobody can accept any more', async () => {
    const id = await subscribed();
    const mandate = await request(id);
    expect(await post('mandates/cancel', { id: mandate.id })).toMatchObject({ url: null, brCode: null });
    await answer(mandate.id, 'accept');
    expect((await subscription(id)).mandateId).toBeNull();
    await endedByRounds();
    expect((await mandatesOf(id))[0]).toMatchObject({ status: 'CANCELLED' });
  });
});
