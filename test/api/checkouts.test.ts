import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, checkoutBody } from '../support/rows/checkouts.ts';

const CREATE = '/v2/checkouts/create';
const NOW = new Date('2026-12-04T15:00:00.000Z');

let app: TestApp;
let elsewhere: ApiClient;
/** What the starter was asked for, and whether the row could be seen from outside at that moment. */
const started: { readonly id: string; readonly wasCommitted: Promise<boolean> }[] = [];
beforeAll(async () => {
  app = await createTestApp({
    clock: () => NOW,
    starter: {
      startSoon: ({ id }) => {
        const found = app.database.em.fork().count(CheckoutEntity, { id: id as CheckoutId });
        started.push({ id, wasCommitted: found.then((count) => count === 1) });
      },
    },
  });
  elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
});
afterAll(() => app.close());

const create = async (changes: Record<string, unknown> = {}, options = {}) =>
  app.api.post(CREATE, await checkoutBody(app.api, changes), options);
const countCheckouts = () => app.database.em.fork().count(CheckoutEntity);
const startsOf = (id: string) => started.filter((start) => start.id === id);
/** One of a product at this price. */
const itemAt = async (price: number, quantity = 1) => [
  { id: (await buildProduct(app.api, { price })).id, quantity },
];

describe('a checkout', () => {
  it('returns every field that was sent, in the form of the contract', async () => {
    const [shirt, mug, cap] = [
      await buildProduct(app.api, { price: 2_500 }),
      await buildProduct(app.api, { price: 1_999 }),
      await buildProduct(app.api),
    ];
    const [ten, five] = [await buildCoupon(app.api), await buildCoupon(app.api)];
    const customer = await buildCustomer(app.api);
    const body = {
      items: [
        { id: shirt.id, quantity: 2 },
        { id: mug.id, quantity: 3 },
      ],
      frequency: 'ONE_TIME',
      externalId: 'order-1',
      returnUrl: 'https://shop.example.com/cart?a=1#top',
      completionUrl: 'http://localhost:3000/thanks',
      methods: ['BOLETO', 'CARD', 'PIX'],
      coupons: [ten.id, five.id],
      metadata: { b: 1, a: [2] },
      card: { maxInstallments: 3, passFeesToCustomer: true },
      interest: { value: 100 },
      fine: { value: 200, type: 'PERCENTAGE' },
      upSellProductId: cap.id,
      customerId: customer.id,
    };
    const answer = await app.api.post(CREATE, body);
    const { id } = dataOf<ShownCheckout>(answer);
    const { interest: _, fine: __, ...shown } = body;
    expect(id).toMatch(/^bill_[0-9A-Z]{26}$/);
    expect(answer.json).toEqual({
      data: {
        ...shown,
        id,
        url: `${app.api.url}/pay/${id}`,
        amount: 10_997,
        paidAmount: null,
        customerFee: null,
        customerNamedBy: 'MERCHANT',
        status: 'PENDING',
        devMode: true,
        receiptUrl: null,
        installmentsCount: null,
        expiresAt: '2027-01-03T15:00:00.000Z',
        createdAt: '2026-12-04T15:00:00.000Z',
        updatedAt: '2026-12-04T15:00:00.000Z',
      },
      success: true,
      error: null,
    });
    expect(answer.text).toContain('"metadata":{"b":1,"a":[2]}');
    expect(dataOf(await app.api.get(`/v2/checkouts/get?id=${id}`))).toEqual(dataOf(answer));
    const kept = await app.database.em.fork().findOneOrFail(CheckoutEntity, { id: id as CheckoutId });
    expect(kept).toMatchObject({ interest: body.interest, fine: body.fine });
  });

  it('requires products only, and defaults to PIX or card, one payment, 30 days', async () => {
    expect(await buildCheckout(app.api)).toMatchObject({
      amount: 5_000,
      frequency: 'ONE_TIME',
      methods: ['PIX', 'CARD'],
      coupons: [],
      card: { maxInstallments: 1 },
      customerId: null,
      externalId: null,
      returnUrl: null,
      completionUrl: null,
      upSellProductId: null,
      metadata: {},
      expiresAt: '2027-01-03T15:00:00.000Z',
    });
  });

  it('shows no installments without CARD', async () => {
    expect(await buildCheckout(app.api, { methods: ['PIX'] })).toMatchObject({
      methods: ['PIX'],
      card: null,
    });
  });

  it('serves checkouts without the version prefix too', async () => {
    const answer = await app.api.post('/checkouts/create', await checkoutBody(app.api));
    expect(dataOf<ShownCheckout>(answer).status).toBe('PENDING');
  });

  it('accepts a product in several items and drops a repeated coupon', async () => {
    const { id } = await buildProduct(app.api, { price: 100 });
    const coupon = await buildCoupon(app.api);
    const items = [
      { id, quantity: 1 },
      { id, quantity: 2 },
    ];
    const checkout = await buildCheckout(app.api, { items, coupons: [coupon.id, coupon.id] });
    expect(checkout).toMatchObject({ amount: 300, items, coupons: [coupon.id] });
  });

  it('returns the existing checkout for its externalId, whatever else the request says', async () => {
    const first = await buildCheckout(app.api, { externalId: 'order-9' });
    const again = await buildCheckout(app.api, { externalId: 'order-9', metadata: { other: true } });
    expect(again).toEqual(first);
    expect(startsOf(first.id)).toHaveLength(1);
    expect((await buildCheckout(elsewhere, { externalId: 'order-9' })).id).not.toBe(first.id);
  });

  it('makes one checkout of ten parallel requests with one externalId', async () => {
    const body = await checkoutBody(app.api, { externalId: 'order-10' });
    const before = await countCheckouts();
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.api.post(CREATE, body)));
    expect(new Set(answers.map((answer) => dataOf<ShownCheckout>(answer).id)).size).toBe(1);
    expect(await countCheckouts()).toBe(before + 1);
  });

  it('makes one new checkout of parallel requests once the old one is cancelled', async () => {
    const body = await checkoutBody(app.api, { externalId: 'order-11' });
    const { id } = dataOf<ShownCheckout>(await app.api.post(CREATE, body));
    const cancelled = { status: 'CANCELLED' as const };
    await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: id as CheckoutId }, cancelled);
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.api.post(CREATE, body)));
    const ids = new Set(answers.map((answer) => dataOf<ShownCheckout>(answer).id));
    expect([ids.size, ids.has(id)]).toEqual([1, false]);
  });

  it('accepts the same externalId for several payment links', async () => {
    const linked = { externalId: 'campaign', frequency: 'MULTIPLE_PAYMENTS' };
    const [first, second] = [await buildCheckout(app.api, linked), await buildCheckout(app.api, linked)];
    expect(first.id).not.toBe(second.id);
  });

  it("accepts a product's externalId, and one piece without a quantity", async () => {
    const product = await buildProduct(app.api, { price: 4_200 });
    const checkout = await buildCheckout(app.api, { items: [{ id: product.externalId }] });
    expect(checkout).toMatchObject({ amount: 4_200, items: [{ id: product.id, quantity: 1 }] });
    const unknown = await create({ items: [{ id: 'nobody-sells-this' }] });
    expect(unknown.status).toBe(422);
  });

  it('accepts the externalId of the product of an upsell', async () => {
    const { id, externalId } = await buildProduct(app.api);
    expect(await buildCheckout(app.api, { upSellProductId: externalId })).toMatchObject({
      upSellProductId: id,
    });
  });

  it('accepts a total of the largest allowed amount', async () => {
    expect((await create({ items: await itemAt(9_999_999_999) })).status).toBe(200);
  });

  it("keeps the product's price and name after the product is deleted and recreated", async () => {
    const product = await buildProduct(app.api, { price: 2_500, name: 'Camiseta' });
    const checkout = await buildCheckout(app.api, { items: [{ id: product.id, quantity: 2 }] });
    await app.api.post(`/products/delete?id=${product.id}`);
    await buildProduct(app.api, { externalId: product.externalId, price: 9_900, name: 'Outra' });
    expect(dataOf(await app.api.get(`/checkouts/get?id=${checkout.id}`))).toEqual(checkout);
    const { items } = await app.database.em
      .fork()
      .findOneOrFail(CheckoutEntity, { id: checkout.id as CheckoutId });
    expect(items).toMatchObject([{ name: 'Camiseta', unitPriceCents: 2_500 }]);
  });
});

describe('installments', () => {
  it('accepts installments of R$ 10 each', async () => {
    const checkout = await buildCheckout(app.api, {
      items: await itemAt(12_000),
      card: { maxInstallments: 12 },
    });
    expect(checkout.card).toEqual({ maxInstallments: 12, passFeesToCustomer: false });
  });

  it('refuses installments below R$ 10 with the error of the contract', async () => {
    const answer = await create({ items: await itemAt(2_999), card: { maxInstallments: 3 } });
    const error = 'Total below minimum for 3x (R$10 per installment)';
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        data: null,
        success: false,
        error,
        code: 'NOT_ACCEPTABLE',
        rule: 'INSTALLMENT_TOO_SMALL',
        issues: [{ path: 'card.maxInstallments', message: error, rule: 'INSTALLMENT_TOO_SMALL' }],
      },
    ]);
  });

  it('applies no minimum to a single installment', async () => {
    expect((await create({ items: await itemAt(1), card: { maxInstallments: 1 } })).status).toBe(200);
  });
});

describe('the workflow of a checkout', () => {
  it('starts the workflow exactly once, after the commit', async () => {
    const { id } = await buildCheckout(app.api);
    expect(startsOf(id)).toHaveLength(1);
    expect(await startsOf(id)[0]?.wasCommitted).toBe(true);
  });

  it('starts the workflow once if the request is repeated with its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'checkout-1' };
    const body = await checkoutBody(app.api);
    const before = await countCheckouts();
    const first = await app.api.post(CREATE, body, { headers });
    const second = await app.api.post(CREATE, body, { headers });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await countCheckouts()).toBe(before + 1);
    const starts = startsOf(dataOf<ShownCheckout>(first).id);
    expect(starts).toHaveLength(1);
    expect(await starts[0]?.wasCommitted).toBe(true);
  });

  it.each([[{}], [{ 'Idempotency-Key': 'rolled-back' }]])(
    'never starts the workflow if the commit fails, with headers %j',
    async (headers) => {
      // Deferred: everything up to the commit works.
      await app.database.em.fork().execute(`
        create or replace function refuse() returns trigger language plpgsql as
          $$ begin raise exception 'refused at commit'; end $$;
        create constraint trigger refused after insert on checkouts deferrable initially deferred
          for each row when (new.external_id = 'refused at commit') execute function refuse()`);
      const before = [await countCheckouts(), started.length];
      const answer = await create({ externalId: 'refused at commit' }, { headers });
      await app.database.em.fork().execute('drop trigger refused on checkouts');
      expect(answer).toMatchObject({ status: 500, json: { code: 'INTERNAL_ERROR' } });
      expect([await countCheckouts(), started.length]).toEqual(before);
    },
  );
});

describe('malformed checkouts', () => {
  const item = { id: 'prod_1', quantity: 1 };
  it.each<[string, Record<string, unknown>, string]>([
    ['no item', { items: [] }, 'items'],
    ['101 items', { items: Array(101).fill(item) }, 'items'],
    ['items that are no list', { items: item }, 'items'],
    ['an item without id', { items: [{ quantity: 1 }] }, 'items[0].id'],
    ['a quantity of 0', { items: [{ ...item, quantity: 0 }] }, 'items[0].quantity'],
    ['a negative quantity', { items: [{ ...item, quantity: -1 }] }, 'items[0].quantity'],
    ['a quantity of 1.5', { items: [{ ...item, quantity: 1.5 }] }, 'items[0].quantity'],
    ['a quantity as text', { items: [{ ...item, quantity: '1' }] }, 'items[0].quantity'],
    ['a quantity of 1 000 001', { items: [{ ...item, quantity: 1_000_001 }] }, 'items[0].quantity'],
    ['a price of its own', { items: [{ ...item, price: 1 }] }, 'items[0].price'],
    ['another frequency', { frequency: 'SUBSCRIPTION' }, 'frequency'],
    ['no method', { methods: [] }, 'methods'],
    ['a method twice', { methods: ['PIX', 'PIX'] }, 'methods'],
    ['a method of no kind', { methods: ['CASH'] }, 'methods[0]'],
    ['an amount', { amount: 1 }, 'amount'],
    ['a misspelt field', { returnURL: 'https://shop.example.com' }, 'returnURL'],
    ['a script as return address', { returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    ['a script in disguise', { completionUrl: ' java\nscript:alert(1)' }, 'completionUrl'],
    ['a data: address', { completionUrl: 'data:text/html,<script>alert(1)</script>' }, 'completionUrl'],
    ['a relative return address', { returnUrl: '/cart' }, 'returnUrl'],
    ['a return address with a password', { returnUrl: 'https://bank@shop.example.com' }, 'returnUrl'],
    ['a return address of 2001 characters', { returnUrl: `https://a.bc/${'x'.repeat(1_988)}` }, 'returnUrl'],
    ['0 installments', { card: { maxInstallments: 0 } }, 'card.maxInstallments'],
    ['13 installments', { card: { maxInstallments: 13 } }, 'card.maxInstallments'],
    ['a card number', { card: { maxInstallments: 1, number: '4242424242424242' } }, 'card.number'],
    ['51 coupons', { coupons: Array.from({ length: 51 }, (_, index) => `C${index}`) }, 'coupons'],
    ['a coupon that is no text', { coupons: [10] }, 'coupons[0]'],
    ['a NUL in a coupon', { coupons: ['A\0'] }, 'coupons[0]'],
    ['a blank externalId', { externalId: ' ' }, 'externalId'],
    ['negative interest', { methods: ['BOLETO'], interest: { value: -1 } }, 'interest.value'],
    ['a fine of no type', { methods: ['BOLETO'], fine: { value: 1 } }, 'fine.type'],
    ['metadata that is no object', { metadata: [] }, 'metadata'],
  ])('refuses %s with a 400 that names the field, and stores nothing', async (_, changes, path) => {
    const before = await countCheckouts();
    const answer = await app.api.post(CREATE, { items: [item], ...changes });
    expect(answer).toMatchObject({ status: 400, json: { data: null, code: 'VALIDATION_ERROR' } });
    expect(answer.json.issues?.map((issue) => issue.path)).toContain(path);
    expect(answer.json.error).toContain(path);
    expect(await countCheckouts()).toBe(before);
  });
});

describe('late charges', () => {
  const terms = { interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } };
  const keptOf = async (changes: Record<string, unknown>) => {
    const { id } = dataOf<ShownCheckout>(await create(changes));
    return app.database.em.fork().findOneOrFail(CheckoutEntity, { id: id as CheckoutId });
  };

  it('stores interest and fine for boletos, and null if they are empty', async () => {
    expect(await keptOf({ methods: ['PIX', 'BOLETO'], ...terms })).toMatchObject(terms);
    const none = { interest: {}, fine: { type: 'FIXED' } };
    expect(await keptOf({ methods: ['BOLETO'], ...none })).toMatchObject({ interest: null, fine: null });
  });

  it.each([terms, { interest: 'soon', fine: -1 }, { interest: null, fine: {} }])(
    'ignores interest and fine without BOLETO: %j',
    async (given) => {
      expect(await keptOf({ methods: ['PIX', 'CARD'], ...given })).toMatchObject({
        interest: null,
        fine: null,
      });
    },
  );
});

describe('nullable fields', () => {
  it('accepts null for nullable fields', async () => {
    const asked = { externalId: null, returnUrl: null, completionUrl: null, customerId: null };
    const none = { ...asked, card: null, upSellProductId: null, metadata: null, interest: null, fine: null };
    expect(dataOf(await create({ methods: ['PIX'], ...none }))).toMatchObject({
      ...asked,
      card: null,
      upSellProductId: null,
      metadata: {},
    });
  });
});

describe('checkouts that break a business rule', () => {
  const deletedProduct = async () => {
    const { id } = await buildProduct(app.api);
    await app.api.post(`/products/delete?id=${id}`);
    return id;
  };
  const deletedCustomer = async () => {
    const { id } = await buildCustomer(app.api);
    await app.api.post(`/customers/delete?id=${id}`);
    return id;
  };
  const withCycle = async () => (await buildProduct(app.api, { cycle: 'MONTHLY' })).id;
  const itemOf = (id: string) => ({ id, quantity: 1 });
  const good = async () => itemOf((await buildProduct(app.api)).id);

  type Case = [what: string, changes: () => Promise<Record<string, unknown>>, path: string];
  it.each<Case>([
    ['an unknown product', async () => ({ items: [await good(), itemOf('prod_0')] }), 'items[1].id'],
    [
      'a product of another store',
      async () => ({ items: [itemOf((await buildProduct(elsewhere)).id)] }),
      'items[0].id',
    ],
    [
      'a product of the other environment',
      async () => {
        const production = await app.clientWith({ devMode: false });
        return { items: [itemOf((await buildProduct(production)).id)] };
      },
      'items[0].id',
    ],
    ['a product with a cycle', async () => ({ items: [itemOf(await withCycle())] }), 'items[0].id'],
    ['a deleted product', async () => ({ items: [itemOf(await deletedProduct())] }), 'items[0].id'],
    ['a total one cent too large', async () => ({ items: await itemAt(5_000_000_000, 2) }), 'items'],
    [
      'a total beyond exact numbers',
      async () => ({ items: Array(100).fill((await itemAt(9_999_999_999, 1_000_000))[0]) }),
      'items',
    ],
    [
      'installments without CARD',
      async () => ({ methods: ['PIX', 'BOLETO'], card: { maxInstallments: 2 } }),
      'card',
    ],
    [
      'a boleto of 299 cents',
      async () => ({ items: await itemAt(299), methods: ['PIX', 'BOLETO'] }),
      'methods',
    ],
    ['an unknown customer', async () => ({ customerId: 'cust_0' }), 'customerId'],
    [
      'a customer of another store',
      async () => ({ customerId: (await buildCustomer(elsewhere)).id }),
      'customerId',
    ],
    ['a deleted customer', async () => ({ customerId: await deletedCustomer() }), 'customerId'],
    ['an unknown upsell', async () => ({ upSellProductId: 'prod_0' }), 'upSellProductId'],
    ['an upsell with a cycle', async () => ({ upSellProductId: await withCycle() }), 'upSellProductId'],
    ['a deleted upsell', async () => ({ upSellProductId: await deletedProduct() }), 'upSellProductId'],
    [
      'an upsell of another store',
      async () => ({ upSellProductId: (await buildProduct(elsewhere)).id }),
      'upSellProductId',
    ],
  ])('refuses %s with a 422 that names the field, and stores nothing', async (_, changes, path) => {
    const body = await checkoutBody(app.api, await changes());
    const before = await countCheckouts();
    const answer = await app.api.post(CREATE, body);
    expect([answer.status, answer.json.code, answer.json.issues?.[0]?.path]).toEqual([
      422,
      'NOT_ACCEPTABLE',
      path,
    ]);
    expect(answer.json.error).toContain(path);
    expect(await countCheckouts()).toBe(before);
  });

  const deletedCoupon = async () => {
    const { id } = await buildCoupon(app.api);
    await app.api.post(`/coupons/delete?id=${id}`);
    return id;
  };
  const switchedOff = async () => {
    const { id } = await buildCoupon(app.api);
    await app.api.post(`/coupons/toggle?id=${id}`);
    return id;
  };
  const usedUp = async () => {
    const { id } = await buildCoupon(app.api, { maxRedeems: 1 });
    await app.database.em.fork().nativeUpdate(CouponEntity, { code: id }, { redeemsCount: 1 });
    return id;
  };
  it.each<[string, () => Promise<string>, string]>([
    ['an unknown coupon', async () => 'NO-SUCH-COUPON', 'unknown'],
    ['a coupon in other capitals', async () => (await buildCoupon(app.api)).id.toLowerCase(), 'unknown'],
    ['a coupon of another store', async () => (await buildCoupon(elsewhere)).id, 'unknown'],
    ['a deleted coupon', deletedCoupon, 'unknown'],
    ['a coupon that is switched off', switchedOff, 'inactive'],
    ['a coupon that is used up', usedUp, 'used up'],
    [
      'a coupon whose last day has passed',
      async () => (await buildCoupon(app.api, { validUntil: '2020-01-01' })).id,
      'no longer valid',
    ],
  ])('refuses a second coupon, %s, with 422 and stores nothing', async (_, coupon, reason) => {
    const coupons = [(await buildCoupon(app.api)).id, await coupon()];
    const before = await countCheckouts();
    expect(await create({ coupons })).toMatchObject({
      status: 422,
      json: {
        code: 'COUPON_NOT_ACCEPTED',
        error: `coupons[1]: is ${reason}`,
        issues: [{ path: 'coupons[1]' }],
      },
    });
    expect(await countCheckouts()).toBe(before);
  });

  it('refuses a checkout with a production key if no provider is configured', async () => {
    const production = await app.clientWith({ devMode: false });
    const body = await checkoutBody(production);
    const before = [await countCheckouts(), started.length];
    expect(await production.post(CREATE, body)).toMatchObject({
      status: 422,
      json: { code: 'NO_PAYMENT_PROVIDER', error: 'No payment provider configured' },
    });
    expect([await countCheckouts(), started.length]).toEqual(before);
  });
});
