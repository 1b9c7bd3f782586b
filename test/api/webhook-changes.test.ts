import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { DeliveryView } from '../../src/api/deliveries/schema.ts';
import type { EventView } from '../../src/api/events/schema.ts';
import type { WebhookView } from '../../src/api/webhooks/schema.ts';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import type { EventName, V1EventName } from '../../src/domain/event-names.ts';
import type { WebhookId } from '../../src/domain/ids.ts';
import { EVENTS } from '../../src/events/events.ts';
import { V1_EVENTS } from '../../src/events/v1/events.ts';
import { standardWebhooksSecret } from '../../src/webhooks/signature.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook, webhookBody } from '../support/rows/build.ts';
import { buildPaidPix } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

const [OLD, NEW] = ['the secret before', 'the secret from now on'];

let app: MoneyApp;
let sink: WebhookSink;
let api: ApiClient;
beforeAll(async () => {
  [app, sink] = await Promise.all([createMoneyApp(), startWebhookSink()]);
});
beforeEach(async () => {
  ({ api } = await app.anotherStore());
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

async function post<Data = WebhookView>(path: string, body: object): Promise<Data> {
  return dataOf<Data>(await api.post(`/v2/webhooks/${path}`, body));
}

const deliveriesTo = async (webhookId: string) =>
  dataOf<DeliveryView[]>(await api.get(`/v2/webhooks/deliveries?webhookId=${webhookId}`));

describe('POST /webhooks/update', () => {
  it('changes the fields that were sent and keeps the others', async () => {
    const before = (await buildWebhook(api)) as WebhookView;
    expect(await post('update', { id: before.id, name: 'Ledger' })).toEqual({
      ...before,
      name: 'Ledger',
      updatedAt: expect.any(String),
    });
    const events = ['checkout.completed', 'webhook.disabled'];
    const endpoint = 'https://EXAMPLE.com/elsewhere';
    await post('update', { id: before.id, events, endpoint });
    expect(dataOf(await api.get(`/v2/webhooks/get?id=${before.id}`))).toEqual({
      ...before,
      name: 'Ledger',
      events,
      endpoint: 'https://example.com/elsewhere',
      updatedAt: expect.any(String),
    });
  });

  it('sends nothing to a disabled webhook and shows when it was disabled', async () => {
    const endpoint = sink.endpoint();
    const { id } = await buildWebhook(api, { endpoint: endpoint.url });
    const { disabledAt } = await post('update', { id, enabled: false });
    expect(disabledAt).toEqual(expect.any(String));
    expect(await post('update', { id, enabled: false })).toMatchObject({ disabledAt });
    await buildPaidPix(api);
    expect(await deliveriesTo(id)).toEqual([]);
    expect(await post('update', { id, enabled: true })).toMatchObject({ disabledAt: null });
    await buildPaidPix(api);
    await endpoint.waitFor((received) => received.length === 1);
  });

  it('refuses events of v1, and returns 404 for the webhook of another store', async () => {
    const { id } = await buildWebhook(api);
    const wrong = { id, events: ['transparent.completed', 'billing.paid'] };
    expect(await api.post('/v2/webhooks/update', wrong)).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'events[1]', message: expect.stringContaining('v2') }] },
    });
    const stranger = (await app.anotherStore()).api;
    for (const [path, body] of [
      ['update', { id, name: 'x' }],
      ['rotate-secret', { id, secret: 'x' }],
      ['test', { id }],
    ] as const)
      expect(await stranger.post(`/v2/webhooks/${path}`, body)).toMatchObject({ status: 404 });
  });
});

describe('POST /webhooks/rotate-secret', () => {
  const rowOf = (id: string) => app.database.em.fork().findOneOrFail(WebhookEntity, { id: id as WebhookId });

  /** The secrets that verify a new delivery, for each of the two signatures. */
  async function genuineFor(endpoint: Endpoint) {
    const before = endpoint.received.length;
    await buildPaidPix(api);
    await endpoint.waitFor((received) => received.length > before);
    const { body = '', headers = {} } = endpoint.received.at(-1) ?? {};
    const given = headers as Record<string, string>;
    const standard = (secret: string) => {
      try {
        new Webhook(standardWebhooksSecret(secret)).verify(body, given);
        return true;
      } catch {
        return false;
      }
    };
    const primary = (secret: string) =>
      createHmac('sha256', secret).update(body).digest('base64') === given['x-webhook-signature'];
    const both = [OLD, NEW] as const;
    return { standard: both.filter(standard), primary: both.filter(primary) };
  }

  it('signs with the new secret at once, and with the previous one for a day', async () => {
    const endpoint = sink.endpoint();
    const { id } = await buildWebhook(api, { endpoint: endpoint.url, secret: OLD });
    expect(await genuineFor(endpoint)).toEqual({ standard: [OLD], primary: [OLD] });

    const { previousSecretUntil } = await post('rotate-secret', { id, secret: NEW });
    const inADayMs = Date.now() + 24 * 60 * 60 * 1_000;
    expect(Math.abs(Date.parse(previousSecretUntil ?? '') - inADayMs)).toBeLessThan(60_000);
    expect(await genuineFor(endpoint)).toEqual({ standard: [OLD, NEW], primary: [NEW] });

    // A client that lost the answer repeats the request.
    expect(await post('rotate-secret', { id, secret: NEW })).toMatchObject({ previousSecretUntil });
    expect(await genuineFor(endpoint)).toEqual({ standard: [OLD, NEW], primary: [NEW] });

    const over = { previousSecretUntil: new Date(Date.now() - 1) };
    await app.database.em.fork().nativeUpdate(WebhookEntity, { id: id as WebhookId }, over);
    expect(await genuineFor(endpoint)).toEqual({ standard: [NEW], primary: [NEW] });
  });

  it('keeps one of two concurrent new secrets as current, the other as previous', async () => {
    const { id } = await buildWebhook(api, { secret: OLD });
    await Promise.all([1, 2].map((number) => post('rotate-secret', { id, secret: `secret ${number}` })));
    const { secret, previousSecret } = await rowOf(id);
    expect([secret, previousSecret].toSorted()).toEqual(['secret 1', 'secret 2']);
  });
});

describe('POST /webhooks/test', () => {
  it.each<[EventName | V1EventName, 'v1' | 'v2']>([
    ['subscription.payment_failed', 'v2'],
    ['webhook.disabled', 'v2'],
    ['billing.failed', 'v1'],
    ['subscription.created', 'v1'],
  ])('sends a marked sample of %s to an endpoint of %s and records no event', async (event, version) => {
    const endpoint = sink.endpoint();
    const events = version === 'v2' ? ['transparent.completed'] : ['billing.paid'];
    const body = webhookBody({ endpoint: endpoint.url, events });
    const { id } = dataOf<WebhookView>(await api.post(`/${version}/webhooks/create`, body));
    const sent = await post<DeliveryView>('test', { id, event });
    expect(sent).toMatchObject({ webhookId: id, sample: true, status: 'PENDING', subjectIds: [] });
    await endpoint.waitFor((received) => received.length === 1);
    const payload = JSON.parse(endpoint.received[0]?.body ?? '');
    const { example } = version === 'v2' ? EVENTS[event as EventName] : V1_EVENTS[event as V1EventName];
    expect(payload).toMatchObject({ event, sample: true, devMode: true, data: example });
    await eventually(async () => {
      const shown = await api.get(`/v2/webhooks/deliveries/get?id=${sent.id}`);
      expect(shown.json.data).toMatchObject({ status: 'DELIVERED', sample: true, payload });
    });
    expect(dataOf(await api.get('/v2/events/list'))).toEqual([]);
    expect(dataOf(await api.get(`/v2/events/list?name=${sent.event}`))).toEqual([]);
    expect(await api.get(`/v2/events/get?id=${sent.eventId}`)).toMatchObject({ status: 404 });
  });

  it('sends the first event of the webhook and refuses an event of v1', async () => {
    const endpoint = sink.endpoint();
    const events = ['payout.failed', 'transparent.completed'];
    const { id } = await buildWebhook(api, { endpoint: endpoint.url, events });
    expect(await post('test', { id })).toMatchObject({ event: 'payout.failed' });
    expect(await api.post('/v2/webhooks/test', { id, event: 'billing.paid' })).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'event' }] },
    });
  });
});

describe('an endpoint that answers 410 Gone', () => {
  it('notifies other endpoints of a 410 once, and resends after it is enabled again', async () => {
    const [gone, other] = [sink.endpoint((attempt) => (attempt <= 1 ? 410 : 200)), sink.endpoint()];
    const { id } = await buildWebhook(api, {
      endpoint: gone.url,
      events: ['transparent.completed', 'webhook.disabled'],
    });
    await buildWebhook(api, { endpoint: other.url, events: ['webhook.disabled'] });
    const charge = await buildPaidPix(api);
    await other.waitFor((received) => received.length === 1);
    const sent = JSON.parse(other.received[0]?.body ?? '');
    expect(sent).toMatchObject({
      event: 'webhook.disabled',
      data: { webhook: { id, disabledAt: expect.any(String) }, reason: expect.stringContaining('410') },
    });
    const [event] = dataOf<EventView[]>(await api.get(`/v2/events/list?subjectId=${id}`));
    expect(event).toMatchObject({ id: sent.eventId, name: 'webhook.disabled', data: sent.data });

    const failed = async () =>
      dataOf<DeliveryView[]>(await api.get(`/v2/webhooks/deliveries?subjectId=${charge}&status=FAILED`));
    await eventually(async () => expect(await failed()).toHaveLength(1));
    const [delivery] = await failed();
    expect(await api.post('/v2/webhooks/resend', { id: delivery?.id })).toMatchObject({
      status: 422,
      json: { code: 'WEBHOOK_INACTIVE' },
    });
    await post('update', { id, enabled: true });
    dataOf(await api.post('/v2/webhooks/resend', { id: delivery?.id }));
    await gone.waitFor((received) => received.length === 2);
    expect(gone.received[1]?.body).toBe(gone.received[0]?.body);
    await eventually(async () => expect(await failed()).toEqual([]));
    expect(other.received).toHaveLength(1);
  });
});
