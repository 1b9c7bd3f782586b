import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { noteAttention, resolveAttention } from '../../src/database/attention.ts';
import { AttentionEntity } from '../../src/database/entities/attention.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { IdempotencyRecordEntity } from '../../src/database/entities/idempotency-record.ts';
import { noteReading } from '../../src/events/event-readers.ts';
import { deleteOldEvents } from '../../src/retention/delete-old-events.ts';
import { retentionScheduleId } from '../../workflows/retention.contract.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { cli } from '../support/fixtures/command-line.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook, insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { buildPaidCheckout, buildPaidPix, chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const EVENTS = ['transparent.completed', 'checkout.completed', 'transparent.refunded'];
const ANA = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };

let app: MoneyApp;
let sink: WebhookSink;
beforeAll(async () => {
  [app, sink] = await Promise.all([
    createMoneyApp({ config: { eventRetentionDays: 30 } }),
    startWebhookSink(),
  ]);
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

it('deletes rows past EVENT_RETENTION_DAYS, and idempotency records after a day', async () => {
  const { storeId } = await app.anotherStore();
  const webhook = await insertWebhook(app.database, { storeId });
  const daysAgo = (days: number) => {
    const at = new Date(Date.now() - days * DAY_MS);
    return { status: 'DELIVERED', attempts: 1, createdAt: at, finishedAt: at } as const;
  };
  const [old, recent] = [
    await insertDelivery(app.database, webhook, daysAgo(31)),
    await insertDelivery(app.database, webhook, daysAgo(29)),
  ];
  const em = app.database.em.fork();
  await em.insert(IdempotencyRecordEntity, {
    storeId,
    devMode: true,
    key: 'of yesterday',
    requestHash: '',
    status: 200,
    body: '',
    createdAt: daysAgo(1.1).createdAt,
    claimId: null,
    claimedUntil: null,
  });
  await noteAttention(app.database, {
    kind: 'NO_PROVIDER',
    subjectId: 'closed',
    storeId,
    devMode: true,
    since: old.createdAt,
    now: old.createdAt,
  });
  await resolveAttention(app.database, { kind: 'NO_PROVIDER', subjectId: 'closed', now: old.createdAt });
  await noteReading(app.database, { storeId, devMode: true }, ['checkout.expired'], old.createdAt);
  await noteReading(app.database, { storeId, devMode: true }, ['transparent.expired'], recent.createdAt);
  const schedule = app.temporal.schedule.getHandle(retentionScheduleId(app.taskQueue));
  await eventually(() => schedule.trigger());
  await eventually(async () => expect(await em.fork().count(DeliveryEntity, { id: old.id })).toBe(0));
  await eventually(async () => expect(await em.fork().count(EventEntity, { id: old.eventId })).toBe(0));
  expect(await em.fork().count(IdempotencyRecordEntity)).toBe(0);
  expect(await em.fork().count(AttentionEntity, { subjectId: 'closed' })).toBe(0);
  const readers = await em
    .fork()
    .execute('select event_name from event_readers where store_id = :storeId', { storeId });
  expect(readers).toEqual([{ event_name: 'transparent.expired' }]);
  expect(await em.fork().count(DeliveryEntity, { id: recent.id })).toBe(1);
});

it('keeps payments, refunds and audits working after all events are deleted', async () => {
  const { id: webhookId } = await buildWebhook(app.api, { endpoint: sink.endpoint().url, events: EVENTS });
  const pix = await buildPaidPix(app.api, { customer: { ...ANA, cellphone: '+55 47 91234-5678' } });
  const other = await buildPaidPix(app.api);
  const checkout = await buildPaidCheckout(app.api);
  const listed = async () =>
    dataOf<{ id: string; status: string }[]>(
      await app.api.get(`/v2/webhooks/deliveries?webhookId=${webhookId}`),
    );
  const deliveries = await eventually(async () => {
    const found = await listed();
    expect(found.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
    return found;
  });
  // Issued before somebody reads events, so it has none.
  await eventually(async () => expect(dataOf(await app.api.get('/v2/invoices/list'))).toHaveLength(1));
  const events = dataOf<{ id: string }[]>(await app.api.get('/v2/events/list'));
  expect(events).toHaveLength(3);
  await deleteOldEvents(app.database, new Date(Date.now() + DAY_MS));
  expect(await app.database.em.fork().count(EventEntity)).toBe(0);

  expect(await listed()).toEqual([]);
  expect(dataOf(await app.api.get('/v2/events/list'))).toEqual([]);
  for (const { id } of events)
    expect(await app.api.get(`/v2/events/get?id=${id}`)).toMatchObject({ status: 404 });
  for (const { id } of deliveries) {
    expect(await app.api.get(`/v2/webhooks/deliveries/get?id=${id}`)).toMatchObject({ status: 404 });
    expect(await app.api.post('/v2/webhooks/resend', { id })).toMatchObject({ status: 404 });
  }
  // Repeated payment requests have no effect and record no event.
  for (const id of [pix, other]) await app.api.post(`/v2/transparents/simulate-payment?id=${id}`);
  await app.api.post('/v2/checkouts/simulate-payment', { id: checkout.id, method: 'CARD' });
  expect(await app.database.em.fork().count(EventEntity)).toBe(0);

  const { receiptUrl } = await chargeOf(app.api, pix);
  for (const url of [`${receiptUrl}`, `${app.api.url}/pay/${checkout.id}`])
    expect((await fetch(url)).status).toBe(200);
  dataOf(await app.api.post('/v2/transparents/refund', { id: other }));
  await eventually(async () => expect((await listed()).map(({ status }) => status)).toEqual(['DELIVERED']));
  const [customer] = dataOf<{ id: string }[]>(await app.api.get('/v2/customers/list'));
  dataOf(await app.api.post(`/v2/customers/delete?id=${customer?.id}`));
  expect(await cli(app, 'ledger verify')).toMatchObject({ code: 0 });
  expect(await cli(app, 'doctor')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Nothing is overdue\./),
  });
  expect(await cli(app, 'workflows rebuild')).toMatchObject({ code: 0 });
});
