import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { ReceivableEntity } from '../../src/database/entities/receivable.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';

/** A test card whose installments are paid one by one. */
const IN_PARTS = '4000000000000036';
/** 4 % + R$ 0.60, and 5 % + R$ 0.60 in three installments. */
const PLATFORM_FEE = {
  PIX: { fixedCents: 80, share: 0 },
  BOLETO: { fixedCents: 250, share: 0 },
  CARD: { fixedCents: 60, share: 400, byInstallments: new Map([[3, { fixedCents: 60, share: 500 }]]) },
};
/** Of R$ 100.00 in one and in three installments. */
const AT_ONCE = 10_479;
const IN_THREE = 10_589;

let app: MoneyApp;
let api: ApiClient;
let storeId: StoreId;
beforeAll(async () => {
  app = await createMoneyApp({ config: { platformFee: PLATFORM_FEE } });
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api, storeId } = await app.anotherStore());
});
const emOf = () => app.database.em.fork();

const CARD_TERMS = { maxInstallments: 3, passFeesToCustomer: true };

async function passing(changes: Record<string, unknown> = {}, route = 'checkouts'): Promise<ShownCheckout> {
  const { id } = await buildProduct(api, { price: 10_000 });
  const body = { items: [{ id, quantity: 1 }], methods: ['CARD', 'PIX'], card: CARD_TERMS, ...changes };
  const made = await api.post(`/v2/${route}/create`, body);
  expect(made.status).toBe(200);
  return dataOf(made);
}

async function pay({ id }: ShownCheckout, how: Record<string, unknown> = {}) {
  const paid = await api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD', ...how });
  expect(paid.status).toBe(200);
  return dataOf<ShownCheckout & { paymentId: string }>(paid);
}

const chargeNow = (): Promise<Charge> =>
  emOf().findOneOrFail(ChargeEntity, { storeId }, { orderBy: { createdAt: 'desc' } });
const getCheckout = async ({ id }: ShownCheckout) =>
  dataOf<ShownCheckout>(await api.get(`/v2/checkouts/get?id=${id}`));
async function completed() {
  const event = await emOf().findOneOrFail(EventEntity, { storeId, name: 'checkout.completed' });
  return JSON.parse(event.data) as { checkout: Record<string, unknown>; payment: Record<string, unknown> };
}
const pendingCents = async () =>
  dataOf<{ balance: { pending: number } }>(await api.get('/v2/store/get')).balance.pending;
const booksAreRight = async () => expect((await verifyLedger(emOf(), storeId)).discrepancies).toEqual([]);

describe('a checkout whose payer pays the card fees', () => {
  it('charges the fee on top of the price, of which the store keeps all', async () => {
    const checkout = await passing();
    expect(checkout).toMatchObject({ amount: 10_000, customerFee: null, card: CARD_TERMS });
    expect(await pay(checkout)).toMatchObject({ amount: 10_000, paidAmount: AT_ONCE, customerFee: 479 });
    expect(await getCheckout(checkout)).toMatchObject({ amount: 10_000, customerFee: 479 });
    expect(await chargeNow()).toMatchObject({
      amountCents: AT_ONCE,
      customerFeeCents: 479,
      platformFeeCents: 479,
    });
    const { checkout: published, payment } = await completed();
    expect(published).toMatchObject({
      amount: AT_ONCE,
      paidAmount: AT_ONCE,
      customerFee: 479,
      platformFee: 479,
    });
    expect(payment).toMatchObject({ amount: AT_ONCE, paidAmount: AT_ONCE });
    expect(await pendingCents()).toBe(10_000);
    await booksAreRight();
  });

  it('charges another fee for another number of installments, and divides the total', async () => {
    await pay(await passing(), { installments: 3, card: { number: IN_PARTS } });
    const charge = await chargeNow();
    expect(charge).toMatchObject({ amountCents: IN_THREE, customerFeeCents: 589, platformFeeCents: 589 });
    const rows = await emOf().find(ReceivableEntity, { chargeId: charge.id });
    const gross = rows.reduce((sum, { grossCents }) => sum + grossCents, 0);
    const fees = rows.reduce((sum, { feeCents }) => sum + feeCents, 0);
    expect([rows.length, gross, gross - fees]).toEqual([3, IN_THREE, 10_000]);
    expect(await pendingCents()).toBe(10_000);
    await booksAreRight();
  });

  it('costs the price by PIX and through a wallet', async () => {
    const byPix = await pay(await passing(), { method: 'PIX' });
    expect(byPix).toMatchObject({ paidAmount: 10_000, customerFee: null });
    const offered = ['CARD', 'GOOGLE_PAY'];
    const byWallet = await pay(await passing({ methods: offered }), { method: 'GOOGLE_PAY' });
    expect(byWallet).toMatchObject({ paidAmount: 10_000, customerFee: null });
    await booksAreRight();
  });

  it('applies a coupon first, and then the fee', async () => {
    const { code } = await buildCoupon(api, { discountKind: 'PERCENTAGE', discount: 10 });
    const checkout = await passing({ coupons: [code] });
    // The smallest total that leaves 9,000: 9,437 − (377 + 60).
    expect(await pay(checkout, { coupon: code })).toMatchObject({ paidAmount: 9_437, customerFee: 437 });
    const { checkout: published, payment } = await completed();
    expect(payment).toMatchObject({ amount: 9_437 });
    expect(published).toMatchObject({ amount: 10_437, customerFee: 437, paidAmount: 9_437 });
    expect(await pendingCents()).toBe(9_000);
    await booksAreRight();
  });

  it('charges no fee if a coupon pays everything', async () => {
    const { code } = await buildCoupon(api, { discountKind: 'PERCENTAGE', discount: 100 });
    const checkout = await passing({ coupons: [code] });
    expect(await pay(checkout, { coupon: code })).toMatchObject({ paidAmount: 0, customerFee: null });
  });

  it('sums what the payers of a link paid', async () => {
    const link = await passing({}, 'payment-links');
    await pay(link);
    await pay(link, { installments: 3 });
    await pay(link, { method: 'PIX' });
    const shown = dataOf<ShownCheckout>(await api.get(`/v2/payment-links/get?id=${link.id}`));
    expect(shown).toMatchObject({
      amount: 10_000,
      paidAmount: AT_ONCE + IN_THREE + 10_000,
      customerFee: 479 + 589,
      status: 'PENDING',
    });
    expect(await pendingCents()).toBe(20_000);
    await booksAreRight();
  });

  it('refunds the fee with the whole payment', async () => {
    const checkout = await passing();
    await pay(checkout);
    expect((await api.post('/v2/checkouts/refund', { id: checkout.id })).status).toBe(200);
    expect(await chargeNow()).toMatchObject({ status: 'REFUNDED', refundedCents: AT_ONCE });
    expect(await pendingCents()).toBe(0);
    await booksAreRight();
  });

  it('refunds parts up to what the payer paid', async () => {
    const checkout = await passing();
    await pay(checkout, { installments: 3, card: { number: IN_PARTS } });
    const refund = (amount: number) => api.post('/v2/checkouts/refund', { id: checkout.id, amount });
    expect((await refund(10_000)).status).toBe(200);
    expect((await refund(590)).status).toBe(422);
    await booksAreRight();
    expect((await refund(589)).status).toBe(200);
    expect(await chargeNow()).toMatchObject({ status: 'REFUNDED', refundedCents: IN_THREE });
    expect(await pendingCents()).toBe(0);
    await booksAreRight();
  });

  it('shows the fee in the list of payments and in its file', async () => {
    await pay(await passing());
    const [payment] = dataOf<Record<string, unknown>[]>(await api.get('/v2/payments/list'));
    expect(payment).toMatchObject({ amount: AT_ONCE, customerFee: 479, paidAmount: AT_ONCE });
  });
});

describe('a request that passes the fees on', () => {
  it('gets a 400 for a subscription, with the field and the reason', async () => {
    const { id } = await buildProduct(api, { price: 10_000, cycle: 'MONTHLY' });
    const body = { items: [{ id }], card: { passFeesToCustomer: true } };
    const refused = await api.post('/v2/subscriptions/create', body);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      error: expect.stringMatching(/card\.passFeesToCustomer.*not available for subscriptions/),
    });
    expect(
      (await api.post('/v2/subscriptions/create', { ...body, card: { passFeesToCustomer: false } })).status,
    ).toBe(200);
    expect((await api.post('/v2/checkouts/create', body)).status).toBe(422);
  });

  it('gets a 422 without CARD, and a 400 for a transparent charge', async () => {
    const { id } = await buildProduct(api, { price: 10_000 });
    const items = [{ id }];
    const card = { passFeesToCustomer: true };
    expect((await api.post('/v2/checkouts/create', { items, methods: ['PIX'], card })).status).toBe(422);
    const data = { amount: 10_000, card };
    expect((await api.post('/v2/transparents/create', { method: 'PIX', data })).status).toBe(400);
  });

  it('gets a 422 if a charge cannot have the total', async () => {
    const { id } = await buildProduct(api, { price: 9_900_000_000 });
    const body = { items: [{ id }], card: { passFeesToCustomer: true } };
    const refused = await api.post('/v2/checkouts/create', body);
    expect([refused.status, refused.json]).toMatchObject([422, { rule: 'TOTAL_TOO_LARGE' }]);
  });
});
