import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import type { ShownSubscriptionCheckout } from '../../src/wire/checkout.ts';
import type { ShownSubscription } from '../../src/wire/subscription/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { insertCustomer } from '../support/rows/checkout-rows.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

let app: TestApp;
let elsewhere: ApiClient;
const cancelled: string[] = [];
beforeAll(async () => {
  app = await createTestApp({
    starter: { startSoon: () => undefined },
    checkoutUpdates: {
      async cancel({ id }) {
        cancelled.push(id);
        const end = { status: 'CANCELLED' as const };
        await app.database.em.fork().nativeUpdate(CheckoutEntity, { id, status: 'PENDING' }, end);
        return undefined as never;
      },
    },
  });
  elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
});
afterAll(() => app.close());

const PATH = '/v2/subscriptions/checkouts';
const get = (query: string, client = app.api) => client.get(`${PATH}/get?${query}`);
const list = async (query = '') =>
  dataOf<ShownSubscriptionCheckout[]>(await app.api.get(`${PATH}/list?${query}`));
const remove = (id: string, client = app.api) => client.post(`${PATH}/delete`, { id });

/** A subscription with its paid checkout. */
async function subscribed(changes: Parameters<typeof insertSubscription>[1] = {}) {
  const { id: customerId } = await insertCustomer(app);
  const subscription = await insertSubscription(app, { customerId, externalId: 'plan-of-ana', ...changes });
  return { subscription, customerId, checkoutId: subscription.checkoutId };
}

it('finds a subscription by id, externalId and customer, and its checkout likewise', async () => {
  const { subscription, customerId } = await subscribed({ externalId: 'by-all' });
  const { id } = subscription;
  for (const query of [`id=${id}`, 'externalId=by-all', `customerId=${customerId}`]) {
    const found = await app.api.get(`/v2/subscriptions/get?${query}`);
    expect(dataOf<ShownSubscription>(found)).toMatchObject({ id });
    expect((await elsewhere.get(`/v2/subscriptions/get?${query}`)).status).toBe(404);
  }
  const none = await app.api.get('/v2/subscriptions/get');
  expect([none.status, JSON.stringify(none.json)]).toEqual([
    400,
    expect.stringContaining('Provide id, externalId or customerId'),
  ]);
});

it('answers with the newest of several subscriptions', async () => {
  const { customerId } = await subscribed({ createdAt: new Date('2026-01-01T12:00:00.000Z') });
  const { subscription } = await subscribed({
    customerId,
    createdAt: new Date('2026-02-01T12:00:00.000Z'),
  });
  const found = await app.api.get(`/v2/subscriptions/get?customerId=${customerId}`);
  expect(dataOf<ShownSubscription>(found).id).toBe(subscription.id);
});

it("lists a subscription's checkout by its own id and by that of the subscription", async () => {
  const { subscription, checkoutId } = await subscribed();
  for (const query of [`id=${subscription.id}`, `id=${checkoutId}`, `checkoutId=${checkoutId}`]) {
    const listed = await app.api.get(`/v2/subscriptions/list?${query}`);
    expect(dataOf<ShownSubscriptionCheckout[]>(listed).map(({ id }) => id)).toEqual([checkoutId]);
  }
});

it('deletes a paid checkout, whose subscription continues', async () => {
  const { subscription, checkoutId } = await subscribed();
  const paid = { status: 'PAID' as const };
  await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: checkoutId as CheckoutId }, paid);
  expect((await remove(checkoutId, elsewhere)).status).toBe(404);
  expect(await remove(checkoutId)).toMatchObject({ status: 200 });
  expect(cancelled).not.toContain(checkoutId);
  expect((await get(`id=${checkoutId}`)).status).toBe(404);
  expect((await list()).map(({ id }) => id)).not.toContain(checkoutId);
  expect((await app.api.get(`/v2/checkouts/get?id=${checkoutId}`)).status).toBe(404);
  expect((await remove(checkoutId)).status).toBe(404);
  const found = await app.api.get(`/v2/subscriptions/get?id=${subscription.id}`);
  expect(dataOf<ShownSubscription>(found)).toMatchObject({ id: subscription.id, status: 'ACTIVE' });
});

it('cancels an open checkout before it deletes it', async () => {
  const { checkoutId } = await subscribed();
  const open = { status: 'PENDING' as const };
  await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: checkoutId as CheckoutId }, open);
  expect(await remove(checkoutId)).toMatchObject({ status: 200 });
  expect(cancelled).toContain(checkoutId);
  const row = await app.database.em.fork().findOneOrFail(CheckoutEntity, { id: checkoutId as CheckoutId });
  expect(row).toMatchObject({ status: 'CANCELLED', deletedAt: expect.any(Date) });
});

it('deletes by an id in the query, as published documents show it, but not by two', async () => {
  const { checkoutId } = await subscribed();
  const both = await app.api.post(`${PATH}/delete?id=${checkoutId}`, { id: checkoutId });
  expect([both.status, both.json.issues]).toEqual([400, [expect.objectContaining({ path: 'id' })]]);
  expect(await list(`id=${checkoutId}`)).toHaveLength(1);
  expect(await app.api.post(`${PATH}/delete?id=${checkoutId}`)).toMatchObject({ status: 200 });
  expect(await list(`id=${checkoutId}`)).toEqual([]);
});

it('reads with SUBSCRIPTION:READ, and deletes only with SUBSCRIPTION:DELETE', async () => {
  const { subscription, checkoutId } = await subscribed();
  const reader = await app.clientWith({ permissions: ['SUBSCRIPTION:READ'] });
  for (const path of [
    `/v2/subscriptions/get?id=${subscription.id}`,
    '/v2/subscriptions/list',
    `${PATH}/get?id=${checkoutId}`,
    `${PATH}/list`,
  ])
    expect((await reader.get(path)).status).toBe(200);
  expect((await reader.get(`/v2/checkouts/get?id=${checkoutId}`)).status).toBe(403);
  expect((await remove(checkoutId, reader)).status).toBe(403);
});
