import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.ts';
import { DeliveryAttemptEntity, DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import type { Webhook } from '../../src/database/entities/webhook.ts';
import type { DeliveryId, EventId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { deleteOldEvents } from '../../src/retention/delete-old-events.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { holdRows } from '../support/waiting/hold.ts';

const CUTOFF = new Date('2026-08-22T12:00:00Z');
const OLD = new Date('2026-08-22T11:59:59Z');
const RECENT = new Date('2026-08-22T12:00:01Z');

let app: TestApp;
let webhook: Webhook;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(async () => {
  await app.database.em.fork().execute('truncate deliveries, delivery_attempts, events');
  webhook = await insertWebhook(app.database, { storeId: app.storeId });
});
afterAll(() => app.close());

const DELIVERED = { status: 'DELIVERED', attempts: 1, createdAt: OLD, finishedAt: OLD } as const;

async function insert(given: Parameters<typeof insertDelivery>[2]): Promise<DeliveryId> {
  const { id } = await insertDelivery(app.database, webhook, given);
  const attempt = { startedAt: OLD, durationMs: 1, statusCode: 200, responseExcerpt: 'ok', error: null };
  await app.database.em
    .fork()
    .insert(DeliveryAttemptEntity, { deliveryId: id, attemptKey: 'run-1', ...attempt });
  return id;
}

/** Another delivery of the same event. */
async function insertSibling(id: DeliveryId, changes: Partial<{ status: 'PENDING'; finishedAt: null }>) {
  const em = app.database.em.fork();
  const { eventId, ...delivery } = await em.findOneOrFail(DeliveryEntity, { id });
  const { id: webhookId } = await insertWebhook(app.database, { storeId: app.storeId });
  const sibling = { ...delivery, id: mintId<DeliveryId>('delivery', OLD), eventId, webhookId, ...changes };
  await em.fork().insert(DeliveryEntity, sibling);
  return sibling.id;
}

async function left() {
  const em = app.database.em.fork();
  const [events, deliveries, attempts] = await Promise.all([
    em.fork().count(EventEntity),
    em.fork().find(DeliveryEntity, {}),
    em.fork().count(DeliveryAttemptEntity),
  ]);
  return { events, deliveries: deliveries.map(({ id }) => id).sort(), attempts };
}

it('deletes old events with their deliveries and attempts, and keeps others whole', async () => {
  await insert(DELIVERED);
  await insert({ ...DELIVERED, status: 'FAILED' });
  await insertSibling(await insert(DELIVERED), {});
  const eventId = mintId<EventId>('event', OLD);
  const noneSubscribed = {
    id: eventId,
    key: eventId,
    name: 'transparent.completed',
    data: '{}',
    customerId: null,
  } as const;
  const { storeId } = app;
  await app.database.em
    .fork()
    .insert(EventEntity, { ...noneSubscribed, storeId, devMode: true, createdAt: OLD });

  const recent = await insert({ ...DELIVERED, createdAt: RECENT, finishedAt: RECENT });
  const underWay = await insert({ createdAt: OLD, attempts: 1 });
  const sentAgain = await insert({ ...DELIVERED, finishedAt: RECENT });

  expect(await deleteOldEvents(app.database, CUTOFF)).toEqual({ events: 4, deliveries: 4 });
  const stay = { events: 3, deliveries: [recent, underWay, sentAgain].sort(), attempts: 3 };
  expect(await left()).toEqual(stay);
  expect(await deleteOldEvents(app.database, CUTOFF)).toEqual({ events: 0, deliveries: 0 });
  expect(await left()).toEqual(stay);
});

it('keeps an event while a delivery is under way, and deletes it afterwards', async () => {
  const underWay = await insertSibling(await insert(DELIVERED), { status: 'PENDING', finishedAt: null });
  expect(await deleteOldEvents(app.database, CUTOFF)).toEqual({ events: 0, deliveries: 1 });
  expect((await left()).deliveries).toEqual([underWay]);
  await app.database.em
    .fork()
    .nativeUpdate(DeliveryEntity, { id: underWay }, { status: 'FAILED', finishedAt: OLD });
  expect(await deleteOldEvents(app.database, CUTOFF)).toEqual({ events: 1, deliveries: 1 });
});

it('skips a locked delivery without waiting, and deletes it in the next round', async () => {
  const changing = await insert(DELIVERED);
  await insert(DELIVERED);
  await using held = await holdRows(app.database, 'deliveries', [changing]);
  expect(await deleteOldEvents(app.database, CUTOFF)).toEqual({ events: 1, deliveries: 1 });
  await held.release();
  expect(await deleteOldEvents(app.database, CUTOFF)).toEqual({ events: 1, deliveries: 1 });
});

it('deletes thousands once in two parallel rounds, even after an aborted one', async () => {
  await insertThousands(1_700);
  let batches = 0;
  const killed = deleteOldEvents(app.database, CUTOFF, () => {
    batches += 1;
    if (batches === 2) throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  expect((await left()).events).toBe(1_200);

  const rounds = await Promise.all([1, 2].map(() => deleteOldEvents(app.database, CUTOFF)));
  const sum = (of: 'events' | 'deliveries') => rounds.reduce((total, round) => total + round[of], 0);
  expect({ events: sum('events'), deliveries: sum('deliveries') }).toEqual({
    events: 1_200,
    deliveries: 1_200,
  });
  expect(await left()).toEqual({ events: 0, deliveries: [], attempts: 0 });
});

async function insertThousands(count: number): Promise<void> {
  const eventId = mintId<EventId>('event', OLD).slice(0, -16);
  const values = { eventId, count, storeId: app.storeId, webhookId: webhook.id, at: OLD };
  const em = app.database.em.fork();
  await em.execute(
    `insert into events (id, store_id, dev_mode, name, key, data, created_at)
     select :eventId || lpad(i::text, 16, '0'), :storeId, true, 'transparent.completed', 'many/' || i, '{}', :at
     from generate_series(1, :count) i`,
    values,
  );
  await em.execute(
    `insert into deliveries (id, event_id, webhook_id, store_id, dev_mode, event_name, status, attempts, created_at, finished_at)
     select 'log_' || lpad(i::text, 26, '0'), :eventId || lpad(i::text, 16, '0'), :webhookId, :storeId, true,
       'transparent.completed', 'DELIVERED', 1, :at, :at from generate_series(1, :count) i`,
    values,
  );
}

it('reads EVENT_RETENTION_DAYS as days, and keeps events forever without it', () => {
  const daysOf = (text: string) =>
    loadConfig({ DATABASE_URL: 'postgres://unused', EVENT_RETENTION_DAYS: text }).eventRetentionDays;
  expect([daysOf(''), daysOf('7'), daysOf('90')]).toEqual([null, 7, 90]);
  for (const wrong of ['0', '6', '-1', '7.5', 'ever', '1e9'])
    expect(() => daysOf(wrong)).toThrow('EVENT_RETENTION_DAYS: must be a whole number of days, 7 to 36500');
});
