import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { STRIPE } from '../../src/providers/stripe/kind.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { insertCheckout } from '../support/rows/checkout-rows.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const chargesOf = (app: PayerApp, { id }: Checkout) =>
  app.database.em.fork().find(ChargeEntity, { checkoutId: id }, { disableIdentityMap: true });
const pageOf = async (app: PayerApp, { id }: Checkout) => fetch(`${app.api.url}/pay/${id}`);

describe('the sandbox', () => {
  let app: PayerApp;
  beforeAll(async () => {
    app = await createPayerApp();
  });
  afterAll(() => app.close());
  const offering = (methods: Checkout['methods'], more: Partial<Checkout> = {}) =>
    insertCheckout(app, { methods, devMode: true, ...more });
  const send = (checkout: Checkout, fields: Record<string, string>) =>
    app.send(`/pay/${checkout.id}`, payFormOf({ method: 'CARD', ...fields }));

  it('pays with the test card of a wallet, in one installment', async () => {
    const checkout = await offering(['CARD', 'APPLE_PAY'], { maxInstallments: 3 });
    const page = await (await pageOf(app, checkout)).text();
    expect(page).toContain('name="wallet" value="APPLE_PAY"');
    expect(page).not.toContain('value="GOOGLE_PAY"');
    const inParts = await send(checkout, { wallet: 'APPLE_PAY', installments: '3' });
    expect(inParts.cameBack).toBe(true);
    await send(checkout, { wallet: 'APPLE_PAY' });
    expect(await chargesOf(app, checkout)).toMatchObject([
      { method: 'CARD', cardWallet: 'APPLE_PAY', cardLastFour: '4242', installmentsCount: 1 },
    ]);
  });

  it('offers no fields for a card if only wallets are offered, and refuses a typed one', async () => {
    const checkout = await offering(['GOOGLE_PAY']);
    const page = await (await pageOf(app, checkout)).text();
    expect(page).toContain('value="GOOGLE_PAY"');
    expect(page).not.toContain('id="cardHolder"');
    const typed = await send(checkout, CARD);
    expect(typed.cameBack).toBe(true);
    expect(typed.text).toContain('Pague com uma das carteiras');
    expect((await send(checkout, { wallet: 'APPLE_PAY' })).cameBack).toBe(true);
    expect(await chargesOf(app, checkout)).toEqual([]);
    await send(checkout, { wallet: 'GOOGLE_PAY' });
    expect(await chargesOf(app, checkout)).toMatchObject([{ cardWallet: 'GOOGLE_PAY' }]);
  });

  it('shows no wallet and takes none if the checkout offers only cards', async () => {
    const checkout = await offering(['CARD']);
    expect(await (await pageOf(app, checkout)).text()).not.toContain('name="wallet"');
    expect((await send(checkout, { wallet: 'APPLE_PAY' })).cameBack).toBe(true);
    expect(await chargesOf(app, checkout)).toEqual([]);
  });
});

describe('Stripe', () => {
  const stripe = new StripeStandIn();
  let app: PayerApp;
  beforeAll(async () => {
    await stripe.open();
    const provider = STRIPE.create({
      id: 'acct_stripe',
      profile: 'stripe',
      settings: { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url },
      secrets: { secretKey: 'rk_test_1' },
    });
    app = await createPayerApp({
      providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
    });
  });
  afterAll(async () => {
    await app.close();
    await stripe.close();
  });
  const offering = (methods: Checkout['methods']) => insertCheckout(app, { methods, devMode: false });
  const pay = (checkout: Checkout, cardToken: string) =>
    app.send(`/pay/${checkout.id}`, payFormOf({ method: 'CARD', cardToken }));

  it.each<{ methods: Checkout['methods']; wallet: 'apple_pay' | 'google_pay' | null; isTaken: boolean }>([
    { methods: ['CARD'], wallet: null, isTaken: true },
    { methods: ['CARD'], wallet: 'apple_pay', isTaken: false },
    { methods: ['CARD', 'APPLE_PAY'], wallet: 'apple_pay', isTaken: true },
    { methods: ['CARD', 'APPLE_PAY'], wallet: 'google_pay', isTaken: false },
    { methods: ['APPLE_PAY'], wallet: null, isTaken: false },
    { methods: ['PIX', 'GOOGLE_PAY'], wallet: 'google_pay', isTaken: true },
  ])('trusts Stripe, not the browser: $methods with $wallet', async ({ methods, wallet, isTaken }) => {
    const checkout = await offering(methods);
    await pay(checkout, stripe.addCard('APPROVE', wallet));
    const cardWallet = { apple_pay: 'APPLE_PAY', google_pay: 'GOOGLE_PAY', none: null }[wallet ?? 'none'];
    expect(await chargesOf(app, checkout)).toMatchObject(isTaken ? [{ method: 'CARD', cardWallet }] : []);
  });

  it('lets the provider’s frames open wallets only on pages that offer one', async () => {
    const without = await pageOf(app, await offering(['CARD']));
    expect(without.headers.get('permissions-policy')).toContain('payment=()');
    expect(without.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const page = await pageOf(app, await offering(['CARD', 'GOOGLE_PAY']));
    expect(page.headers.get('permissions-policy')).toContain(`payment=(self "${stripe.url}")`);
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(await page.text()).toContain('data-wallets="GOOGLE_PAY"');
  });
});
