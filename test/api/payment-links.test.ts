import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildCustomer } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink, checkoutBody } from '../support/rows/checkouts.ts';

const LINK = 'MULTIPLE_PAYMENTS';

let app: TestApp;
const started: string[] = [];
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: ({ id }) => void started.push(id) } });
});
afterAll(() => app.close());

const idsOf = async (path: string, api: ApiClient = app.api) =>
  new Set(dataOf<ShownCheckout[]>(await api.get(path)).map(({ id }) => id));
const countCheckouts = () => app.database.em.fork().count(CheckoutEntity);

describe('a payment link', () => {
  it('creates links without expiry from payment-links/create and checkouts/create', async () => {
    const body = await checkoutBody(app.api, { externalId: 'link-1', card: { maxInstallments: 2 } });
    const own = dataOf<ShownCheckout>(await app.api.post('/v2/payment-links/create', body));
    const other = dataOf<ShownCheckout>(
      await app.api.post('/v2/checkouts/create', { ...body, frequency: LINK }),
    );
    expect(own).toEqual({
      id: expect.stringMatching(/^bill_[0-9A-Z]{26}$/),
      externalId: 'link-1',
      url: `${app.api.url}/pay/${own.id}`,
      amount: 5_000,
      paidAmount: null,
      items: body.items,
      status: 'PENDING',
      frequency: LINK,
      methods: ['PIX', 'CARD'],
      coupons: [],
      devMode: true,
      customerId: null,
      customerNamedBy: null,
      returnUrl: null,
      completionUrl: null,
      receiptUrl: null,
      customerFee: null,
      card: { maxInstallments: 2, passFeesToCustomer: false },
      installmentsCount: null,
      upSellProductId: null,
      metadata: {},
      expiresAt: null,
      createdAt: expect.any(String),
      updatedAt: own.createdAt,
    });
    const { id, url, createdAt, updatedAt, ...same } = own;
    expect(other).toMatchObject(same);
    for (const link of [own, other]) {
      expect(dataOf(await app.api.get(`/v2/payment-links/get?id=${link.id}`))).toEqual(link);
      expect(dataOf(await app.api.get(`/v2/checkouts/get?id=${link.id}`))).toEqual(link);
      expect(started.filter((startedId) => startedId === link.id)).toHaveLength(1);
    }
  });

  it('accepts only the frequency MULTIPLE_PAYMENTS', async () => {
    expect(await buildPaymentLink(app.api, { frequency: LINK })).toMatchObject({ frequency: LINK });
    const before = await countCheckouts();
    const body = await checkoutBody(app.api, { frequency: 'ONE_TIME' });
    expect(await app.api.post('/payment-links/create', body)).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR', issues: [{ path: 'frequency' }] },
    });
    expect(await countCheckouts()).toBe(before);
  });

  it.each(['/payment-links/create', '/checkouts/create'])(
    'stores the customer of a link created by %s',
    async (path) => {
      const { id: customerId } = await buildCustomer(app.api);
      const body = await checkoutBody(app.api, { customerId, frequency: LINK });
      expect(dataOf(await app.api.post(path, body))).toMatchObject({ customerId, frequency: LINK });
    },
  );

  it('creates a link once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'link-1' };
    const body = await checkoutBody(app.api);
    const first = await app.api.post('/payment-links/create', body, { headers });
    expect(dataOf(await app.api.post('/payment-links/create', body, { headers }))).toEqual(dataOf(first));
  });

  it('refuses a link with a production key if no provider is configured', async () => {
    const production = await app.clientWith({ devMode: false });
    const body = await checkoutBody(production);
    const before = await countCheckouts();
    expect(await production.post('/payment-links/create', body)).toMatchObject({
      status: 422,
      json: { code: 'NO_PAYMENT_PROVIDER' },
    });
    expect(await countCheckouts()).toBe(before);
  });
});

describe('payment-links/*', () => {
  it('lists only payment links, while checkouts/list includes both', async () => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const link = await buildPaymentLink(api, { externalId: 'both' });
    const checkout = await buildCheckout(api, { externalId: 'both' });
    expect(await idsOf('/payment-links/list', api)).toEqual(new Set([link.id]));
    expect(await idsOf('/payment-links/list?externalId=both&status=PENDING', api)).toEqual(
      new Set([link.id]),
    );
    expect(await idsOf(`/payment-links/list?id=${checkout.id}`, api)).toEqual(new Set());
    expect(await idsOf('/checkouts/list?externalId=both', api)).toEqual(new Set([link.id, checkout.id]));
  });

  it('returns 404 for a checkout that can be paid only once', async () => {
    const { id } = await buildCheckout(app.api);
    for (const answer of [
      await app.api.get(`/payment-links/get?id=${id}`),
      await app.api.post('/payment-links/cancel', { id }),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: { error: 'Payment link not found' } });
    }
  });

  it('returns 404 for links of another store or environment', async () => {
    const { id } = await buildPaymentLink(app.api);
    const stranger = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    for (const client of [stranger, await app.clientWith({ devMode: false })]) {
      expect((await client.get(`/payment-links/get?id=${id}`)).status).toBe(404);
      expect((await client.post('/payment-links/cancel', { id })).status).toBe(404);
      expect(await idsOf('/payment-links/list', client)).toEqual(new Set());
    }
  });
});
