import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryAttemptEntity } from '../../../src/database/entities/delivery.ts';
import type { Webhook } from '../../../src/database/entities/webhook.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertDelivery, insertWebhook } from '../../support/rows/build.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
let developer: DashboardUser;
/** The path of the store's test environment. */
let home: string;
beforeAll(async () => {
  app = await createTestApp();
  developer = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'developer');
  home = `/dashboard/${app.storeId}/dev`;
});
afterAll(() => app.close());

it('calls an endpoint failing that has accepted 0 of 20 deliveries', async () => {
  const webhook = await insertWebhook(app.database, { storeId: app.storeId, name: 'Away' });
  for (let count = 0; count < 20; count += 1)
    await attempted(webhook, { hoursAgo: count, error: 'HTTP 500' });
  const row = await rowOf('Away');
  expect(row).toContain('Failing');
  expect(row).toContain('0 of 20 delivered');
  expect(row).toContain('Never');
  expect(row).toContain('HTTP 500');
  const page = await developer.get(`${home}/webhooks/${webhook.id}`);
  expect(page.text).toContain('0 of 20 delivered');
});

it('calls an endpoint healthy once a delivery has arrived after the failure', async () => {
  const webhook = await insertWebhook(app.database, { storeId: app.storeId, name: 'Back' });
  await attempted(webhook, { hoursAgo: 2, error: 'connection refused' });
  await attempted(webhook, { hoursAgo: 1, error: null });
  const row = await rowOf('Back');
  expect(row).toContain('Some failed');
  expect(row).toContain('1 of 2 delivered');
  expect(row).toContain('connection refused');
});

it('counts only the last 24 hours, and looks further back for the last success', async () => {
  const webhook = await insertWebhook(app.database, { storeId: app.storeId, name: 'Quiet' });
  await attempted(webhook, { hoursAgo: 30, error: null });
  const row = await rowOf('Quiet');
  expect(row).toContain('Healthy');
  expect(row).toContain('Nothing sent');
  expect(row).not.toContain('Never');
});

it('shows a response body as text without invisible characters', async () => {
  const webhook = await insertWebhook(app.database, { storeId: app.storeId });
  const body = `<img src=x onerror=alert(1)> \u202egnp.exe\u0007${'x'.repeat(4_000)}`;
  const id = await attempted(webhook, { hoursAgo: 1, error: 'HTTP 500', body });
  const { html } = await developer.get(`${home}/deliveries/${id}`);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &lt;U+202E&gt;gnp.exe&lt;U+0007&gt;');
  expect(html).not.toContain('x'.repeat(2_048));
  expect(html).not.toContain('\u202e');
  expect(html.match(/HTTP 500/g)).toHaveLength(1);
});

it('subscribes to all events of a group without the script', async () => {
  const fields = {
    name: 'All payouts',
    endpoint: 'https://example.com/h',
    eventGroups: 'payout',
    events: [],
  };
  const made = await developer.submit(`${home}/webhooks/new`, `${home}/webhooks/new`, {
    ...fields,
    secret: 's'.repeat(32),
  });
  expect(made.status).toBe(303);
  const { text } = await developer.get(`${home}/webhooks?lang=en`);
  expect(text).toContain('All payouts');
  const { data } = (await app.api.get('/v2/webhooks/list?search=All payouts')).json as {
    data: { events: string[] }[];
  };
  expect(data[0]?.events).toEqual(['payout.completed', 'payout.failed', 'payout.returned']);
});

it("returns 404 for another store's delivery", async () => {
  const { id: storeId } = await createTestStore(app.database);
  const webhook = await insertWebhook(app.database, { storeId });
  const id = await attempted(webhook, { hoursAgo: 1, error: null });
  expect((await developer.get(`${home}/deliveries/${id}`)).status).toBe(404);
});

async function rowOf(name: string): Promise<string> {
  const { html } = await developer.get(`${home}/webhooks?lang=en`);
  const row = html.split('<tr').find((part) => part.includes(`>${name}<`));
  return row ?? '';
}

/** A delivery with one attempt. @returns its id. */
async function attempted(
  webhook: Webhook,
  given: { readonly hoursAgo: number; readonly error: string | null; readonly body?: string },
): Promise<string> {
  const at = new Date(Date.now() - given.hoursAgo * HOUR_MS);
  const isDelivered = given.error === null;
  const delivery = await insertDelivery(app.database, webhook, {
    createdAt: at,
    status: isDelivered ? 'DELIVERED' : 'PENDING',
    attempts: 1,
    nextAttemptAt: isDelivered ? null : new Date(Date.now() + HOUR_MS),
    finishedAt: isDelivered ? at : null,
  });
  await app.database.em.fork().insert(DeliveryAttemptEntity, {
    deliveryId: delivery.id,
    attemptKey: 'run-1',
    startedAt: at,
    durationMs: 40,
    statusCode: isDelivered ? 200 : 500,
    responseExcerpt: given.body ?? '',
    error: given.error,
  });
  return delivery.id;
}
