import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { CheckoutId, CustomerId, StoreId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { V1Client } from '../support/api/v1.ts';
import {
  insertCheckout,
  insertCustomer,
  insertProduct,
  itemOf,
  NOON,
} from '../support/rows/checkout-rows.ts';

/** One page, and as much again and a half. */
const COUNT = 2_500;
const START_MS = Date.UTC(2026, 11, 4);

let app: TestApp;
let documented: V1Client;
beforeAll(async () => {
  app = await createTestApp();
  documented = await V1Client.of(app.api);
});
afterAll(() => app.close());

/** The address in `Link: <…>; rel="next"`, or null at the end of the list. */
const nextOf = (headers: Headers) => headers.get('Link')?.match(/^<(.+)>; rel="next"$/)?.[1] ?? null;

async function store() {
  const { id: storeId } = await createTestStore(app.database);
  const api = await app.clientWith({ storeId });
  return { storeId, api, v1: documented.as(api) };
}

/** Inserts customers, three per millisecond. @returns their ids, newest first. */
async function insertCustomers(storeId: StoreId, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(START_MS + Math.floor(index / 3));
    const id = mintId<CustomerId>('customer', createdAt);
    const times = { createdAt, updatedAt: createdAt, deletedAt: null };
    const unknown = { taxId: null, name: null, email: null, cellphone: null, zipCode: null };
    return {
      id,
      storeId,
      devMode: true,
      country: 'BR',
      metadata: {},
      typedByPayer: false,
      ...unknown,
      ...times,
    };
  });
  await app.database.em.fork().insertMany(CustomerEntity, rows);
  rows.sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1),
  );
  return rows.map(({ id }) => id);
}

describe('lists of v1', () => {
  it('returns every row of a long list once, newest first, following Link headers', async () => {
    const { storeId, api, v1 } = await store();
    const expected = await insertCustomers(storeId, COUNT);
    const pages: string[][] = [];
    let next: string | null = `${api.url}/v1/customer/list`;
    while (next !== null) {
      expect(next.startsWith(`${api.url}/v1/customer/list`)).toBe(true);
      const { json, headers } = await v1.get(next.slice(`${api.url}/v1`.length));
      pages.push((json.data as { id: string }[]).map(({ id }) => id));
      next = nextOf(headers);
    }
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 500]);
    expect(pages.flat()).toEqual(expected);
  });

  it('sends no Link header with a list of exactly 1000 rows', async () => {
    const { storeId, v1 } = await store();
    await insertCustomers(storeId, 1_000);
    const { json, headers } = await v1.get('/customer/list');
    expect([(json.data as unknown[]).length, headers.get('Link')]).toEqual([1_000, null]);
  });

  it('refuses limit, before and a page by number', async () => {
    const { storeId, v1 } = await store();
    await insertCustomers(storeId, 3);
    for (const query of ['limit=1', 'before=x']) {
      expect(await v1.get(`/customer/list?${query}`)).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining('known are after') },
      });
    }
    expect(await v1.list('/customer/list?page=1&offset=0&cursor=')).toHaveLength(3);
    expect(await v1.get('/customer/list?page=2')).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('page') },
    });
  });

  it.each(['customer', 'coupon', 'billing', 'withdraw'])(
    'refuses a malformed cursor in the list of %s',
    async (name) => {
      expect(await documented.get(`/${name}/list?after=x`)).toMatchObject({
        status: 400,
        json: { data: null, error: expect.stringMatching(/^after: /) },
      });
    },
  );

  it('lists a full page of billings with products and customer of each', async () => {
    const { storeId, v1 } = await store();
    const shop = { database: app.database, storeId };
    const product = await insertProduct(shop, { externalId: 'shirt' });
    const customer = await insertCustomer(shop);
    const checkout = await insertCheckout(shop, { customerId: customer.id, items: [itemOf(product, 3)] });
    const others = Array.from({ length: 1_000 }, () => ({
      ...checkout,
      id: mintId<CheckoutId>('checkout', NOON),
    }));
    await app.database.em.fork().insertMany(CheckoutEntity, others);
    const { json, headers } = await v1.get('/billing/list');
    const shown = json.data as { customer: { id: string }; products: unknown[] }[];
    expect([shown.length, nextOf(headers)]).toEqual([
      1_000,
      expect.stringContaining('/v1/billing/list?after='),
    ]);
    for (const one of shown) {
      expect(one.customer.id).toBe(customer.id);
      expect(one.products).toEqual([{ id: product.id, externalId: 'shirt', quantity: 3 }]);
    }
  });
});
