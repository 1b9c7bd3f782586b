import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { insertCustomer, NOON } from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { PortalReader } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON });
});
afterAll(() => app.close());

it('names the start of a trial as a trial, and not as a coupon', async () => {
  const email = 'eva@example.com';
  const customer = await insertCustomer(app, { email });
  const own = { customerId: customer.id };
  await insertSubscribed(app, 'PIX', { checkout: { ...own, trialDays: 14 }, subscription: own });
  const { text } = await new PortalReader(app).signIn(`/portal/${customer.id}`, email);
  expect(text).toContain('· Free trial');
  expect(text).not.toContain('100% coupon');
});
