import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProductView } from '../../src/api/products/schema.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import { UsageRecordEntity } from '../../src/database/entities/usage-record.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { buildProduct, productBody } from '../support/rows/catalog.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

const NOW = new Date('2026-12-04T15:00:00.000Z');
const MAX = 9_999_999_999;
const TIERS = [
  { upTo: 100, unitPrice: 10 },
  { upTo: 1_000, unitPrice: 8, flatPrice: 500 },
  { upTo: null, unitPrice: 5 },
];
const GRADUATED = { model: 'GRADUATED', tiers: TIERS };
const VOLUME = { model: 'VOLUME', tiers: TIERS };
const PACKAGE = { model: 'PACKAGE', packageSize: 1_000 };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOW });
});
afterAll(() => app.close());

const meter = (usagePrice: object, price = 200) => buildProduct(app.api, { price, usagePrice });
const subscribed = (changes = {}) =>
  insertSubscription({ database: app.database, storeId: app.storeId }, changes);
const record = (id: string, productId: string, units: number, action = 'add') =>
  app.api.post('/v2/subscriptions/record-usage', { id, productId, units, action });
const usageOf = async (id: string) =>
  dataOf<{ usage: object }>(await app.api.get(`/v2/subscriptions/get?id=${id}`)).usage;

/** The order of responses. */
const byId = <Any extends { id: string }>(all: Any[]) =>
  all.sort((one, other) => (one.id < other.id ? -1 : 1));

describe('the usage price of a product', () => {
  it('stores and shows a price, and refuses every change of it', async () => {
    const product = await meter({ ...GRADUATED, includedUnits: 20 });
    const usagePrice = {
      model: 'GRADUATED',
      includedUnits: 20,
      packageSize: null,
      tiers: TIERS.map((tier) => ({ flatPrice: 0, ...tier })),
    };
    expect(product).toMatchObject({ usagePrice });
    const update = (changes: object) => app.api.post('/products/update', { id: product.id, ...changes });
    expect(dataOf(await update({ name: 'Mensagens', usagePrice }))).toMatchObject({ usagePrice });
    for (const other of [null, VOLUME, { ...usagePrice, includedUnits: 21 }])
      expect(await update({ usagePrice: other })).toMatchObject({
        status: 422,
        json: { issues: [{ path: 'usagePrice', rule: 'NEVER_CHANGES' }] },
      });
    const plain = await buildProduct(app.api);
    expect(plain).toMatchObject({ usagePrice: null });
  });

  it('refuses a price of usage for a product with a cycle', async () => {
    const body = productBody({ cycle: 'MONTHLY', usagePrice: PACKAGE });
    expect(await app.api.post('/products/create', body)).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'usagePrice', rule: 'USAGE_PRICE_WITH_CYCLE' }] },
    });
  });

  const tiers = (...upTos: unknown[]) => upTos.map((upTo) => ({ upTo, unitPrice: 1 }));
  it.each<[string, object, string[]]>([
    ['an unknown model', { model: 'TIERED' }, ['model']],
    ['no tiers', { model: 'VOLUME' }, ['tiers']],
    ['an empty list of tiers', { model: 'VOLUME', tiers: [] }, ['tiers']],
    ['tiers of another model', { model: 'PER_UNIT', tiers: tiers(null) }, ['tiers']],
    ['a package without a size', { model: 'PACKAGE' }, ['packageSize']],
    ['a size of another model', { ...GRADUATED, packageSize: 10 }, ['packageSize']],
    [
      'tiers that do not rise',
      { ...GRADUATED, tiers: tiers(10, 10, 9, null) },
      ['tiers[1].upTo', 'tiers[2].upTo'],
    ],
    ['an end of the last tier', { ...GRADUATED, tiers: tiers(10, 20) }, ['tiers[1].upTo']],
    ['a tier without end in the middle', { ...GRADUATED, tiers: tiers(null, null) }, ['tiers[0].upTo']],
    ['51 tiers', { ...GRADUATED, tiers: tiers(...Array(51).fill(9)) }, ['tiers']],
    ['a broken unit', { ...GRADUATED, tiers: tiers(1.5, null) }, ['tiers[0].upTo']],
    [
      'several at once',
      {
        model: 'PACKAGE',
        includedUnits: -1,
        tiers: [
          { upTo: 0, unitPrice: -1 },
          { upTo: 5, unitPrice: 1 },
        ],
      },
      ['includedUnits', 'packageSize', 'tiers', 'tiers[0].unitPrice', 'tiers[0].upTo', 'tiers[1].upTo'],
    ],
  ])('names every wrong field of %s', async (_, usagePrice, paths) => {
    const { status, json } = await app.api.post('/products/create', productBody({ usagePrice }));
    const named = (json.issues ?? []).map(({ path }) => path.replace('usagePrice.', ''));
    expect([status, [...new Set(named)].sort()]).toEqual([400, paths]);
    expect(await app.database.em.fork().count(ProductEntity, { name: 'refused' })).toBe(0);
  });
});

describe('usage with a price of its own', () => {
  it('prices all units of the cycle again with each record', async () => {
    const { id } = await subscribed({ cycleNumber: 4 });
    const { id: productId } = await meter(VOLUME);
    const usage = dataOf(await record(id, productId, 100));
    expect(usage).toMatchObject({ units: 100, unitPrice: null, installmentNumber: 5 });
    expect(await usageOf(id)).toMatchObject({ amount: 1_000 });
    await record(id, productId, 900);
    expect(await usageOf(id)).toMatchObject({ amount: 8_500 });
    // Units of the next tier make all of them cheaper.
    await record(id, productId, 1);
    expect(await usageOf(id)).toMatchObject({ amount: 5_005 });
    await record(id, productId, 1, 'subtract');
    expect(await usageOf(id)).toMatchObject({ amount: 8_500 });
    const records = await app.database.em.fork().find(UsageRecordEntity, { subscriptionId: id });
    const changes = records.map(({ action, units, amountCents }) => `${action} ${units} ${amountCents}`);
    expect(changes.sort()).toEqual(['add 1 -3495', 'add 100 1000', 'add 900 7500', 'subtract 1 3495']);
  });

  it('adds up several products, and shows each, also if it is free so far', async () => {
    const { id } = await subscribed();
    const products = [
      await meter(GRADUATED),
      await meter(PACKAGE),
      await meter({ model: 'PER_UNIT', includedUnits: 50 }),
      await buildProduct(app.api, { price: 7 }),
    ];
    const units = [150, 1_001, 50, 3];
    for (const [index, product] of products.entries()) await record(id, product.id, units[index] ?? 0);
    const amounts = [1_000 + 500 + 400, 400, 0, 21];
    expect(await usageOf(id)).toEqual({
      installmentNumber: 2,
      chargedAt: expect.any(String),
      amount: 2_321,
      products: byId(
        products.map(({ id: productId, name }, index) => ({
          id: productId,
          name,
          units: units[index],
          amount: amounts[index],
        })),
      ),
    });
  });

  it('shows the same line by line in a preview', async () => {
    const { id } = await subscribed();
    const [first, second] = [await meter(PACKAGE), await meter(GRADUATED)];
    const lines = byId([
      { id: first.id, type: 'usage', description: first.name, amount: 200 },
      { id: second.id, type: 'usage', description: second.name, amount: 1_508 },
    ]).map(({ id: _, ...line }) => line);
    await record(id, first.id, 1);
    await record(id, second.id, 101);
    const preview = dataOf<{ charges: { amount: number; lines: unknown[] }[] }>(
      await app.api.post('/v2/subscriptions/preview', { id }),
    );
    expect(preview.charges).toMatchObject([
      {
        amount: 5_000 + 200 + 1_508,
        lines: [{ type: 'plan', amount: 5_000 }, ...lines],
      },
    ]);
  });

  it('subtracts down to zero units, and refuses more', async () => {
    const { id } = await subscribed();
    const { id: productId } = await meter(GRADUATED);
    const below = { status: 422, json: { issues: [{ path: 'units', rule: 'USAGE_BELOW_ZERO' }] } };
    expect(await record(id, productId, 1, 'subtract')).toMatchObject(below);
    await record(id, productId, 101);
    expect(await record(id, productId, 102, 'subtract')).toMatchObject(below);
    expect((await record(id, productId, 101, 'subtract')).status).toBe(200);
    expect(await usageOf(id)).toMatchObject({ amount: 0, products: [] });
  });

  it('refuses units beyond the largest charge, and free units beyond what is counted', async () => {
    const { id } = await subscribed();
    const { id: productId } = await meter({
      model: 'GRADUATED',
      tiers: [{ upTo: null, unitPrice: MAX - 5_000 }],
    });
    const over = { status: 422, json: { issues: [{ path: 'units', rule: 'USAGE_TOO_LARGE' }] } };
    expect(await record(id, productId, MAX)).toMatchObject(over);
    expect((await record(id, productId, 1)).status).toBe(200);
    expect(await record(id, productId, 1)).toMatchObject(over);
    const { id: free } = await meter({ model: 'PER_UNIT', includedUnits: MAX });
    expect((await record(id, free, MAX)).status).toBe(200);
    expect(await record(id, free, 1)).toMatchObject(over);
  });

  it('refuses to subtract units if the others would cost too much', async () => {
    const { id } = await subscribed();
    const tiers = [
      { upTo: 10, unitPrice: 1_000_000_000 },
      { upTo: null, unitPrice: 1 },
    ];
    const { id: productId } = await meter({ model: 'VOLUME', tiers });
    expect((await record(id, productId, 11)).status).toBe(200);
    expect(await record(id, productId, 1, 'subtract')).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'units', rule: 'USAGE_TOO_LARGE' }] },
    });
    expect((await record(id, productId, 2, 'subtract')).status).toBe(200);
  });

  it('returns 404 for a subscription that has ended', async () => {
    const { id } = await subscribed({ status: 'CANCELLED' });
    expect((await record(id, (await meter(PACKAGE)).id, 1)).status).toBe(404);
  });
});

describe('many records with prices of their own at once', () => {
  const all = <Result>(count: number, call: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => call(index)));

  it('adds up 200 parallel records of several products exactly', async () => {
    const { id } = await subscribed();
    const products = [await meter(GRADUATED), await meter(VOLUME), await meter(PACKAGE)];
    const answers = await all(200, (index) => record(id, (products[index % 3] as ProductView).id, index + 1));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const sum = (start: number) => {
      let units = 0;
      for (let index = start; index < 200; index += 3) units += index + 1;
      return units;
    };
    const amounts = [
      1_000 + 500 + 900 * 8 + (sum(0) - 1_000) * 5,
      sum(1) * 5,
      Math.ceil(sum(2) / 1_000) * 200,
    ];
    expect(await usageOf(id)).toMatchObject({
      products: byId(
        products.map((product, index) => ({ id: product.id, units: sum(index), amount: amounts[index] })),
      ),
    });
  });

  it('keeps parallel records within the largest charge, beside a price per unit', async () => {
    const { id } = await subscribed({ amountCents: MAX - 10 });
    const products = [
      await meter({ model: 'GRADUATED', tiers: [{ upTo: null, unitPrice: 1 }] }),
      await meter({ model: 'PER_UNIT', includedUnits: 0 }, 1),
      await buildProduct(app.api, { price: 1 }),
    ];
    const answers = await all(30, (index) => record(id, (products[index % 3] as ProductView).id, 3));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await usageOf(id)).toMatchObject({ amount: 9 });
  });

  it('counts a record once per Idempotency-Key', async () => {
    const { id } = await subscribed();
    const { id: productId } = await meter(GRADUATED);
    const send = () =>
      app.api.post(
        '/v2/subscriptions/record-usage',
        { id, productId, units: 101, action: 'add' },
        { headers: { 'Idempotency-Key': 'priced' } },
      );
    const answers = await all(20, send);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await send()).status).toBe(200);
    expect(await usageOf(id)).toMatchObject({ amount: 1_508 });
  });
});
