import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import type { ChargeId, StoreId, SubscriptionId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp, spend } from '../support/api/money-app.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import {
  buildPaidCheckout,
  buildPaidLink,
  buildPaidPix,
  chargeOf,
  payCheckout,
  takeUpSell,
} from '../support/rows/payments.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

const NOTHING = { available: 0, pending: 0, blocked: 0 };
const DAY_MS = 86_400_000;

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

type Resource = 'transparents' | 'checkouts' | 'payment-links';
const ask = (of: Resource, id: string, more: object = {}, client = api) =>
  client.post(`/v2/${of}/refund`, { id, ...more });
const refund = async (of: Resource, id: string, more: object = {}) =>
  dataOf<{ refundPublicId: string }>(await ask(of, id, more));
const checkoutOf = async (id: string) =>
  dataOf<{ status: string }>(await api.get(`/v2/checkouts/get?id=${id}`));
const chargeRow = (id: string) => app.database.em.fork().findOneOrFail(ChargeEntity, { id: id as ChargeId });
const eventsOf = async () => {
  const events = await app.database.em
    .fork()
    .find(EventEntity, { storeId }, { orderBy: { createdAt: 'asc' } });
  return events.map(({ name }) => name).filter((name) => name.endsWith('.refunded'));
};
const refusal = (code: string) => ({ status: 422, json: { code, issues: [{ path: 'id' }] } });

describe('a refund', () => {
  it('refunds a PIX charge, marks it REFUNDED and leaves no balance', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const { refundPublicId } = await refund('transparents', id, { reason: 'Pedido cancelado' });
    expect(refundPublicId).toMatch(/^tran_/);
    const { status, receiptUrl } = await chargeOf(api, id);
    expect(status).toBe('REFUNDED');
    expect(receiptUrl).toContain(id);
    expect(dataOf(await api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({ status: 'REFUNDED' });
    expect(dataOf(await api.get('/v2/transparents/list?status=REFUNDED'))).toMatchObject([{ id }]);
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await eventsOf()).toEqual(['transparent.refunded']);
    const [event] = await app.database.em.fork().find(EventEntity, { storeId, name: 'transparent.refunded' });
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ reason: 'Pedido cancelado' });
  });

  it('deducts the refund of an unsettled card payment from the pending balance', async () => {
    await openStore();
    const { id, paymentId } = await buildPaidCheckout(api);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765, blocked: 0 });
    const { refundPublicId } = await refund('checkouts', id);
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await checkoutOf(id)).toMatchObject({ status: 'REFUNDED' });
    expect(await eventsOf()).toEqual(['checkout.refunded']);
    // The charge's own id stands for the same payment.
    expect(await refund('checkouts', paymentId)).toEqual({
      refundPublicId,
      amount: 5_000,
      status: 'COMPLETED',
    });
  });

  it('leaves the money of other payments alone', async () => {
    await openStore();
    const [refunded, kept] = [await buildPaidPix(api), await buildPaidPix(api, { amount: 9_000 })];
    await refund('transparents', refunded);
    expect(await balanceOf(api)).toEqual({ available: 8_920, pending: 0, blocked: 0 });
    expect(await chargeOf(api, kept)).toMatchObject({ status: 'PAID' });
  });

  it('accepts a charge id with another prefix', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await refund('transparents', id.replace(/^pix_char_/, 'char_'));
    expect(await chargeOf(api, id)).toMatchObject({ status: 'REFUNDED' });
  });

  it('returns the same refund again, whatever the reason, and sends it once', async () => {
    await openStore();
    const [id] = [await buildPaidPix(api), await buildPaidPix(api)];
    const first = await refund('transparents', id, { reason: 'Pedido cancelado' });
    expect(await refund('transparents', id, { reason: 'Outro motivo' })).toEqual(first);
    expect(await refund('transparents', id)).toEqual(first);
    expect(await balanceOf(api)).toEqual({ available: 2_420, pending: 0, blocked: 0 });
    expect(await eventsOf()).toEqual(['transparent.refunded']);
  });

  it('refunds once for ten parallel requests and returns one id', async () => {
    await openStore();
    const [id] = [await buildPaidPix(api), await buildPaidPix(api)];
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund('transparents', id)));
    expect(new Set(answers.map(({ refundPublicId }) => refundPublicId)).size).toBe(1);
    expect(await balanceOf(api)).toEqual({ available: 2_420, pending: 0, blocked: 0 });
    expect(await app.database.em.fork().count(RefundEntity, { chargeId: id as ChargeId })).toBe(1);
    expect(await eventsOf()).toEqual(['transparent.refunded']);
  });

  it('replays a refund for its Idempotency-Key and finds it under another key', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const keyed = (key: string) =>
      api.post('/v2/transparents/refund', { id }, { headers: { 'Idempotency-Key': `${key}-${id}` } });
    const first = await keyed('one');
    const again = await keyed('one');
    expect(first.status).toBe(200);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(dataOf(await keyed('two'))).toEqual(dataOf(first));
    expect(await balanceOf(api)).toEqual(NOTHING);
  });
});

describe('a refund of a part', () => {
  const paymentOf = async (id: string) =>
    dataOf<{ status: string; refundedAmount: number; refunds: { amount: number }[] }>(
      await api.get(`/v2/payments/get?id=${id}`),
    );

  it('keeps a payment PAID until the last partial refund and refunds the whole fee', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    // R$ 25.00 with a fee of 80: of 1,000 that is 32, of 333 it is 11 after rounding up.
    expect(await refund('transparents', id, { amount: 1_000 })).toMatchObject({ amount: 1_000 });
    expect(await paymentOf(id)).toMatchObject({ status: 'PAID', refundedAmount: 1_000 });
    expect(await balanceOf(api)).toEqual({ available: 2_420 - 968, pending: 0, blocked: 0 });
    await refund('transparents', id, { amount: 333 });
    expect(await balanceOf(api)).toEqual({ available: 2_420 - 968 - 322, pending: 0, blocked: 0 });

    const rest = await refund('transparents', id);
    expect(rest).toMatchObject({ amount: 1_167 });
    expect(await refund('transparents', id)).toEqual(rest);
    const amounts = [1_167, 333, 1_000].map((amount) => ({ amount, status: 'COMPLETED' }));
    expect(await paymentOf(id)).toMatchObject({
      status: 'REFUNDED',
      refundedAmount: 2_500,
      refunds: amounts,
    });
    expect(await balanceOf(api)).toEqual(NOTHING);
    const published = await app.database.em
      .fork()
      .find(EventEntity, { storeId, name: 'transparent.refunded' }, { orderBy: { createdAt: 'asc' } });
    expect(published.map(({ data }) => JSON.parse(data))).toMatchObject([
      { transparent: { status: 'PAID' }, refund: { amount: 1_000, refundedAmount: 1_000 } },
      { transparent: { status: 'PAID' }, refund: { amount: 333, refundedAmount: 1_333 } },
      { transparent: { status: 'REFUNDED' }, refund: { amount: 1_167, refundedAmount: 2_500 } },
    ]);
  });

  it('marks a card checkout REFUNDED only with the last partial refund', async () => {
    await openStore();
    const { id } = await buildPaidCheckout(api);
    await refund('checkouts', id, { amount: 2_000 });
    expect(await checkoutOf(id)).toMatchObject({ status: 'PAID' });
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765 - 2_000 + 94, blocked: 0 });
    await refund('checkouts', id, { amount: 3_000 });
    expect(await checkoutOf(id)).toMatchObject({ status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await ask('checkouts', id)).toMatchObject(refusal('TRANSACTION_NOT_REFUNDABLE'));
  });

  it('accepts only as many parallel partial refunds as the payment covers', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask('transparents', id, { amount: 833 })),
    );
    const codes = answers.map(({ status, json }) => (status === 200 ? 'ok' : json.code)).sort();
    const exceeds = 'REFUND_EXCEEDS_PAYMENT';
    expect(codes).toEqual([exceeds, exceeds, 'ok', 'ok', 'ok']);
    expect(await paymentOf(id)).toMatchObject({ status: 'PAID', refundedAmount: 2_499 });
    expect(await ask('transparents', id, { amount: 2 })).toMatchObject({
      status: 422,
      json: { code: exceeds, issues: [{ path: 'amount' }] },
    });
    await refund('transparents', id, { amount: 1 });
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it('leaves only what is left at stake in a dispute', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await refund('transparents', id, { amount: 1_000 });
    dataOf(await api.post('/v2/dev/disputes/open', { id }));
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 1_500 });
    expect(await ask('transparents', id, { amount: 1 })).toMatchObject(refusal('TRANSACTION_UNDER_DISPUTE'));
    dataOf(await api.post('/v2/dev/disputes/lose', { id }));
    expect(await paymentOf(id)).toMatchObject({ status: 'REFUNDED', refundedAmount: 2_500 });
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it.each([0, -1, 1.5, '1000', null])('returns 400 for the amount %p and names the field', async (amount) => {
    const answer = await app.api.post('/v2/transparents/refund', { id: 'pix_char_0', amount });
    expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: 'amount' }] } });
  });
});

describe('a refund is refused', () => {
  it("refuses to refund a boleto because the payer's account is unknown", async () => {
    await openStore();
    const body = { amount: 2_500, customer: { name: 'Ana Souza', taxId: '529.982.247-25' } };
    const { id } = dataOf<{ id: string }>(
      await api.post('/v2/transparents/create', { method: 'BOLETO', data: body }),
    );
    await api.post(`/v2/transparents/simulate-payment?id=${id}`);
    const before = await balanceOf(api);
    expect(await ask('transparents', id)).toMatchObject(refusal('INVALID_METHOD'));
    expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
    expect(await balanceOf(api)).toEqual(before);
  });

  it('refuses to refund pending, cancelled and expired charges', async () => {
    await openStore();
    const pending = await buildPixCharge(api);
    const cancelled = await buildPixCharge(api);
    await api.post('/v2/transparents/cancel', { id: cancelled.id });
    const expired = await buildPixCharge(api, { expiresIn: 1 });
    await eventually(async () =>
      expect(await chargeOf(api, expired.id)).toMatchObject({ status: 'EXPIRED' }),
    );
    for (const { id } of [pending, cancelled, expired]) {
      expect(await ask('transparents', id)).toMatchObject(refusal('TRANSACTION_NOT_REFUNDABLE'));
    }
    expect(await app.database.em.fork().count(RefundEntity, { storeId })).toBe(0);
  });

  it('refuses to refund an unpaid checkout or one that a coupon paid in full', async () => {
    await openStore();
    const { id: unpaid } = await buildCheckout(api);
    expect(await ask('checkouts', unpaid)).toMatchObject(refusal('TRANSACTION_NOT_REFUNDABLE'));
    const { id: coupon } = await buildCoupon(api, { discount: 100 });
    const { id } = await buildCheckout(api, { coupons: [coupon] });
    dataOf(await api.post('/v2/checkouts/simulate-payment', { id, coupon }));
    expect(await ask('checkouts', id)).toMatchObject(refusal('TRANSACTION_NOT_REFUNDABLE'));
  });

  it('refuses a refund during a dispute and after a lost one', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    dataOf(await api.post('/v2/dev/disputes/open', { id }));
    expect(await ask('transparents', id)).toMatchObject(refusal('TRANSACTION_UNDER_DISPUTE'));
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 2_500 });
    dataOf(await api.post('/v2/dev/disputes/lose', { id }));
    expect(await ask('transparents', id)).toMatchObject(refusal('TRANSACTION_NOT_REFUNDABLE'));
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it('refuses a refund without enough balance and allows it once there is enough', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await spend(app, storeId, 1);
    expect(await ask('transparents', id)).toMatchObject(refusal('INSUFFICIENT_FUNDS'));
    expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
    expect(await balanceOf(api)).toEqual({ available: 2_419, pending: 0, blocked: 0 });
    await buildPaidPix(api);
    await refund('transparents', id);
    expect(await balanceOf(api)).toEqual({ available: 2_419, pending: 0, blocked: 0 });
  });

  it('refunds a pending payment even if the available balance was paid out', async () => {
    await openStore();
    const { id } = await buildPaidCheckout(api);
    await buildPaidPix(api);
    await spend(app, storeId, 2_420);
    await refund('checkouts', id);
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it('returns 400 for a long or blank reason and for a missing id', async () => {
    for (const body of [
      { id: 'pix_char_0', reason: 'x'.repeat(501) },
      { id: 'pix_char_0', reason: ' ' },
      {},
    ]) {
      expect((await app.api.post('/v2/transparents/refund', body)).status).toBe(400);
    }
  });

  it('returns 403 to a key without REFUND:CREATE', async () => {
    const client = await app.clientWith({ permissions: ['CHECKOUT:CREATE', 'CHECKOUT:READ'] });
    expect(await ask('transparents', 'pix_char_0', {}, client)).toMatchObject({ status: 403 });
  });
});

describe('which payments an endpoint knows', () => {
  it('returns 404 for payments of another store or environment', async () => {
    await openStore();
    const paidPix = await buildPaidPix(api);
    const { id: checkout, paymentId } = await buildPaidCheckout(api);
    const { paymentId: linkPayment } = await buildPaidLink(api);
    const before = await balanceOf(api);
    const strangers = [(await app.anotherStore()).api, await app.clientWith({ storeId, devMode: false })];
    const targets: [Resource, string][] = [
      ['transparents', paidPix],
      ['checkouts', checkout],
      ['checkouts', paymentId],
      ['payment-links', linkPayment],
    ];
    for (const [of, id] of targets) {
      const neverWas = await ask(of, 'pix_char_0');
      expect([neverWas.status, neverWas.json.code]).toEqual([404, 'NOT_FOUND']);
      for (const stranger of strangers) {
        const answer = await ask(of, id, {}, stranger);
        expect([answer.status, answer.text]).toEqual([404, neverWas.text]);
      }
    }
    expect(await balanceOf(api)).toEqual(before);
  });

  it('returns 404 for payments that belong to another refund endpoint', async () => {
    await openStore();
    const charge = await buildPaidPix(api);
    const { id, paymentId } = await buildPaidCheckout(api);
    for (const foreign of [id, paymentId]) expect((await ask('transparents', foreign)).status).toBe(404);
    expect((await ask('checkouts', charge)).status).toBe(404);
    for (const foreign of [id, paymentId, charge]) {
      expect((await ask('payment-links', foreign)).status).toBe(404);
    }
  });

  it("refunds a link's payments one by one and keeps the link open", async () => {
    await openStore();
    const link = await buildPaidLink(api);
    const second = await payCheckout(api, link.id);
    expect(await ask('payment-links', link.id)).toMatchObject(refusal('NOT_ACCEPTABLE'));
    expect(await ask('checkouts', link.id)).toMatchObject(refusal('NOT_ACCEPTABLE'));
    const { refundPublicId } = await refund('payment-links', link.paymentId);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765, blocked: 0 });
    expect(await checkoutOf(link.id)).toMatchObject({ status: 'PENDING' });
    // A link is a checkout too.
    expect(await refund('checkouts', link.paymentId)).toEqual({
      refundPublicId,
      amount: 5_000,
      status: 'COMPLETED',
    });
    await refund('checkouts', second.paymentId);
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await eventsOf()).toEqual(['checkout.refunded', 'checkout.refunded']);
  });

  it('refunds an upsell by its own id and keeps the order paid', async () => {
    await openStore();
    const upSellProductId = (await buildProduct(api, { price: 3_000 })).id;
    const order = await buildPaidCheckout(api, { upSellProductId });
    const upSell = await takeUpSell({ api, database: app.database }, order);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765 + 2_835, blocked: 0 });
    await refund('checkouts', upSell);
    expect(await chargeRow(upSell)).toMatchObject({ status: 'REFUNDED' });
    expect(await checkoutOf(order.id)).toMatchObject({ status: 'PAID' });
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765, blocked: 0 });
  });

  it("refunds a subscription's first payment and keeps the subscription active", async () => {
    await openStore();
    const plan = await buildProduct(api, { cycle: 'MONTHLY', price: 5_000 });
    const { id } = dataOf<{ id: string }>(
      await api.post('/v2/subscriptions/create', { items: [{ id: plan.id, quantity: 1 }] }),
    );
    const { subscriptionId } = dataOf<{ subscriptionId: SubscriptionId }>(
      await api.post('/v2/checkouts/simulate-payment', { id }),
    );
    await refund('checkouts', id);
    expect(await balanceOf(api)).toEqual(NOTHING);
    expect(await checkoutOf(id)).toMatchObject({ status: 'REFUNDED' });
    expect(dataOf(await api.get(`/v2/subscriptions/get?id=${subscriptionId}`))).toMatchObject({
      status: 'ACTIVE',
    });
  });

  it("refunds a subscription's renewal by its charge id", async () => {
    await openStore();
    const anchorAt = new Date(Date.now() - 40 * DAY_MS);
    const { checkoutId } = await insertSubscription(
      { database: app.database, storeId },
      {
        cardToken: 'sandbox_approved_00',
        anchorAt,
        cycleStartsAt: anchorAt,
        cycleEndsAt: new Date(anchorAt.getTime() + 31 * DAY_MS),
        createdAt: anchorAt,
        workflowStartedAt: null,
      },
    );
    const renewal = await eventually(() =>
      app.database.em.fork().findOneOrFail(ChargeEntity, { checkoutId, status: 'PAID' }),
    );
    expect(renewal.cycleId).not.toBeNull();
    await refund('checkouts', renewal.id);
    expect(await chargeRow(renewal.id)).toMatchObject({ status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual(NOTHING);
  });
});

describe('while Temporal is away', () => {
  it('returns 503 without Temporal and completes the same refund on a retry', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const other = await buildPaidCheckout(api);
    const away = app.apiWithoutTemporal.as(api.key);
    // A worker would carry it out within seconds.
    await app.stopWorker();
    expect(await ask('transparents', id, { reason: 'Pedido cancelado' }, away)).toMatchObject({
      status: 503,
      json: { code: 'TEMPORARILY_UNAVAILABLE' },
    });
    expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
    const kept = await app.database.em.fork().findOneOrFail(RefundEntity, { chargeId: id as ChargeId });
    // A part is another refund each time, unless it is asked for again with its Idempotency-Key.
    const part = (client: ApiClient) =>
      client.post(
        '/v2/checkouts/refund',
        { id: other.id, amount: 1_000 },
        { headers: { 'Idempotency-Key': `part-of-${other.id}` } },
      );
    expect(await part(away)).toMatchObject({
      status: 503,
      json: { error: expect.not.stringContaining('Do not repeat') },
    });
    await app.startWorker();
    expect(dataOf(await part(api))).toMatchObject({ amount: 1_000 });
    expect(await app.database.em.fork().count(RefundEntity, { chargeId: other.paymentId as ChargeId })).toBe(
      1,
    );
    expect(await refund('transparents', id)).toEqual({
      refundPublicId: kept.id,
      amount: 2_500,
      status: 'COMPLETED',
    });
    expect(await chargeOf(api, id)).toMatchObject({ status: 'REFUNDED' });
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 4_765 - 953, blocked: 0 });
  });

  it('warns against repeating a partial refund without an Idempotency-Key after a 503', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const away = app.apiWithoutTemporal.as(api.key);
    await app.stopWorker();
    const answer = await ask('transparents', id, { amount: 100 }, away);
    await app.startWorker();
    expect(answer).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining('Do not repeat the request: it has no Idempotency-Key') },
    });
  });

  it('completes a refund without another request after a 503', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    expect((await ask('transparents', id, {}, app.apiWithoutTemporal.as(api.key))).status).toBe(503);
    await eventually(async () => expect(await chargeOf(api, id)).toMatchObject({ status: 'REFUNDED' }));
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it('retries a request whose Idempotency-Key got a 503', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const away = app.apiWithoutTemporal.as(api.key);
    const options = { headers: { 'Idempotency-Key': `away-${id}` } };
    expect((await away.post('/v2/transparents/refund', { id }, options)).status).toBe(503);
    const answer = await api.post('/v2/transparents/refund', { id }, options);
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await balanceOf(api)).toEqual(NOTHING);
  });

  it('returns 503 without workers and completes the refund when one starts', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    await app.stopWorker();
    expect((await ask('transparents', id)).status).toBe(503);
    await app.startWorker();
    await eventually(async () => expect(await chargeOf(api, id)).toMatchObject({ status: 'REFUNDED' }));
    expect(await balanceOf(api)).toEqual(NOTHING);
  });
});
