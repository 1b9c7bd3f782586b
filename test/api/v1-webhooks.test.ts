import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { Sweeper } from '../../src/recovery/sweeper.ts';
import type { WorkflowStart } from '../../src/temporal/workflow-start.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { buildPixCharge, buildWebhook, webhookBody } from '../support/rows/build.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

let app: TestApp;
let started: WorkflowStart[] = [];
/** Of a store of its own for each test. */
let api: ApiClient;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: (start) => started.push(start) } });
});
beforeEach(async () => {
  started = [];
  api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
});
afterAll(() => app.close());

const V1_EVENTS = [
  'billing.created',
  'billing.paid',
  'billing.refunded',
  'billing.failed',
  'subscription.created',
  'subscription.canceled',
  'withdraw.done',
  'withdraw.failed',
];

function createV1(changes: Record<string, unknown> = {}) {
  return api.post('/v1/webhooks/create', webhookBody({ events: V1_EVENTS, ...changes }));
}

async function buildCheckout() {
  const product = { externalId: 'shirt', name: 'Shirt', price: 5000, currency: 'BRL' };
  const made = await api.post('/v2/products/create', product);
  const { id } = made.json.data as { id: string };
  const answer = await api.post('/v2/checkouts/create', { items: [{ id, quantity: 2 }] });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.data as { id: string; url: string };
}

/** The event `billing.created` of what has this id, and its deliveries. */
async function created(id: string) {
  const em = app.database.em.fork();
  const event = await em.findOne(EventEntity, { key: `billing.created/${id}` });
  const deliveries = event === null ? [] : await em.find(DeliveryEntity, { eventId: event.id });
  return { data: event && JSON.parse(event.data), deliveries };
}

const deliveryStarts = () => started.filter(({ table }) => table === 'deliveries').map(({ id }) => id);

describe('a webhook of v1', () => {
  it('creates a webhook under /v1 with v1 event names and shows it under /v2', async () => {
    const answer = await createV1();
    expect([answer.status, answer.json]).toEqual([
      200,
      { data: expect.objectContaining({ v2: false, events: V1_EVENTS }), error: null },
    ]);
    const { id } = answer.json.data as { id: string };
    expect((await api.get(`/v2/webhooks/get?id=${id}`)).json.data).toEqual(answer.json.data);
  });

  it('refuses v2 events in v1 webhooks and v1 events in v2 webhooks', async () => {
    expect(await createV1({ events: ['transparent.completed'] })).toMatchObject({ status: 400 });
    const v2 = await api.post('/v2/webhooks/create', webhookBody({ events: ['billing.paid'] }));
    expect(v2).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR' } });
  });

  it('creates a v2 webhook for the same path under /v2', async () => {
    expect((await buildWebhook(api)) as unknown).toMatchObject({ v2: true });
    expect((await api.post('/v1/webhooks/list', {})).status).toBe(404);
  });
});

describe('billing.created', () => {
  it('publishes billing.created for a checkout', async () => {
    await createV1();
    const checkout = await buildCheckout();
    const { data, deliveries } = await created(checkout.id);
    expect(data).toMatchObject({
      checkout: { id: checkout.id, url: checkout.url, amount: 10_000, status: 'PENDING' },
      customer: null,
    });
    expect(deliveries).toMatchObject([{ status: 'PENDING', attempts: 0 }]);
    expect(deliveryStarts()).toEqual(deliveries.map(({ id }) => id));
  });

  it('publishes billing.created once for a charge, with its customer', async () => {
    await createV1();
    const customer = {
      name: 'Ana Lima',
      email: 'ana@example.com',
      cellphone: '11999990000',
      taxId: '52998224725',
    };
    const charge = { externalId: 'order-1', customer };
    const { id } = await buildPixCharge(api, charge);
    await buildPixCharge(api, charge);
    const { data, deliveries } = await created(id);
    expect(data).toEqual({
      transparent: expect.objectContaining({
        id,
        externalId: 'order-1',
        status: 'PENDING',
        methods: ['PIX'],
      }),
      customer: expect.objectContaining({ name: 'Ana Lima', taxId: '529.***.***-**' }),
    });
    expect(deliveryStarts()).toEqual(deliveries.map((delivery) => delivery.id));
    expect(deliveries).toHaveLength(1);
  });

  it('records no billing.created unless a v1 endpoint is subscribed to it', async () => {
    await buildWebhook(api);
    await createV1({ events: ['billing.paid'] });
    const deleted = (await createV1()).json.data as { id: string };
    await api.post('/v2/webhooks/delete', { id: deleted.id });
    const production = await app.clientWith({ devMode: false });
    await production.post('/v1/webhooks/create', webhookBody({ events: V1_EVENTS }));
    const { id } = await buildPixCharge(api);
    expect(await created(id)).toEqual({ data: null, deliveries: [] });
    expect(started.map(({ table }) => table)).toEqual(['charges']);
  });

  it('starts a delivery in the sweeper if the process died after the commit', async () => {
    await createV1();
    const { id } = await buildPixCharge(api);
    const [delivery] = (await created(id)).deliveries;
    const swept: WorkflowStart[] = [];
    const sweeper = new Sweeper({
      client: { withDeadline: (_: Date, calls: () => Promise<unknown>) => calls() } as never,
      database: app.database,
      starter: { startOnly: async (start: WorkflowStart) => void swept.push(start) },
      chargeUpdates: {
        isSendingBack: () => Promise.reject(new Error('nothing is refunded here')),
        refund: () => Promise.reject(new Error('nothing is refunded here')),
      },
      notices: [],
      clocks: NO_CLOCKS,
      log: SILENT_LOG,
    });
    const createdMs = delivery?.createdAt.getTime() ?? 0;
    const inSeconds = (seconds: number) => new Date(createdMs + seconds * 1_000);
    const sweptDelivery = () => swept.find((start) => start.id === delivery?.id);
    await sweeper.sweep(inSeconds(0));
    expect(sweptDelivery()).toBeUndefined();
    await sweeper.sweep(inSeconds(10));
    expect(sweptDelivery()?.options).toMatchObject({
      workflowId: `delivery/${delivery?.id}`,
      args: [{ deliveryId: delivery?.id, resend: false }],
    });
    swept.length = 0;
    await sweeper.sweep(inSeconds(20));
    expect(sweptDelivery()).toBeUndefined();
  });
});
