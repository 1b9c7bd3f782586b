import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { ASAAS } from '../../src/providers/asaas/kind.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { STRIPE } from '../../src/providers/stripe/kind.ts';
import { dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { insertCheckout, paid } from '../support/rows/checkout-rows.ts';
import { checkoutBody } from '../support/rows/checkouts.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const THREE = { fixedCents: 60, share: 500 };
const FOUR_PERCENT = { fixedCents: 60, share: 400, byInstallments: new Map([[3, THREE]]) };
const PLATFORM_FEE = { ...TEST_CONFIG.platformFee, CARD: FOUR_PERCENT };

const textOf = async (app: PayerApp, path: string, language = 'pt-BR') =>
  (await fetch(app.api.url + path, { headers: { 'Accept-Language': language } })).text();
const chargesOf = (app: PayerApp, { id }: Checkout) =>
  app.database.em.fork().find(ChargeEntity, { checkoutId: id }, { disableIdentityMap: true });
const passing = (app: PayerApp, changes: Partial<Checkout> = {}) =>
  insertCheckout(app, { passesFees: true, maxInstallments: 3, ...changes });
const totalsIn = (page: string) => /name="cardTotals" value="([\d,]*)"/.exec(page)?.[1] ?? '';
const send = (app: PayerApp, { id }: Checkout, fields: Record<string, string>) =>
  app.send(`/pay/${id}`, payFormOf({ method: 'CARD', ...fields }));

describe('the page of a checkout whose payer pays the card fees', () => {
  const config = { ...TEST_CONFIG, platformFee: PLATFORM_FEE };
  let app: PayerApp;
  beforeAll(async () => {
    app = await createPayerApp({ config });
  });
  afterAll(() => app.close());

  it.each([
    [
      'pt-BR',
      'a taxa é somada ao preço de R$\u00a0100,00',
      '3x de R$\u00a035,29, total R$\u00a0105,89, com R$\u00a05,89 de taxa',
    ],
    [
      'en',
      'a fee is added to the price of R$\u00a0100,00',
      '3 × R$\u00a035,29, total R$\u00a0105,89, with a fee of R$\u00a05,89',
    ],
    [
      'es',
      'se suma una tarifa al precio de R$\u00a0100,00',
      '3 × R$\u00a035,29, total R$\u00a0105,89, con R$\u00a05,89 de tarifa',
    ],
  ])('shows each total and its fee before the payment, in %s', async (language, sentence, option) => {
    const page = await textOf(app, `/pay/${(await passing(app)).id}`, language);
    expect(page).toContain(sentence);
    expect(page).toContain(option);
    expect(page).toContain('data-total="R$\u00a0104,79"');
    expect(totalsIn(page)).toBe('10479,10479,10589');
  });

  it('names the only total, and what wallets cost', async () => {
    const methods: Checkout['methods'] = ['CARD', 'APPLE_PAY'];
    const page = await textOf(app, `/pay/${(await passing(app, { maxInstallments: 1, methods })).id}`);
    expect(page).toContain('você paga R$\u00a0104,79: R$\u00a0100,00 do pedido e R$\u00a04,79 de taxa.');
    expect(page).toContain('Com Apple Pay, você paga R$\u00a0100,00.');
    expect(page).toContain('<span data-card-total>R$\u00a0104,79</span>');
  });

  it('names that total in the heading if there is no other way to pay', async () => {
    const page = await textOf(
      app,
      `/pay/${(await passing(app, { maxInstallments: 1, methods: ['CARD'] })).id}`,
    );
    expect(page).toContain('<span class="pay__amount">R$\u00a0104,79</span>');
    expect(page).toMatch(/Taxa do cartão<\/dt><dd>R\$\u00a04,79.*Total<\/dt><dd>R\$\u00a0104,79/s);
  });

  it('charges what the page showed', async () => {
    const checkout = await passing(app);
    const cardTotals = totalsIn(await textOf(app, `/pay/${checkout.id}`));
    await send(app, checkout, { ...CARD, installments: '3', cardTotals });
    expect(await chargesOf(app, checkout)).toMatchObject([
      { amountCents: 10_589, customerFeeCents: 589, platformFeeCents: 589, installmentsCount: 3 },
    ]);
  });

  it.each(['10478,10478,10588', '10480,10480,10590', '', 'x', '10479'])(
    'charges nothing if the page showed %j, and shows the new total',
    async (cardTotals) => {
      const checkout = await passing(app);
      const answer = await send(app, checkout, { ...CARD, installments: '3', cardTotals });
      expect(answer.cameBack).toBe(true);
      expect(answer.text).toContain('A taxa do cartão mudou');
      expect(answer.text).toContain('total R$\u00a0105,89');
      expect(await chargesOf(app, checkout)).toEqual([]);
    },
  );

  it('says the fee on the page of the payment and on its receipt', async () => {
    const checkout = await passing(app);
    app.played.decision = paid(10_589);
    const { location } = await send(app, checkout, {
      ...CARD,
      installments: '3',
      cardTotals: '10479,10479,10589',
    });
    const [charge] = await chargesOf(app, checkout);
    const shown =
      /Subtotal<\/dt><dd>R\$\u00a0100,00.*Taxa do cartão<\/dt><dd>R\$\u00a05,89.*R\$\u00a0105,89/s;
    expect(await textOf(app, location)).toMatch(shown);
    const receipt = await textOf(app, `/receipt/${charge?.id}`);
    expect(receipt).toMatch(/Subtotal<\/dt><dd>R\$\u00a0100,00.*Taxa do cartão<\/dt><dd>R\$\u00a05,89/s);
    expect(receipt).toContain('3x de R$\u00a035,29 (a primeira de R$\u00a035,31)');
  });

  it('offers the same totals again after a declined card', async () => {
    const checkout = await passing(app);
    app.played.decision = { status: 'FAILED', failureReason: 'card_declined' };
    const { location } = await send(app, checkout, {
      ...CARD,
      installments: '3',
      cardTotals: '10479,10479,10589',
    });
    expect(totalsIn(await textOf(app, location))).toBe('10479,10479,10589');
  });

  it('says nothing of fees where the store pays them', async () => {
    const page = await textOf(app, `/pay/${(await insertCheckout(app, { maxInstallments: 3 })).id}`);
    expect(page).toContain('3x de R$\u00a033,33 sem juros (a primeira de R$\u00a033,34)');
    expect(page).not.toMatch(/cardTotals|taxa/);
  });
});

describe('an account whose card fees are not known', () => {
  const stripe = new StripeStandIn();
  let provider: PaymentProvider;
  let app: PayerApp;
  const accountWith = (settings: Record<string, string>) =>
    STRIPE.create({
      id: 'acct_stripe',
      profile: 'stripe',
      settings: { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url, ...settings },
      secrets: { secretKey: 'rk_test_1' },
    });
  beforeAll(async () => {
    await stripe.open();
    app = await createPayerApp({
      config: { ...TEST_CONFIG, platformFee: PLATFORM_FEE },
      providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
    });
  });
  afterAll(async () => {
    await app.close();
    await stripe.close();
  });
  const create = async (card: Record<string, unknown>) =>
    app.api.post('/v2/checkouts/create', await checkoutBody(app.api, { methods: ['CARD'], card }));

  it('refuses the checkout, and names the field', async () => {
    provider = accountWith({});
    const refused = await create({ passFeesToCustomer: true });
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({ rule: 'CARD_FEES_UNKNOWN' });
    expect(refused.json.error).toMatch(/^card\.passFeesToCustomer: .*cardFees/);
    expect((await create({ passFeesToCustomer: false })).status).toBe(200);
  });

  it("adds the provider's fee to the platform's once it is known", async () => {
    provider = accountWith({ cardFees: '1: 3.99+0.39' });
    // 5,000 are left of 5,538: 282 for the platform, and 260 for Stripe.
    const { id } = dataOf<{ id: string }>(await create({ passFeesToCustomer: true }));
    const page = await textOf(app, `/pay/${id}`);
    const total = Number(totalsIn(page));
    const left = total - (60 + Math.round(total * 0.04)) - (39 + Math.round(total * 0.0399));
    expect([left, page.includes('data-amount-cents="5000"')]).toEqual([5_000, true]);
  });

  it('offers the card no more if the fees are removed, and charges no wrong one', async () => {
    provider = accountWith({ cardFees: '3.99+0.39' });
    const checkout = await passing(app, { devMode: false, maxInstallments: 1, methods: ['CARD', 'BOLETO'] });
    const cardTotals = totalsIn(await textOf(app, `/pay/${checkout.id}`));
    provider = accountWith({});
    expect(await textOf(app, `/pay/${checkout.id}`)).not.toContain('value="CARD"');
    const cardToken = stripe.addCard('APPROVE', null);
    expect((await send(app, checkout, { cardToken, cardTotals })).cameBack).toBe(true);
    provider = accountWith({ cardFees: '2.99+0.39' });
    expect((await send(app, checkout, { cardToken, cardTotals })).text).toContain('A taxa do cartão mudou');
    expect(await chargesOf(app, checkout)).toEqual([]);
  });

  it('takes the price through a wallet that Stripe names, whatever the form says', async () => {
    provider = accountWith({ cardFees: '3.99+0.39' });
    const checkout = await passing(app, {
      devMode: false,
      maxInstallments: 1,
      methods: ['CARD', 'GOOGLE_PAY'],
    });
    await send(app, checkout, { cardToken: stripe.addCard('APPROVE', 'google_pay'), cardTotals: '1' });
    expect(await chargesOf(app, checkout)).toMatchObject([{ amountCents: 10_000, customerFeeCents: 0 }]);
  });

  it("shows the provider's fields again after a declined card", async () => {
    provider = accountWith({ cardFees: '3.99+0.39' });
    const checkout = await passing(app, { devMode: false, maxInstallments: 1 });
    const cardTotals = totalsIn(await textOf(app, `/pay/${checkout.id}`));
    app.played.decision = { status: 'FAILED', failureReason: 'card_declined' };
    const { location } = await send(app, checkout, {
      cardToken: stripe.addCard('APPROVE', null),
      cardTotals,
    });
    const page = await fetch(app.api.url + location);
    expect(page.headers.get('content-security-policy')).toContain(stripe.url);
    const text = await page.text();
    expect(text).toContain('data-card-fields');
    expect(text).not.toContain('name="cardNumber"');
  });
});

describe('Asaas', () => {
  it('says that the last installment is the larger one', async () => {
    const provider = ASAAS.create({
      id: 'acct_asaas',
      profile: 'asaas',
      settings: {
        asaasEnvironment: 'sandbox',
        contactEmail: 'a@example.com',
        cardFees: '1-2: 2.99+0.49; 3: 3.49+0.49',
      },
      secrets: { apiKey: '$aact_1' },
    });
    const app = await createPayerApp({
      config: { ...TEST_CONFIG, platformFee: PLATFORM_FEE },
      providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
    });
    const one = await insertCheckout(app, { maxInstallments: 3 });
    expect(await textOf(app, `/pay/${one.id}`)).toContain(
      '3x de R$\u00a033,33 sem juros (a última de R$\u00a033,34)',
    );
    const page = await textOf(app, `/pay/${(await passing(app, { maxInstallments: 12 })).id}`);
    expect(totalsIn(page).split(',')).toHaveLength(3);
    const asked = { methods: ['CARD'], card: { maxInstallments: 4, passFeesToCustomer: true } };
    const refused = await app.api.post('/v2/checkouts/create', await checkoutBody(app.api, asked));
    expect(refused.json.error).toMatch(/^card\.maxInstallments: .*more than 3 installments/);
    await app.close();
  });
});
