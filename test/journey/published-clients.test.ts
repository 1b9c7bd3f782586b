import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api/api-client.ts';
import { publishedSchemas, publishedSdk, type Sdk, type Shown } from '../support/api/published-clients.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';

let deployment: Deployment;
let api: ApiClient;
let sdk: Sdk;
/** Throws unless the schema of that name, of `@abacatepay/zod`, takes what was shown. */
let check: (schema: string, shown: unknown) => void;
let product: Shown;
let plan: Shown;

beforeAll(async () => {
  deployment = await createDeployment();
  // As in production: endpoints of webhooks are looked at.
  const apart = { ALLOW_PRIVATE_ENDPOINTS: 'false' };
  [{ api }] = await Promise.all([deployment.startApi(apart), deployment.startWorker(apart)]);
  sdk = await publishedSdk(api);
  check = await publishedSchemas('v2');
  const body = { name: 'Curso', price: 4900, currency: 'BRL' };
  product = await sdk.products.create({ ...body, externalId: 'course', description: 'De fotografia' });
  plan = await sdk.products.create({ ...body, externalId: 'plan', cycle: 'MONTHLY' });
});

afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
});

const ADDRESSES = { returnUrl: 'https://shop.example.com/', completionUrl: 'https://shop.example.com/ok' };

/** In UTC, so that the day in São Paulo lies between yesterday and tomorrow. */
function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A PIX charge, paid: its money can be sent at once. */
async function paidPix(amount: number): Promise<Shown> {
  const { id } = await sdk.pix.create({ method: 'PIX', data: { amount } });
  return sdk.pix.simulate(id);
}

describe('@abacatepay/sdk, with nothing changed but its base URL', () => {
  it('creates a customer by e-mail alone, and reads texts where it expects texts', async () => {
    const created = await sdk.customers.create({ email: 'so@example.com' });
    expect(created).toMatchObject({ name: '', taxId: '', cellphone: '', zipCode: '', country: 'BR' });
    check('APICustomer', created);
    check('RESTGetCustomerData', await sdk.customers.get(created.id));
    check('RESTGetListCustomersData', await sdk.customers.list());
  });

  it('lists a boleto payer without an e-mail with empty text for it', async () => {
    const customer = { name: 'Caio Dias', taxId: '390.533.447-05' };
    const { customerId } = await sdk.pix.create({ method: 'BOLETO', data: { amount: 5000, customer } });
    const payer = (await sdk.customers.list()).find(({ id }) => id === customerId);
    expect(payer).toMatchObject({ ...customer, email: '', cellphone: '', zipCode: '' });
  });

  it('finds a product by its id and by its external id', async () => {
    check('APIProduct', product);
    expect(await sdk.products.get({ id: product.id })).toEqual(product);
    expect(await sdk.products.get({ externalId: 'course' })).toEqual(product);
    check('RESTGetListProductsData', await sdk.products.list());
  });

  it('lists although it always sends a page or a cursor', async () => {
    expect(await sdk.products.list({ page: 1, limit: 1 })).toHaveLength(1);
    expect(await sdk.coupons.list()).toEqual(expect.any(Array));
    expect(await sdk.payouts.list()).toEqual(expect.any(Array));
    expect(await sdk.subscriptions.list({ cursor: '', limit: 5 })).toEqual(expect.any(Array));
  });

  it('sells through a checkout, with a coupon, to a customer that it knows', async () => {
    const ana = { email: 'ana@example.com', name: 'Ana Souza', taxId: '529.982.247-25' };
    const { id: customerId } = await sdk.customers.create({ ...ana, cellphone: '(11) 91234-5678' });
    const coupon = { code: 'DEZ', discount: 10, discountKind: 'PERCENTAGE', notes: 'Dez por cento' };
    check('APICoupon', await sdk.coupons.create(coupon));
    check('APICoupon', await sdk.coupons.get('DEZ'));
    const items = [{ id: product.id, quantity: 2 }];
    const references = { customerId, coupons: ['DEZ'], externalId: 'order-1' };
    const checkout = await sdk.checkouts.create({ items, ...references, ...ADDRESSES });
    expect(checkout).toMatchObject({ items, ...references, ...ADDRESSES, amount: 9800, paidAmount: null });
    check('APICheckout', checkout);
    await sdk.rest.post('/checkouts/simulate-payment', { body: { id: checkout.id } });
    const paid = await sdk.checkouts.get(checkout.id);
    expect(paid).toMatchObject({ status: 'PAID', receiptUrl: expect.any(String) });
    check('APICheckout', paid);
  });

  it('makes a payment link for a customer that it knows', async () => {
    const { id: customerId } = await sdk.customers.create({ email: 'bia@example.com', name: 'Bia Lima' });
    const items = [{ id: product.id, quantity: 1 }];
    const link = await sdk.rest.post<Shown>('/payment-links/create', { body: { items, customerId } });
    expect(link).toMatchObject({ frequency: 'MULTIPLE_PAYMENTS', customerId });
  });

  it('accepts a PIX payment from a payer with two known fields', async () => {
    const customer = { name: 'Dora Reis', email: 'dora@example.com' };
    const charge = await sdk.pix.create({ method: 'PIX', data: { amount: 2500, expiresIn: 3600, customer } });
    check('APIQRCodePIX', charge);
    expect(await sdk.pix.status(charge.id)).toMatchObject({ status: 'PENDING' });
    const paid = await sdk.pix.simulate(charge.id, { note: {} });
    expect(paid).toMatchObject({ status: 'PAID', platformFee: 80 });
    check('APIQRCodePIX', paid);
  });

  it('creates charges without interest or fine if it sends empty ones', async () => {
    const none = { amount: 5000, interest: {}, fine: {} };
    const customer = { name: 'Caio Dias', taxId: '390.533.447-05' };
    const boleto = await sdk.pix.create({ method: 'BOLETO', data: { ...none, customer } });
    expect(boleto).toMatchObject({ interest: null, fine: null });
    expect(await sdk.pix.create({ method: 'PIX', data: none })).toMatchObject({ status: 'PENDING' });
  });

  it('sends null for fields that responses return as null', async () => {
    const nothing = { description: null, imageUrl: null, cycle: null, trialDays: null };
    const body = { externalId: 'plain', name: 'Simples', price: 100, currency: 'BRL' };
    expect(await sdk.products.create({ ...body, ...nothing })).toMatchObject({ ...body, ...nothing });
    const items = [{ id: product.id, quantity: 1 }];
    const none = { externalId: null, customerId: null, returnUrl: null, completionUrl: null };
    expect(await sdk.checkouts.create({ items, ...none })).toMatchObject({ items, ...none });
    const data = { amount: 100, externalId: null };
    expect(await sdk.pix.create({ method: 'PIX', data })).toMatchObject(data);
  });

  it('pays out with a receipt page that exists immediately', async () => {
    await paidPix(5000);
    const body = { amount: 350, externalId: 'week-1', description: 'Semana 1' };
    const payout = await sdk.payouts.create(body);
    expect(payout).toMatchObject({ ...body, kind: 'WITHDRAW', receiptUrl: expect.any(String) });
    check('APIPayout', payout);
    expect((await fetch(String(payout.receiptUrl))).status).toBe(200);
    const complete = await eventually(async () => {
      const shown = await sdk.payouts.get('week-1');
      expect(shown.status).toBe('COMPLETE');
      return shown;
    });
    check('APIPayout', complete);
    check('RESTGetListPayoutsData', await sdk.payouts.list());
  });

  it('reads balance, recurring revenue, daily revenue and a missing website', async () => {
    await paidPix(1000);
    check('APIStore', await sdk.store.get());
    check('RESTGetMRRData', await sdk.mrr.get());
    check('RESTGetMerchantData', await sdk.mrr.merchant());
    const revenue = await sdk.mrr.revenue({ startDate: dayFromNow(-1), endDate: dayFromNow(1) });
    expect(revenue.totalRevenue).toBeGreaterThanOrEqual(1000);
    check('RESTGetRevenueByPeriodData', revenue);
  });

  it('throws an error with the reason of the refusal', async () => {
    const again = { externalId: 'course', name: 'Curso', price: 4900, currency: 'BRL' };
    await expect(sdk.products.create(again)).rejects.toThrow(/^externalId/);
    const { store } = await publishedSdk({ url: api.url, key: 'abc_dev_unknown' });
    await expect(store.get()).rejects.toThrow(/^Authorization/);
  });
});

describe('the REST client of @abacatepay/sdk', () => {
  it('registers a webhook whose host has no address at that moment', async () => {
    const body = {
      name: 'Shop',
      endpoint: 'https://no-such-host.example.com/hook',
      secret: 's',
      events: ['payout.failed'],
    };
    const { secret, ...shown } = body;
    expect(await sdk.rest.post('/webhooks/create', { body })).toMatchObject(shown);
  });

  it('creates a subscription with every checkout field, changes it and cancels it', async () => {
    const items = [{ id: plan.id, quantity: 1 }];
    const offers = { upSellProductId: product.id, card: { maxInstallments: 1 }, frequency: 'ONE_TIME' };
    const checkout = await sdk.subscriptions.create({ items, ...offers, ...ADDRESSES });
    expect(checkout).toMatchObject({ items, ...ADDRESSES, status: 'PENDING', subscriptionId: null });
    expect(checkout).not.toHaveProperty('frequency');
    const [listed] = await sdk.subscriptions.list({ limit: 1 });
    expect(listed).toEqual(checkout);
    const paid = await sdk.rest.post<Shown>('/checkouts/simulate-payment', { body: { id: checkout.id } });
    const id = String(paid.subscriptionId);
    const usage = { id, productId: product.id, units: 2, action: 'add' };
    await sdk.rest.post('/subscriptions/record-usage', { body: usage });
    const change = { id, productId: plan.id, quantity: 2 };
    expect(await sdk.rest.post('/subscriptions/change-plan', { body: change })).toMatchObject({
      newAmount: 9800,
    });
    expect(await sdk.rest.post('/subscriptions/cancel', { body: { id } })).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('sends money to a PIX key with a receipt page that exists immediately', async () => {
    await paidPix(5000);
    const body = { amount: 100, externalId: 'supplier-1', pix: { type: 'EMAIL', key: 'ana@example.com' } };
    const transfer = await sdk.rest.post<Shown>('/pix/send', { body });
    expect(transfer).toMatchObject({ ...body, receiptUrl: expect.any(String) });
    expect(await sdk.rest.get('/pix/get', { query: { externalId: 'supplier-1' } })).toMatchObject(body);
  });

  it('deletes a customer by the id in the URL, and refunds a payment', async () => {
    const { id: customerId } = await sdk.customers.create({ email: 'fim@example.com' });
    await sdk.rest.post('/customers/delete', { query: { id: customerId } });
    await expect(sdk.customers.get(customerId)).rejects.toThrow('not found');
    const { id } = await paidPix(2500);
    const refund = await sdk.rest.post<{ refundPublicId: string }>('/transparents/refund', { body: { id } });
    expect(refund.refundPublicId).toMatch(/^tran_/);
  });
});
