import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEntity } from '../../src/database/entities/event.ts';
import { SandboxDisputeEntity } from '../../src/database/entities/sandbox-dispute.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp, spend } from '../support/api/money-app.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildCoupon } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { buildPaidCheckout, buildPaidLink, buildPaidPix, chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

const NOTHING = { available: 0, pending: 0, blocked: 0 };

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
/** Gives each test a store of its own, so that balances start at zero. */
const openStore = async () => {
  ({ storeId, api } = await app.anotherStore());
};

type Step = 'open' | 'win' | 'lose';
const ask = (step: Step, id: string, more: object = {}, client = api, options = {}) =>
  client.post(`/v2/dev/disputes/${step}`, { id, ...more }, options);
const simulate = async (step: Step, id: string, more: object = {}) =>
  dataOf<{ id: string; status: string; checkoutId?: string }>(await ask(step, id, more));
const checkoutOf = async (id: string) =>
  dataOf<{ status: string }>(await api.get(`/v2/checkouts/get?id=${id}`));
/** Names of refund and dispute events with their reasons, oldest first. */
const eventsOf = async () => {
  const events = await app.database.em
    .fork()
    .find(EventEntity, { storeId }, { orderBy: { createdAt: 'asc' } });
  return events
    .filter(({ name }) => /\.(?:refunded|disputed|lost)$/.test(name))
    .map(({ name, data }) => [name, JSON.parse(data).reason]);
};
const INVALID_STATE = { status: 422, json: { code: 'INVALID_STATE' } };

describe('a dispute', () => {
  it('blocks the whole payment when a dispute is opened', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    expect(await simulate('open', id, { reason: 'Não reconheço' })).toEqual({
      id,
      devMode: true,
      status: 'UNDER_DISPUTE',
    });
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 2_500 });
    expect(await chargeOf(api, id)).toMatchObject({
      status: 'UNDER_DISPUTE',
      receiptUrl: expect.stringContaining(id),
    });
    expect(dataOf(await api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({
      status: 'UNDER_DISPUTE',
    });
    expect(dataOf(await api.get('/v2/transparents/list?status=UNDER_DISPUTE'))).toMatchObject([{ id }]);
    expect(await eventsOf()).toEqual([['transparent.disputed', 'Não reconheço']]);
  });

  it('keeps one dispute when it is opened again', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const first = await simulate('open', id);
    expect(await simulate('open', id, { reason: 'Outra vez' })).toEqual(first);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 2_500 });
    expect(await eventsOf()).toEqual([['transparent.disputed', null]]);
  });

  it('returns the money of a won dispute once and publishes no event', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await simulate('open', id);
    expect(await simulate('win', id)).toEqual({ id, devMode: true, status: 'PAID' });
    expect(await simulate('win', id)).toEqual({ id, devMode: true, status: 'PAID' });
    expect(await balanceOf(api)).toEqual({ available: 2_420, pending: 0, blocked: 0 });
    expect(await eventsOf()).toHaveLength(1);
  });

  it('refunds the payer once when a dispute is lost', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await simulate('open', id, { reason: 'Fraude' });
    expect(await simulate('lose', id)).toEqual({ id, devMode: true, status: 'REFUNDED' });
    expect(await simulate('lose', id)).toEqual({ id, devMode: true, status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await eventsOf()).toEqual([
      ['transparent.disputed', 'Fraude'],
      ['transparent.lost', 'Fraude'],
    ]);
  });

  it('accepts another dispute after a won one, which may be lost', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await simulate('open', id);
    await simulate('win', id);
    await simulate('open', id);
    expect(await ask('open', id)).toMatchObject({ status: 200 });
    expect(await simulate('lose', id)).toMatchObject({ status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await ask('win', id)).toMatchObject(INVALID_STATE);
  });

  it('leaves a negative balance if the disputed money was paid out', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await spend(app, storeId, 2_000);
    await simulate('open', id);
    expect(await balanceOf(api)).toEqual({ available: -2_000, pending: 0, blocked: 2_500 });
    await simulate('win', id);
    expect(await balanceOf(api)).toEqual({ available: 420, pending: 0, blocked: 0 });
  });
});

describe('a dispute of a payment through a checkout', () => {
  it('opens a dispute by checkout id and marks a lost checkout REFUNDED', async () => {
    await openStore();
    const { id, paymentId } = await buildPaidCheckout(api);
    const disputed = { id: paymentId, devMode: true, status: 'UNDER_DISPUTE', checkoutId: id };
    expect(await simulate('open', id)).toEqual(disputed);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 5_000 });
    expect(await checkoutOf(id)).toMatchObject({ status: 'PAID' });
    expect(await simulate('lose', paymentId)).toEqual({ ...disputed, status: 'REFUNDED' });
    expect(await checkoutOf(id)).toMatchObject({ status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await eventsOf()).toEqual([
      ['checkout.disputed', null],
      ['checkout.lost', null],
    ]);
  });

  it('restores the pending balance when an unsettled payment wins its dispute', async () => {
    await openStore();
    const { id } = await buildPaidCheckout(api);
    await simulate('open', id);
    await simulate('win', id);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765, blocked: 0 });
  });

  it('disputes a single payment of a payment link, and not the link', async () => {
    await openStore();
    const { id, paymentId } = await buildPaidLink(api);
    expect(await ask('open', id)).toMatchObject({ status: 422, json: { code: 'NOT_ACCEPTABLE' } });
    expect(await simulate('open', paymentId)).toEqual({
      id: paymentId,
      devMode: true,
      status: 'UNDER_DISPUTE',
      checkoutId: id,
    });
    await simulate('lose', paymentId);
    expect(await checkoutOf(id)).toMatchObject({ status: 'PENDING' });
  });
});

describe('is refused, and changes nothing:', () => {
  it('refuses to dispute unpaid and free payments', async () => {
    await openStore();
    const { id: charge } = await buildPixCharge(api);
    const { id: unpaid } = await buildCheckout(api);
    const { id: coupon } = await buildCoupon(api, { discount: 100 });
    const { id: free } = await buildCheckout(api, { coupons: [coupon] });
    dataOf(await api.post('/v2/checkouts/simulate-payment', { id: free, coupon }));
    const atTheBank = () => app.database.em.fork().count(SandboxDisputeEntity);
    const before = await atTheBank();
    for (const id of [charge, unpaid, free]) expect(await ask('open', id)).toMatchObject(INVALID_STATE);
    expect(await atTheBank()).toBe(before);
    expect(await eventsOf()).toEqual([]);
  });

  it('refuses to dispute a refunded payment', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    dataOf(await api.post('/v2/transparents/refund', { id }));
    expect(await ask('open', id)).toMatchObject(INVALID_STATE);
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it('refuses to decide without a dispute or against an earlier decision', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    for (const step of ['win', 'lose'] as const) expect(await ask(step, id)).toMatchObject(INVALID_STATE);
    await simulate('open', id);
    await simulate('win', id);
    expect(await ask('lose', id)).toMatchObject(INVALID_STATE);
    expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
    expect(await balanceOf(api)).toEqual({ available: 2_420, pending: 0, blocked: 0 });
  });

  it('refuses every dispute request with a production key', async () => {
    const production = await app.clientWith({ devMode: false });
    for (const step of ['open', 'win', 'lose'] as const) {
      expect(await ask(step, 'pix_char_0', {}, production)).toMatchObject({
        status: 403,
        json: { code: 'WRONG_ENVIRONMENT' },
      });
    }
  });

  it("returns 404 for a dispute of another store's payment", async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const { api: stranger } = await app.anotherStore();
    for (const step of ['open', 'win', 'lose'] as const) {
      const neverWas = await ask(step, 'pix_char_0');
      expect(neverWas.status).toBe(404);
      expect((await ask(step, id, {}, stranger)).text).toBe(neverWas.text);
    }
    expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
  });

  it('refuses a dispute to a key without REFUND:CREATE', async () => {
    const client = await app.clientWith({ permissions: ['CHECKOUT:CREATE', 'CHECKOUT:READ'] });
    expect(await ask('open', 'pix_char_0', {}, client)).toMatchObject({
      status: 403,
      json: { code: 'PERMISSION_DENIED' },
    });
  });
});

describe('requests at once', () => {
  it('opens one dispute from ten requests at once', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const answers = await Promise.all(Array.from({ length: 10 }, () => simulate('open', id)));
    for (const answer of answers) expect(answer).toEqual({ id, devMode: true, status: 'UNDER_DISPUTE' });
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 2_500 });
    expect(await eventsOf()).toHaveLength(1);
  });

  it('decides a dispute once if requests win and lose it at once', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await simulate('open', id);
    const answers = await Promise.all((['win', 'lose', 'win', 'lose'] as const).map((step) => ask(step, id)));
    const [won, lost] = [answers[0], answers[1]].map((answer) => answer?.status === 200);
    expect(won).toBe(!lost);
    expect(answers.map(({ status }) => status)).toEqual(won ? [200, 422, 200, 422] : [422, 200, 422, 200]);
    expect(await chargeOf(api, id)).toMatchObject({ status: won ? 'PAID' : 'REFUNDED' });
    expect(await balanceOf(api)).toEqual({ ...NOTHING, available: won ? 2_420 : 0 });
  });

  it('replays a dispute request for its Idempotency-Key', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const options = { headers: { 'Idempotency-Key': `dispute-${id}` } };
    const first = await ask('open', id, {}, api, options);
    const again = await ask('open', id, {}, api, options);
    expect(dataOf(first)).toEqual({ id, devMode: true, status: 'UNDER_DISPUTE' });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });
});

describe('while Temporal is away', () => {
  it('returns 503 without Temporal and retries until the dispute is recorded', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const away = app.apiWithoutTemporal.as(api.key);
    expect(await ask('open', id, {}, away)).toMatchObject({
      status: 503,
      json: { code: 'TEMPORARILY_UNAVAILABLE' },
    });
    await eventually(async () => expect(await chargeOf(api, id)).toMatchObject({ status: 'UNDER_DISPUTE' }));
    expect((await ask('lose', id, {}, away)).status).toBe(503);
    expect(await simulate('lose', id)).toEqual({ id, devMode: true, status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual(NOTHING);
  });
});
