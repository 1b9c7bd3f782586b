import type { Mandate } from '../../../src/database/entities/mandate.ts';
import { buildCompositeBrCode } from '../../../src/domain/pix.ts';
import { insertCharge, insertCoupon, NOON, paid, type Shop } from '../rows/checkout-rows.ts';
import { insertMandate } from '../rows/mandates.ts';
import { insertPlanCheckout, insertRenewal, insertSubscribed } from '../rows/subscriber-rows.ts';
import type { CheckoutPageFixture } from './checkout-states.ts';

const CANCELLED = {
  status: 'CANCELLED' as const,
  canceledAt: NOON,
  cancelledDueTo: 'max_payment_retries_exceeded',
};

/** Every state that a subscriber can meet, by name: for the accessibility check and for looking at them. */
export const SUBSCRIBER_PAGES: Readonly<Record<string, (shop: Shop) => Promise<CheckoutPageFixture>>> = {
  'subscription open, card': async (shop) => {
    const { id } = await insertPlanCheckout(shop, { methods: ['CARD'] });
    return { path: `/pay/${id}` };
  },
  'subscription open, both methods, yearly': async (shop) => {
    const { id } = await insertPlanCheckout(shop, { methods: ['PIX', 'CARD'], cycle: 'ANNUALLY' });
    return { path: `/pay/${id}` };
  },
  'subscription open, trial': async (shop) => {
    const { id } = await insertPlanCheckout(shop, { trialDays: 7 });
    return { path: `/pay/${id}` };
  },
  'subscription open, trial by pix': async (shop) => {
    const { id } = await insertPlanCheckout(shop, { trialDays: 7, methods: ['PIX'] });
    return { path: `/pay/${id}` };
  },
  'subscription with coupon': async (shop) => {
    const { code } = await insertCoupon(shop);
    const { id } = await insertPlanCheckout(shop, { coupons: [code] });
    return {
      path: `/pay/${id}`,
      form: { unfold: 'Tenho um cupom', fields: { 'Cupom de desconto': code }, press: 'Aplicar cupom' },
    };
  },
  'subscription with coupon of 100 %': async (shop) => {
    const { code } = await insertCoupon(shop, { discountValue: 10_000 });
    const { id } = await insertPlanCheckout(shop, { coupons: [code] });
    return {
      path: `/pay/${id}`,
      form: { unfold: 'Tenho um cupom', fields: { 'Cupom de desconto': code }, press: 'Aplicar cupom' },
    };
  },
  'subscription declined': async (shop) => {
    const checkout = await insertPlanCheckout(shop);
    const declined = { status: 'FAILED' as const, failureReason: 'insufficient_funds' as const };
    const { id } = await insertCharge(shop, checkout, 'CARD', declined);
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'subscription, first pix waiting': async (shop) => {
    const checkout = await insertPlanCheckout(shop);
    const { id } = await insertCharge(shop, checkout, 'PIX');
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'subscription active': async (shop) => {
    const { checkout, first } = await insertSubscribed(shop, 'CARD');
    return { path: `/pay/${checkout.id}/${first.id}` };
  },
  'subscription active by pix': async (shop) => {
    const { checkout, first } = await insertSubscribed(shop, 'PIX');
    return { path: `/pay/${checkout.id}/${first.id}` };
  },
  'trial started': async (shop) => {
    const { checkout, first } = await insertSubscribed(shop, 'CARD', { checkout: { trialDays: 7 } });
    return { path: `/pay/${checkout.id}/${first.id}` };
  },
  'subscription checkout, active': async (shop) => ({
    path: `/pay/${(await insertSubscribed(shop, 'CARD')).checkout.id}`,
  }),
  'subscription checkout, in trial': async (shop) => ({
    path: `/pay/${(await insertSubscribed(shop, 'CARD', { checkout: { trialDays: 7 } })).checkout.id}`,
  }),
  'subscription checkout, code waiting': async (shop) => {
    const subscribed = await insertSubscribed(shop, 'PIX');
    await insertRenewal(shop, subscribed);
    return { path: `/pay/${subscribed.checkout.id}` };
  },
  'subscription checkout, card failed': async (shop) => {
    const failing = { failedAttempts: 1, lastFailure: 'insufficient_funds' };
    const { checkout } = await insertSubscribed(shop, 'CARD', { subscription: failing });
    return { path: `/pay/${checkout.id}` };
  },
  'subscription checkout, cancelled': async (shop) => ({
    path: `/pay/${(await insertSubscribed(shop, 'CARD', { subscription: CANCELLED })).checkout.id}`,
  }),
  'renewal waiting': async (shop) => {
    const subscribed = await insertSubscribed(shop, 'PIX');
    const { id } = await insertRenewal(shop, subscribed);
    return { path: `/pay/${subscribed.checkout.id}/${id}` };
  },
  'renewal paid, with usage': async (shop) => {
    const subscribed = await insertSubscribed(shop, 'PIX');
    const cycle = { usageCents: 1_300, amountCents: 6_200 };
    const { id } = await insertRenewal(shop, subscribed, paid(6_200), cycle);
    return { path: `/pay/${subscribed.checkout.id}/${id}` };
  },
  'renewal expired': async (shop) => {
    const subscribed = await insertSubscribed(shop, 'PIX');
    const { id } = await insertRenewal(shop, subscribed, { status: 'EXPIRED' });
    return { path: `/pay/${subscribed.checkout.id}/${id}` };
  },
  'renewal declined': async (shop) => {
    const subscribed = await insertSubscribed(shop, 'CARD');
    const declined = { status: 'FAILED' as const, failureReason: 'insufficient_funds' as const };
    const { id } = await insertRenewal(shop, subscribed, declined);
    return { path: `/pay/${subscribed.checkout.id}/${id}` };
  },
  'receipt of a renewal': async (shop) => {
    const subscribed = await insertSubscribed(shop, 'CARD');
    const cycle = { usageCents: 1_300, amountCents: 6_200 };
    const { id } = await insertRenewal(shop, subscribed, paid(6_200), cycle);
    return { path: `/receipt/${id}` };
  },
  'receipt of a trial': async (shop) => {
    const { first } = await insertSubscribed(shop, 'CARD', { checkout: { trialDays: 7 } });
    return { path: `/receipt/${first.id}` };
  },
  'authorization waiting, fixed': (shop) => authorizationPage(shop, { amountCents: 4_900 }),
  'authorization waiting, variable': (shop) => authorizationPage(shop, { amountCents: null }),
  'authorization accepted': (shop) => authorizationPage(shop, { status: 'ACTIVE', activatedAt: NOON }),
  'authorization over': (shop) => authorizationPage(shop, { status: 'EXPIRED', endedAt: NOON }),
  'authorization ended': (shop) =>
    authorizationPage(shop, { status: 'CANCELLED', activatedAt: NOON, endedAt: NOON }),
};

const CONSENT_CODE = buildCompositeBrCode(
  { charge: null, mandate: 'pix.example.com/rec/7d9f0335b3a94c1ba9b8' },
  { merchantName: 'Loja Exemplo', merchantCity: 'SAO PAULO' },
);

/** The page on which the payer of a subscription authorizes its debits; by default it waits for them. */
async function authorizationPage(shop: Shop, changes: Partial<Mandate>): Promise<CheckoutPageFixture> {
  const { subscription } = await insertSubscribed(shop, 'PIX');
  const { database } = shop;
  const asked = { consentCode: CONSENT_CODE, status: 'PENDING' as const, activatedAt: null };
  const { id } = await insertMandate(database, subscription, { ...asked, ...changes });
  return { path: `/authorize/${id}` };
}
