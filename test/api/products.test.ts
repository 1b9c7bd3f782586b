import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProductView } from '../../src/api/products/schema.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildProduct, productBody } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';

const CREATE = '/v2/products/create';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const listed = async (query: string) =>
  dataOf<ProductView[]>(await app.api.get(`/products/list?${query}`)).map(({ id }) => id);
const countProducts = async () => {
  const [row] = await app.database.em.fork().execute<{ count: string }[]>('select count(*) from products');
  return Number(row?.count);
};

describe('a product', () => {
  it('returns every field of the contract and finds it by id or externalId', async () => {
    const body = {
      externalId: 'shirt-1',
      name: 'Camiseta',
      price: 7990,
      currency: 'BRL',
      description: 'Algodão',
      imageUrl: 'https://example.com/shirt.png',
    };
    const answer = await app.api.post(CREATE, body);
    expect(answer.json).toEqual({
      data: {
        id: expect.stringMatching(/^prod_[0-9A-Z]{26}$/),
        ...body,
        cycle: null,
        trialDays: null,
        billUsageOnCancel: false,
        usageCycle: null,
        usagePrice: null,
        status: 'ACTIVE',
        hasFile: false,
        devMode: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
      success: true,
      error: null,
    });
    const product = dataOf<ProductView>(answer);
    expect(dataOf(await app.api.get(`/v2/products/get?id=${product.id}`))).toEqual(product);
    expect(dataOf(await app.api.get('/products/get?externalId=shirt-1'))).toEqual(product);
  });

  it('returns hasFile and never the address of the file', async () => {
    const fileUrl = 'https://example.com/files/manual.pdf';
    const { id } = await buildProduct(app.api, { fileUrl });
    for (const path of [`/products/get?id=${id}`, `/products/list?id=${id}`]) {
      const { text } = await app.api.get(path);
      expect(text).toContain('"hasFile":true');
      expect(text).not.toContain('manual.pdf');
    }
  });

  it.each(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY', null])(
    'accepts the cycle %s',
    async (cycle) => {
      expect(await buildProduct(app.api, { cycle })).toMatchObject({ cycle });
    },
  );

  it('stores the cycle YEARLY as ANNUALLY', async () => {
    expect(await buildProduct(app.api, { cycle: 'YEARLY' })).toMatchObject({ cycle: 'ANNUALLY' });
  });

  it('accepts a trial of 1 to 90 days with a cycle', async () => {
    for (const trialDays of [1, 90]) {
      expect(await buildProduct(app.api, { cycle: 'MONTHLY', trialDays })).toMatchObject({ trialDays });
    }
  });

  it.each([{}, { cycle: null }])('refuses a trial without a cycle: %p', async (cycle) => {
    expect(await app.api.post(CREATE, productBody({ ...cycle, trialDays: 14 }))).toMatchObject({
      status: 422,
      json: { code: 'NOT_ACCEPTABLE', issues: [{ path: 'trialDays' }] },
    });
  });

  it('creates a product once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'product-1' };
    const body = productBody();
    const first = await app.api.post(CREATE, body, { headers });
    expect(dataOf(await app.api.post(CREATE, body, { headers }))).toEqual(dataOf(first));
    expect((await app.api.post(CREATE, body)).status).toBe(409);
  });

  it('requires exactly one of id and externalId', async () => {
    const { id, externalId } = await buildProduct(app.api);
    for (const query of ['', `?id=${id}&externalId=${externalId}`])
      expect(await app.api.get(`/products/get${query}`)).toMatchObject({
        status: 400,
        json: { error: 'id: exactly one of id and externalId is required' },
      });
  });
});

describe('products/update', () => {
  const update = (body: object, api = app.api) => api.post('/v2/products/update', body);

  it('changes what is sent; what is left out stays as it is, and null removes', async () => {
    const imageUrl = 'https://example.com/shirt.png';
    const { id, ...product } = await buildProduct(app.api, { description: 'Algodão', imageUrl });
    const fileUrl = 'https://example.com/files/manual.pdf';
    expect(dataOf(await update({ id, name: 'Camiseta preta', fileUrl }))).toMatchObject({
      name: 'Camiseta preta',
      description: 'Algodão',
      imageUrl,
      hasFile: true,
      price: product.price,
    });
    const removed = dataOf(await update({ id, description: null, imageUrl: null, fileUrl: null }));
    expect(removed).toMatchObject({
      description: null,
      imageUrl: null,
      hasFile: false,
      name: 'Camiseta preta',
    });
    expect(dataOf(await app.api.get(`/products/get?id=${id}`))).toEqual(removed);
  });

  it('accepts unchanged fields and names every field that cannot change', async () => {
    const { id, externalId, price, currency, cycle, trialDays, name } = await buildProduct(app.api, {
      cycle: 'MONTHLY',
      trialDays: 7,
    });
    const same = { id, externalId, price, currency, cycle, trialDays, name };
    expect((await update(same)).status).toBe(200);
    const other = { externalId: 'other', price: price + 1, cycle: null, trialDays: null, name: 'X' };
    const answer = await update({ ...same, ...other });
    expect(answer).toMatchObject({ status: 422, json: { code: 'NOT_ACCEPTABLE' } });
    expect(answer.json.issues?.map(({ path }) => path)).toEqual([
      'externalId',
      'price',
      'cycle',
      'trialDays',
    ]);
    expect(dataOf(await app.api.get(`/products/get?id=${id}`))).toMatchObject({ ...same, name });
  });

  it('keeps the name in an existing checkout when its product is renamed', async () => {
    const { id } = await buildProduct(app.api, { name: 'Camiseta' });
    const checkout = await buildCheckout(app.api, { items: [{ id, quantity: 1 }] });
    await update({ id, name: 'Bermuda' });
    const items = [expect.objectContaining({ productId: id, name: 'Camiseta', unitPriceCents: 2_500 })];
    const row = await app.database.em.fork().findOneOrFail(CheckoutEntity, { id: checkout.id as CheckoutId });
    expect(row.items).toEqual(items);
  });

  it('returns 404 for products of another store or environment, and for deleted ones', async () => {
    const { id } = await buildProduct(app.api);
    const { id: storeId } = await createTestStore(app.database);
    for (const stranger of [{ storeId }, { devMode: false }])
      expect((await update({ id, name: 'X' }, await app.clientWith(stranger))).status).toBe(404);
    await app.api.post(`/products/delete?id=${id}`);
    expect((await update({ id, name: 'X' })).status).toBe(404);
  });
});

describe('an archived product', () => {
  const move = (step: 'archive' | 'restore', id: string, api = app.api) =>
    api.post(`/v2/products/${step}`, { id });

  it('archives and restores once for any number of requests', async () => {
    const { updatedAt, ...product } = await buildProduct(app.api);
    const archived = await Promise.all(Array.from({ length: 5 }, () => move('archive', product.id)));
    const [first] = archived.map((answer) => dataOf<ProductView>(answer));
    expect(first).toMatchObject({ ...product, status: 'ARCHIVED' });
    for (const answer of archived) expect(dataOf(answer)).toEqual(first);
    const restored = dataOf<ProductView>(await move('restore', product.id));
    expect(restored).toMatchObject({ ...product, status: 'ACTIVE' });
    expect(dataOf(await move('restore', product.id))).toEqual(restored);
  });

  it('keeps its externalId', async () => {
    const { id, externalId } = await buildProduct(app.api);
    await move('archive', id);
    expect((await app.api.post(CREATE, productBody({ externalId }))).status).toBe(409);
    expect(dataOf(await app.api.get(`/products/get?externalId=${externalId}`))).toMatchObject({ id });
  });

  it('returns 422 wherever products are sold until it is restored', async () => {
    const { id, externalId, name, price } = await buildProduct(app.api);
    const { id: planId } = await buildProduct(app.api, { cycle: 'MONTHLY' });
    const { id: soldId } = await buildProduct(app.api);
    const items = [{ id, quantity: 1 }];
    const billing = {
      frequency: 'ONE_TIME',
      methods: ['PIX'],
      products: [{ externalId, name, price, quantity: 1 }],
      returnUrl: 'https://example.com',
      completionUrl: 'https://example.com',
      customer: { name: 'Ana', email: 'ana@example.com', cellphone: '11912345678', taxId: '52998224725' },
    };
    const sales = {
      'items[0].id': () => app.api.post('/v2/checkouts/create', { items }),
      'items[0].id of a link': () => app.api.post('/v2/payment-links/create', { items }),
      'items[0].id of a subscription': () =>
        app.api.post('/v2/subscriptions/create', { items: [{ id: planId, quantity: 1 }] }),
      upSellProductId: () =>
        app.api.post('/v2/checkouts/create', { items: [{ id: soldId, quantity: 1 }], upSellProductId: id }),
      'products[0].externalId': () => app.api.post('/v1/billing/create', billing),
    };
    for (const product of [id, planId]) await move('archive', product);
    for (const [path, sell] of Object.entries(sales)) {
      const refused = await sell();
      expect([path, refused.status, JSON.stringify(refused.json)]).toEqual([
        path,
        422,
        expect.stringContaining('is archived'),
      ]);
    }
    for (const product of [id, planId]) await move('restore', product);
    for (const [path, sell] of Object.entries(sales))
      expect([path, (await sell()).status]).toEqual([path, 200]);
  });

  it('returns 404 for a product of another store or environment, and for a deleted one', async () => {
    const { id } = await buildProduct(app.api);
    const { id: storeId } = await createTestStore(app.database);
    for (const stranger of [{ storeId }, { devMode: false }])
      for (const step of ['archive', 'restore'] as const)
        expect((await move(step, id, await app.clientWith(stranger))).status).toBe(404);
    await app.api.post(`/products/delete?id=${id}`);
    for (const step of ['archive', 'restore'] as const) expect((await move(step, id)).status).toBe(404);
  });
});

describe('an externalId', () => {
  it('returns 409 for a used externalId, whatever the content', async () => {
    const body = productBody();
    await app.api.post(CREATE, body);
    for (const again of [body, { ...body, price: 1 }])
      expect(await app.api.post(CREATE, again)).toMatchObject({
        status: 409,
        json: { code: 'EXTERNAL_ID_CONFLICT', issues: [{ path: 'externalId' }] },
      });
  });

  it('creates one product from 100 requests with the same externalId at once', async () => {
    const before = await countProducts();
    const body = productBody();
    const answers = await Promise.all(Array.from({ length: 100 }, () => app.api.post(CREATE, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    expect(await countProducts()).toBe(before + 1);
  });

  it('accepts the externalId of a deleted product again', async () => {
    const body = productBody();
    const first = await buildProduct(app.api, body);
    await app.api.post(`/products/delete?id=${first.id}`);
    const second = await buildProduct(app.api, body);
    expect(second.id).not.toBe(first.id);
    expect(dataOf(await app.api.get(`/products/get?externalId=${body.externalId}`))).toEqual(second);
  });
});

describe('refused products', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no externalId', { externalId: undefined }, 'externalId'],
    ['a blank name', { name: '  ' }, 'name'],
    ['no price', { price: undefined }, 'price'],
    ['a price of zero', { price: 0 }, 'price'],
    ['a fraction of a cent', { price: 25.5 }, 'price'],
    ['a price as text', { price: '2500' }, 'price'],
    ['more than a charge may be', { price: 10_000_000_000 }, 'price'],
    ['no currency', { currency: undefined }, 'currency'],
    ['another currency', { currency: 'USD' }, 'currency'],
    ['another cycle', { cycle: 'DAILY' }, 'cycle'],
    ['a trial of no days', { cycle: 'MONTHLY', trialDays: 0 }, 'trialDays'],
    ['a trial of 91 days', { cycle: 'MONTHLY', trialDays: 91 }, 'trialDays'],
    ['a misspelt field', { imageURL: null }, 'imageURL'],
    ['NUL in text', { name: 'a\0b' }, 'name'],
    ['a file over http', { fileUrl: 'http://example.com/a.pdf' }, 'fileUrl'],
    ['a picture that is a script', { imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
    ['a picture that is data', { imageUrl: 'data:image/png;base64,AAAA' }, 'imageUrl'],
    ['a picture with credentials', { imageUrl: 'https://user:secret@example.com/a.png' }, 'imageUrl'],
    ['a picture with a line break', { imageUrl: 'https://example.com/a\n.png' }, 'imageUrl'],
    ['a relative picture', { imageUrl: '/a.png' }, 'imageUrl'],
    ['a file over ftp', { fileUrl: 'ftp://example.com/a.pdf' }, 'fileUrl'],
  ])('%s is refused with 400 naming the field, and nothing is stored', async (_, changes, path) => {
    const before = await countProducts();
    const answer = await app.api.post(CREATE, productBody(changes));
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
    expect(await countProducts()).toBe(before);
  });
});

describe('a list of products', () => {
  it('filters products by id, externalId and status', async () => {
    const { id, externalId } = await buildProduct(app.api);
    for (const filter of [`id=${id}`, `externalId=${externalId}`, `id=${id}&status=ACTIVE`])
      expect([filter, await listed(filter)]).toEqual([filter, [id]]);
    for (const filter of ['id=prod_0', `id=${id}&externalId=x`]) expect(await listed(filter)).toEqual([]);
    await app.api.post('/products/archive', { id });
    expect(await listed(`id=${id}&status=ARCHIVED`)).toEqual([id]);
    expect(await listed(`id=${id}&status=ACTIVE`)).toEqual([]);
    expect((await app.api.get('/products/list?status=INACTIVE')).status).toBe(400);
  });
});

describe('a deleted product', () => {
  it('deletes a product once and then returns 404', async () => {
    const product = await buildProduct(app.api);
    const { id } = product;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.api.post(`/products/delete?id=${id}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
    expect(await app.api.get(`/products/get?id=${id}`)).toMatchObject({
      status: 404,
      json: { error: 'Product not found' },
    });
    expect((await app.api.get(`/products/get?externalId=${product.externalId}`)).status).toBe(404);
    expect(await listed(`id=${id}`)).toEqual([]);
  });
});

describe('usage at a cancellation', () => {
  it('charges by default for a product with a cycle, until it is changed', async () => {
    const monthly = { cycle: 'MONTHLY' } as const;
    expect(await buildProduct(app.api, monthly)).toMatchObject({ billUsageOnCancel: true });
    const off = await buildProduct(app.api, { ...monthly, billUsageOnCancel: false });
    expect(off).toMatchObject({ billUsageOnCancel: false });
    const changed = await app.api.post('/products/update', { id: off.id, billUsageOnCancel: true });
    expect(dataOf(changed)).toMatchObject({ billUsageOnCancel: true, name: off.name });
  });

  it.each(['MONTHLY', 'QUARTERLY', 'SEMIANNUALLY'])(
    'charges usage of a yearly plan %s',
    async (usageCycle) => {
      const product = await buildProduct(app.api, { cycle: 'ANNUALLY', usageCycle });
      expect(product).toMatchObject({ cycle: 'ANNUALLY', usageCycle });
      const { status, json } = await app.api.post('/products/update', { id: product.id, usageCycle: null });
      expect(status).toBe(422);
      expect(json).toMatchObject({ issues: [{ path: 'usageCycle', rule: 'NEVER_CHANGES' }] });
    },
  );

  it.each([
    [null, 'MONTHLY', 'is only for a product with a cycle'],
    ['WEEKLY', 'MONTHLY', 'is not possible for WEEKLY, whose usage is charged with the plan; leave it out'],
    ['MONTHLY', 'MONTHLY', 'is not possible for MONTHLY, whose usage is charged with the plan; leave it out'],
    ['QUARTERLY', 'SEMIANNUALLY', 'must be MONTHLY for QUARTERLY'],
    ['SEMIANNUALLY', 'SEMIANNUALLY', 'must be MONTHLY or QUARTERLY for SEMIANNUALLY'],
  ])('refuses for a cycle of %s usage that is charged %s', async (cycle, usageCycle, message) => {
    expect(await app.api.post(CREATE, productBody({ cycle, usageCycle }))).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'usageCycle', rule: 'USAGE_CYCLE_NOT_WITHIN_CYCLE', message }] },
    });
  });

  it('refuses a one-off product, and names everything else that is wrong', async () => {
    const body = productBody({ billUsageOnCancel: true, trialDays: 7 });
    expect(await app.api.post(CREATE, body)).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'trialDays' }, { path: 'billUsageOnCancel' }] },
    });
    const { id } = await buildProduct(app.api);
    expect(await app.api.post('/products/update', { id, billUsageOnCancel: true })).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'billUsageOnCancel', rule: 'FINAL_USAGE_WITHOUT_CYCLE' }] },
    });
  });
});

describe('another store and the other environment', () => {
  it("returns 404 for others' products and accepts the same externalId elsewhere", async () => {
    const mine = await buildProduct(app.api);
    const { id, externalId } = mine;
    const elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const production = await app.clientWith({ devMode: false });
    for (const client of [elsewhere, production]) {
      expect((await client.get(`/products/get?id=${id}`)).status).toBe(404);
      expect((await client.get(`/products/get?externalId=${externalId}`)).status).toBe(404);
      expect((await client.post(`/products/delete?id=${id}`)).status).toBe(404);
      expect(dataOf(await client.get('/products/list'))).toEqual([]);
      expect(await buildProduct(client, { externalId })).toMatchObject({ devMode: client !== production });
    }
    expect(dataOf(await app.api.get(`/products/get?id=${id}`))).toEqual(mine);
  });
});
