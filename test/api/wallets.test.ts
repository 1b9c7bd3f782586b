import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { CardWallet } from '../../src/domain/card.ts';
import { publishedPayer } from '../../src/events/parties.ts';
import { ASAAS } from '../../src/providers/asaas/kind.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { checkoutBody } from '../support/rows/checkouts.ts';

describe('a checkout that offers wallets', () => {
  let app: MoneyApp;
  beforeAll(async () => {
    app = await createMoneyApp();
  });
  afterAll(() => app.close());
  const create = async (changes: Record<string, unknown>, path = 'checkouts') =>
    app.api.post(`/v2/${path}/create`, await checkoutBody(app.api, changes));

  it('shows in payments and lists the wallet that paid', async () => {
    const methods = ['PIX', 'CARD', 'APPLE_PAY', 'GOOGLE_PAY'];
    const checkout = dataOf<{ id: string; methods: string[] }>(await create({ methods }));
    expect(checkout.methods).toEqual(methods);
    const simulate = (body: object) =>
      app.api.post('/v2/checkouts/simulate-payment', { id: checkout.id, ...body });
    expect(await simulate({ method: 'GOOGLE_PAY' })).toMatchObject({ status: 200 });
    expect(await simulate({ method: 'GOOGLE_PAY' })).toMatchObject({ status: 200 });
    expect(await simulate({ method: 'APPLE_PAY' })).toMatchObject({ status: 422 });
    const { json } = await app.api.get(`/v2/payments/list?checkoutId=${checkout.id}`);
    expect(json.data).toMatchObject([
      { method: 'CARD', wallet: 'GOOGLE_PAY', card: { lastFour: '4242' }, installmentsCount: 1 },
    ]);
    const listed = await app.api.get('/v2/checkouts/list?method=APPLE_PAY');
    expect(listed.json.data).toMatchObject([{ id: checkout.id }]);
  });

  it('declines a wallet whose card is declined', async () => {
    const { id } = dataOf<{ id: string }>(await create({ methods: ['APPLE_PAY'] }));
    const card = { number: '4000000000009995' };
    expect(
      await app.api.post('/v2/checkouts/simulate-payment', { id, method: 'APPLE_PAY', card }),
    ).toMatchObject({ status: 422, json: { declineReason: 'insufficient_funds' } });
  });

  it.each([
    ['a payment link by frequency', 'checkouts', { frequency: 'MULTIPLE_PAYMENTS' }],
    ['a payment link', 'payment-links', {}],
    ['a subscription', 'subscriptions', {}],
  ])('refuses wallets for %s and names the field', async (_, path, more) => {
    const answer = await create({ methods: ['CARD', 'APPLE_PAY'], ...more }, path);
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.text).toContain('methods');
  });
});

describe('a provider without wallets', () => {
  let app: TestApp;
  beforeAll(async () => {
    const provider = ASAAS.create({
      id: 'acct_asaas',
      profile: 'asaas',
      settings: { asaasEnvironment: 'sandbox', apiUrl: 'http://127.0.0.1:1', contactEmail: 'a@example.com' },
      secrets: { apiKey: '$aact_hmlg_1' },
    });
    app = await createTestApp({
      providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
    });
  });
  afterAll(() => app.close());

  it('refuses a checkout with a wallet, and stores nothing', async () => {
    const body = await checkoutBody(app.api, { methods: ['CARD', 'GOOGLE_PAY'] });
    expect(await app.api.post('/v2/checkouts/create', body)).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'methods', rule: 'METHOD_NOT_POSSIBLE' }] },
    });
    expect(await app.database.em.fork().count(CheckoutEntity)).toBe(0);
    expect(await app.api.post('/v2/checkouts/create', { ...body, methods: ['CARD'] })).toMatchObject({
      status: 200,
    });
  });
});

it('names the wallet in the payer of events, and adds nothing for other cards', () => {
  const payerOf = (cardWallet: CardWallet | null) =>
    publishedPayer({ method: 'CARD', cardLastFour: '4242', cardBrand: 'visa', cardWallet }, null, {
      name: null,
      taxId: null,
    });
  const card = { number: '4242', brand: 'visa' };
  expect(payerOf('APPLE_PAY')).toEqual({ method: 'CARD', CARD: { ...card, wallet: 'APPLE_PAY' } });
  expect(payerOf(null)).toEqual({ method: 'CARD', CARD: card });
});
