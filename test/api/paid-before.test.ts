import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { insertCharge, insertCheckout, insertCoupon, NOON, paid } from '../support/rows/checkout-rows.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON });
});
afterAll(() => app.close());

const shop = () => ({ database: app.database, storeId: app.storeId });
const simulate = (id: string, body: object = {}) =>
  app.api.post('/v2/checkouts/simulate-payment', { id, ...body });
const refusedAt = (path: string) => ({
  status: 422,
  json: { code: 'INVALID_STATE', rule: 'NOT_OPEN', issues: [{ path }] },
});

/** A checkout that was paid with the card that ends in 4242. */
async function buildPaid(charge: Partial<Charge> = {}, checkout = {}) {
  const inserted = await insertCheckout(shop(), checkout);
  const { id: paidByChargeId } = await insertCharge(shop(), inserted, 'CARD', { ...paid(10_000), ...charge });
  const change = { status: 'PAID', paidByChargeId } as const;
  await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: inserted.id }, change);
  return { id: inserted.id, paidByChargeId };
}

describe('simulating a payment of a paid checkout', () => {
  it('returns the existing payment if the request matches it', async () => {
    const payer = {
      payerName: 'Ana Souza',
      payerTaxId: '52998224725',
      installmentsCount: 2,
      cardExpiryMonth: '2039-12',
    };
    const { id, paidByChargeId } = await buildPaid(payer);
    for (const body of [
      {},
      { method: 'CARD', installments: 2 },
      { card: { number: '4242 4242 4242 4242' } },
      { card: { number: '4242 4242 4242 4242', expiry: '12/2039' } },
      { payer: { name: 'Ana Souza', taxId: '529.982.247-25' } },
    ])
      expect(dataOf(await simulate(id, body))).toMatchObject({ id, paymentId: paidByChargeId });
  });

  it('refuses a card, method, installments, coupon or payer that did not pay it', async () => {
    const { id } = await buildPaid({ payerName: 'Ana Souza' });
    const other = { card: { number: '4000 0000 0000 0002' } };
    expect(await simulate(id, other)).toMatchObject(refusedAt('card.number'));
    const renewed = { card: { number: '4242 4242 4242 4242', expiry: '11/39' } };
    expect(await simulate(id, renewed)).toMatchObject(refusedAt('card.expiry'));
    expect(await simulate(id, { method: 'PIX' })).toMatchObject(refusedAt('method'));
    expect(await simulate(id, { method: 'CARD', installments: 3 })).toMatchObject(refusedAt('installments'));
    const { code: coupon } = await insertCoupon(shop());
    expect(await simulate(id, { coupon })).toMatchObject(refusedAt('coupon'));
    expect(await simulate(id, { payer: { name: 'Bia Lima' } })).toMatchObject(refusedAt('payer'));
  });

  it('returns the existing payment if the request names its coupon', async () => {
    const { id: couponId, code: coupon } = await insertCoupon(shop());
    const { id, paidByChargeId } = await buildPaid({ couponId });
    expect(dataOf(await simulate(id, { coupon }))).toMatchObject({ paymentId: paidByChargeId });
  });

  it('refuses another card for a subscription that is past due', async () => {
    const { checkoutId } = await insertSubscription(shop(), { failedAttempts: 1, cycleNumber: 2 });
    const em = app.database.em.fork();
    const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId }, { disableIdentityMap: true });
    const { id: paidByChargeId } = await insertCharge(shop(), checkout, 'CARD', paid(5_000));
    await em.nativeUpdate(CheckoutEntity, { id: checkoutId }, { status: 'PAID', paidByChargeId });
    const answer = await simulate(checkoutId, { card: { number: '4000 0000 0000 0002' } });
    expect(answer).toMatchObject(refusedAt('card.number'));
    expect(answer.json.error).toContain('use subscriptions/update');
  });
});
