import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/core';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  NOON,
  paid,
} from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { PortalReader } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());

it('downloads what the portal shows, without notes of the store and other payers', async () => {
  const customer = await insertCustomer(app, { metadata: { note: 'pays late' } });
  const own = { customerId: customer.id, ...paid(10_000) };
  const mine = await insertCharge(app, await insertCheckout(app), 'CARD', {
    ...own,
    payerEmail: 'ana@example.com',
  });
  const foreign = await insertCharge(app, await insertCheckout(app), 'PIX', {
    ...own,
    payerEmail: 'eve@example.com',
  });
  const named = { checkout: { customerId: customer.id }, subscription: { customerId: customer.id } };
  const { subscription } = await insertSubscribed(app, 'PIX', named);
  // Receipts link to the customer's own id.
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  const anonymous = await reader.get(`${path}/data`);
  expect([anonymous.status, anonymous.location, anonymous.text]).toEqual([303, path, '']);
  await reader.signIn(path, 'ana@example.com');
  const { headers, text } = await reader.get(`${path}/data`);
  expect(headers.get('content-disposition')).toBe('attachment; filename="data-2026-12-02.json"');
  const data = JSON.parse(text);
  expect(data).toMatchObject({
    store: 'Loja Teste',
    customer: { id: customer.id, name: 'Ana Souza', email: 'ana@example.com', taxId: customer.taxId },
    subscriptions: [{ id: subscription.id, state: 'ACTIVE', plan: 'Clube do café', amount: 4_900 }],
  });
  expect(data.payments.map(({ id }: { id: string }) => id)).toContain(mine.id);
  expect(text).toContain(`${app.api.url}/receipt/${mine.id}`);
  for (const hidden of [foreign.id, 'eve@example.com', 'pays late', 'token'])
    expect(text).not.toContain(hidden);
});

it('reads all payments in parts, and at most ten files of a customer an hour', async () => {
  const customer = await insertCustomer(app);
  const checkout = await insertCheckout(app);
  const own = { customerId: customer.id, payerEmail: 'ana@example.com' };
  const charges: string[] = [];
  for (let minute = 0; minute < 101; minute += 1) {
    const createdAt = new Date(NOON.getTime() - minute * 60_000);
    charges.push((await insertCharge(app, checkout, 'PIX', { ...own, createdAt })).id);
  }
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, 'ana@example.com');
  const find = jest.spyOn(EntityManager.prototype, 'find');
  const { text } = await reader.get(`${path}/data`);
  expect(JSON.parse(text).payments.map(({ id }: { id: string }) => id)).toEqual(charges);
  const read = await Promise.all(find.mock.results.map(({ value }) => value as Promise<unknown[]>));
  expect(Math.max(...read.map(({ length }) => length))).toBe(100);
  for (let nth = 2; nth <= 10; nth += 1) expect((await reader.get(`${path}/data`)).status).toBe(200);
  expect((await reader.get(`${path}/data`)).status).toBe(429);
});
