import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { insertCheckout, insertCustomer, insertProduct, itemOf } from '../support/rows/checkout-rows.ts';

/** One of each kind: a mark, an embedding, an override, an isolate. */
const CONTROLS = '\u200f\u202a\u202e\u2067';
const ANY_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const shop = () => ({ database: app.database, storeId: app.storeId });

it('shows payers no bidi controls of a store or product', async () => {
  await app.database.em
    .fork()
    .nativeUpdate(StoreEntity, { id: app.storeId }, { name: `Loja ${CONTROLS}Azul` });
  const product = await insertProduct(shop(), { name: `Camisa ${CONTROLS}00,1 $R` });
  const { id } = await insertCheckout(shop(), {
    items: [itemOf(product)],
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  const page = await app.api.call(`/pay/${id}`, { key: null });
  expect(page.status).toBe(200);
  expect(page.text).toContain('Loja Azul');
  expect(page.text).toContain('Camisa 00,1 $R');
  expect(page.text).not.toMatch(ANY_CONTROL);
});

it('removes bidi controls on the dashboard, and keeps them in the API', async () => {
  const name = `Ana ${CONTROLS}Souza`;
  const customer = await insertCustomer(shop(), { name });
  const owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  const page = await owner.get(`/dashboard/${app.storeId}/dev/customers/${customer.id}`);
  expect(page.html).toContain('Ana Souza');
  expect(page.html).not.toMatch(ANY_CONTROL);
  const kept = await app.api.get(`/v2/customers/get?id=${customer.id}`);
  expect(kept.json.data).toMatchObject({ name });
});
