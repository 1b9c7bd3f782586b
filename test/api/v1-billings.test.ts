import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CustomerView } from '../../src/api/customers/schema.ts';
import type { ProductView } from '../../src/api/products/schema.ts';
import type { BillingView } from '../../src/api/v1/billing/schema.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { CheckoutId, StoreId } from '../../src/domain/ids.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { V1Client } from '../support/api/v1.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

const SHIRT = { externalId: 'shirt', name: 'Camiseta', description: 'Algodão', quantity: 2, price: 4900 };
const BODY = {
  frequency: 'ONE_TIME',
  methods: ['PIX'],
  products: [SHIRT],
  returnUrl: 'https://shop.example.com/cart',
  completionUrl: 'https://shop.example.com/thanks',
};
const ANA = {
  name: 'Ana Souza',
  cellphone: '+55 11 91234-5678',
  email: 'ana@example.com',
  taxId: '529.982.247-25',
};

let app: TestApp;
let documented: V1Client;
let storeId: StoreId;
let api: ApiClient;
let v1: V1Client;
beforeAll(async () => {
  app = await createTestApp();
  documented = await V1Client.of(app.api);
});
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  v1 = documented.as(api);
});
afterAll(() => app.close());

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  v1.post('/billing/create', { ...BODY, ...changes }, { headers });
const billing = async (changes: Record<string, unknown> = {}) => dataOf<BillingView>(await create(changes));
const inV2 = async (id: string) => dataOf<ShownCheckout>(await api.get(`/v2/checkouts/get?id=${id}`));
const products = async () => dataOf<ProductView[]>(await api.get('/v2/products/list'));
const customers = async () => dataOf<CustomerView[]>(await api.get('/v2/customers/list'));

describe('a billing', () => {
  it('returns every field of the v1 contract', async () => {
    await buildCoupon(api, { code: 'OFF' });
    const answer = await create({
      methods: ['PIX', 'CARD'],
      customer: ANA,
      allowCoupons: true,
      coupons: ['OFF'],
    });
    const [product] = await products();
    const [customer] = await customers();
    expect(answer.json).toEqual({
      data: {
        id: expect.stringMatching(/^bill_[0-9A-Z]{26}$/),
        externalId: null,
        url: expect.stringMatching(/\/pay\/bill_[0-9A-Z]{26}$/),
        status: 'PENDING',
        devMode: true,
        methods: ['PIX', 'CARD'],
        products: [{ id: product?.id, externalId: 'shirt', quantity: 2 }],
        frequency: 'ONE_TIME',
        amount: 9800,
        nextBilling: null,
        customer: { id: customer?.id, devMode: true, metadata: ANA },
        allowCoupons: true,
        coupons: ['OFF'],
        couponsUsed: [],
        metadata: { fee: 80, returnUrl: BODY.returnUrl, completionUrl: BODY.completionUrl },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      error: null,
    });
    const page = await fetch(dataOf<BillingView>(answer).url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Camiseta')]);
  });

  it('creates a checkout that v2 shows, including fields that v1 omits', async () => {
    const made = await billing({ externalId: 'order-7', metadata: { a: 1 }, customer: ANA });
    expect(await inV2(made.id)).toMatchObject({
      url: made.url,
      externalId: 'order-7',
      metadata: { a: 1 },
      amount: 9800,
      items: [{ id: made.products[0]?.id, quantity: 2 }],
      methods: ['PIX'],
      customerId: made.customer?.id,
      returnUrl: BODY.returnUrl,
      completionUrl: BODY.completionUrl,
      coupons: [],
    });
    expect(dataOf<ShownCheckout[]>(await api.get('/v2/checkouts/list'))[0]?.id).toBe(made.id);
  });

  it('defaults to ONE_TIME without customer and coupons', async () => {
    expect(await billing({ frequency: undefined })).toMatchObject({
      frequency: 'ONE_TIME',
      customer: null,
      allowCoupons: false,
      coupons: [],
    });
  });

  it('creates a payment link in v2 for MULTIPLE_PAYMENTS', async () => {
    const { id } = await billing({ frequency: 'MULTIPLE_PAYMENTS' });
    expect(dataOf(await api.get(`/v2/payment-links/get?id=${id}`))).toMatchObject({
      frequency: 'MULTIPLE_PAYMENTS',
      expiresAt: null,
    });
  });

  it('creates a billing once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'billing-1' };
    const first = await create({}, headers);
    expect((await create({}, headers)).text).toBe(first.text);
    expect(await v1.list('/billing/list')).toHaveLength(1);
  });
});

describe('the products of a billing', () => {
  it('creates products once by externalId and updates them to the fields sent', async () => {
    const [first] = (await billing()).products;
    const changes = { name: 'Camiseta azul', description: 'Linho', price: 5900 };
    const second = await billing({ products: [{ ...SHIRT, ...changes, quantity: 1 }] });
    expect([second.amount, second.products]).toEqual([
      5900,
      [{ id: first?.id, externalId: 'shirt', quantity: 1 }],
    ]);
    expect(await products()).toMatchObject([{ id: first?.id, ...changes }]);
  });

  it.each([{ name: 'Camisa' }, { description: 'Linho' }, { price: 100 }])(
    'updates only %j of a product',
    async (change) => {
      await billing();
      await billing({ products: [{ ...SHIRT, ...change }] });
      const { quantity: _, ...kept } = { ...SHIRT, ...change };
      expect(await products()).toMatchObject([kept]);
    },
  );

  it("keeps a product's description if it is left out", async () => {
    await billing();
    const [{ description } = { description: '' }] = await products();
    await billing({ products: [{ ...SHIRT, description: undefined, price: 100 }] });
    await billing({ products: [{ ...SHIRT, description: null, price: 200 }] });
    expect(await products()).toMatchObject([{ description, price: 200 }]);
  });

  it('applies name and price to the billing alone if v2 created the product', async () => {
    const made = await buildProduct(api, { externalId: 'shirt', name: 'Algodão', price: 9900 });
    const { id, amount, products: billed } = await billing();
    expect([amount, billed[0]?.id]).toEqual([9800, made.id]);
    expect(await products()).toEqual([made]);
    const page = await fetch((await inV2(id)).url);
    expect(await page.text()).toContain(SHIRT.name);
  });

  it("keeps the amount of an earlier billing when a product's price changes", async () => {
    const { id } = await billing();
    await billing({ products: [{ ...SHIRT, price: 9900 }] });
    expect(await inV2(id)).toMatchObject({ amount: 9800 });
  });

  it('leaves unchanged products unwritten', async () => {
    await billing();
    const before = await products();
    await billing();
    expect(await products()).toEqual(before);
  });

  it('accepts a product twice, each time with its own price', async () => {
    const made = await billing({ products: [SHIRT, { ...SHIRT, price: 100, quantity: 1 }] });
    expect(made).toMatchObject({ amount: 9900, products: [{ quantity: 2 }, { quantity: 1 }] });
    expect(await products()).toMatchObject([{ price: 100 }]);
  });

  it('creates each product once for 30 billings at once', async () => {
    const wanted = Array.from({ length: 30 }, (_, index) => [
      { ...SHIRT, externalId: `p${index % 2}`, price: 100 + index },
      { ...SHIRT, externalId: `p${(index + 1) % 2}`, price: 100 + index },
    ]);
    const answers = await Promise.all(wanted.map((products) => create({ products })));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    expect(await products()).toHaveLength(2);
  });

  it('creates a deleted product again', async () => {
    const [first] = (await billing()).products;
    await api.post(`/v2/products/delete?id=${first?.id}`);
    const [second] = (await billing()).products;
    expect(second?.id).not.toBe(first?.id);
  });

  it('refuses the product of a subscription', async () => {
    const plan = await buildProduct(api, { externalId: 'shirt', cycle: 'MONTHLY' });
    expect(await create()).toMatchObject({
      status: 422,
      json: { error: expect.stringMatching(/^products\[0\]\.externalId: .*cycle/) },
    });
    expect(await products()).toEqual([plan]);
  });
});

describe('the customer of a billing', () => {
  it('reuses the customer with the tax id and fills in missing fields only', async () => {
    const known = await buildCustomer(api, { taxId: ANA.taxId, name: 'Ana Maria' });
    expect((await billing({ customer: ANA })).customer).toMatchObject({
      id: known.id,
      metadata: { name: 'Ana Maria', cellphone: ANA.cellphone },
    });
    expect(await customers()).toHaveLength(1);
  });

  it('accepts a customer by id', async () => {
    const { id } = await buildCustomer(api);
    expect((await billing({ customerId: id })).customer?.id).toBe(id);
  });

  it('pre-fills a payment link with the customer', async () => {
    const made = await billing({ customer: ANA, frequency: 'MULTIPLE_PAYMENTS' });
    expect(await inV2(made.id)).toMatchObject({ customerId: made.customer?.id });
    expect(await (await fetch(made.url)).text()).toContain(`value="${ANA.name}"`);
  });

  it('keeps the id of a deleted customer without the personal data', async () => {
    const made = await billing({ customer: ANA });
    await api.post(`/v2/customers/delete?id=${made.customer?.id}`);
    const [listed] = await v1.list<BillingView>('/billing/list');
    const erased = { name: '', cellphone: '', email: '', taxId: '' };
    expect(listed?.customer).toEqual({ id: made.customer?.id, devMode: true, metadata: erased });
  });
});

describe('coupons of a billing', () => {
  it('ignores coupons unless allowCoupons is true', async () => {
    await buildCoupon(api, { code: 'OFF' });
    const { id, ...made } = await billing({ coupons: ['OFF'] });
    expect(made).toMatchObject({ allowCoupons: false, coupons: [] });
    expect((await inV2(id)).coupons).toEqual([]);
  });

  it('accepts allowCoupons without a coupon', async () => {
    const { id } = await billing({ allowCoupons: true });
    expect(await v1.list('/billing/list')).toMatchObject([{ id, allowCoupons: true, coupons: [] }]);
  });
});

describe('a billing is refused, and leaves nothing behind,', () => {
  it.each([
    [400, 'methods', { methods: undefined }],
    [400, 'methods', { methods: [] }],
    [400, 'methods[0]', { methods: ['BOLETO'] }],
    [400, 'methods', { methods: ['PIX', 'PIX'] }],
    [400, 'frequency', { frequency: 'SUBSCRIPTION' }],
    [400, 'products', { products: undefined }],
    [400, 'products', { products: [] }],
    [400, 'products[0].price', { products: [{ ...SHIRT, price: 99 }] }],
    [400, 'products[0].quantity', { products: [{ ...SHIRT, quantity: 1.5 }] }],
    [400, 'products[0].sku', { products: [{ ...SHIRT, sku: 'x' }] }],
    [422, 'products', { products: [{ ...SHIRT, price: 9_999_999_999 }] }],
    [400, 'returnUrl', { returnUrl: undefined }],
    [400, 'completionUrl', { completionUrl: 'thanks' }],
    [400, 'customer.cellphone', { customer: { ...ANA, cellphone: undefined } }],
    [422, 'customer.taxId', { customer: { ...ANA, taxId: '529.982.247-26' } }],
    [422, 'customerId', { customer: ANA, customerId: 'cust_1' }],
    [422, 'customerId', { customerId: 'cust_1' }],
    [422, 'coupons[0]', { customer: ANA, allowCoupons: true, coupons: ['NONE'] }],
    [400, 'coupons', { allowCoupons: true, coupons: Array.from({ length: 51 }, () => 'A') }],
    [400, 'items', { items: [] }],
  ])('returns %d naming %s and stores nothing, case %#', async (status, field, changes) => {
    const answer = await create(changes);
    expect([answer.status, answer.json.error?.split(': ')[0]]).toEqual([status, field]);
    expect([await v1.list('/billing/list'), await products(), await customers()]).toEqual([[], [], []]);
  });

  it('returns 422 if the key has no payment provider', async () => {
    const production = documented.as(await app.clientWith({ storeId, devMode: false }));
    expect(await production.post('/billing/create', BODY)).toMatchObject({
      status: 422,
      json: { data: null, error: 'No payment provider configured' },
    });
  });
});

describe('the list of billings', () => {
  it('lists checkouts and payment links of v2, newest first, without subscriptions', async () => {
    const customer = await buildCustomer(api, { taxId: ANA.taxId });
    const { code } = await buildCoupon(api);
    const checkout = await buildCheckout(api, {
      customerId: customer.id,
      coupons: [code],
      methods: ['BOLETO', 'CARD'],
    });
    const link = await buildPaymentLink(api);
    await insertSubscription({ database: app.database, storeId });
    const { id } = await billing();
    const listed = await v1.list<BillingView>('/billing/list');
    expect(listed.map((one) => one.id)).toEqual([id, link.id, checkout.id]);
    expect(listed[2]).toEqual({
      id: checkout.id,
      externalId: null,
      url: checkout.url,
      status: 'PENDING',
      devMode: true,
      methods: ['CARD'],
      products: [{ id: checkout.items[0]?.id, externalId: expect.stringMatching(/^product-/), quantity: 2 }],
      frequency: 'ONE_TIME',
      amount: 5000,
      nextBilling: null,
      customer: {
        id: customer.id,
        devMode: true,
        metadata: { name: 'Ana Souza', cellphone: '', email: 'ana@example.com', taxId: ANA.taxId },
      },
      allowCoupons: true,
      coupons: [code],
      couponsUsed: [],
      metadata: { fee: 250, returnUrl: '', completionUrl: '' },
      createdAt: checkout.createdAt,
      updatedAt: checkout.updatedAt,
    });
  });

  it.each(['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED'] as const)(
    'shows the status %s as v2 does',
    async (status) => {
      const id = (await billing()).id as CheckoutId;
      await app.database.em.fork().nativeUpdate(CheckoutEntity, { id }, { status });
      expect(await v1.list('/billing/list')).toMatchObject([{ id, status }]);
    },
  );

  it("lists only billings of the key's own store", async () => {
    await billing();
    expect(await documented.list('/billing/list')).toEqual([]);
  });
});
