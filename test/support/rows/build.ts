import { type Delivery, DeliveryEntity } from '../../../src/database/entities/delivery.ts';
import { type Event, EventEntity } from '../../../src/database/entities/event.ts';
import { type Webhook, WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { DeliveryId, EventId, StoreId, WebhookId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import type { ApiClient } from '../api/api-client.ts';

/** The body of a webhook that would be accepted, with what a test changes. */
export function webhookBody(changes: Record<string, unknown> = {}) {
  return {
    name: 'Order system',
    endpoint: 'https://example.com/webhooks',
    secret: 'a-secret-of-some-length',
    events: ['transparent.completed'],
    ...changes,
  };
}

/** Creates a webhook over the API. */
export async function buildWebhook(api: ApiClient, changes: Record<string, unknown> = {}) {
  const answer = await api.post('/v2/webhooks/create', webhookBody(changes));
  if (answer.status !== 200) throw new Error(`webhook was refused: ${answer.text}`);
  return answer.json.data as { id: string; name: string; createdAt: string };
}

/** Inserts a webhook as it is, at a time of the test's choice. */
export async function insertWebhook(database: Database, given: Partial<Webhook> & { storeId: StoreId }) {
  const createdAt = given.createdAt ?? new Date();
  const webhook: Webhook = {
    id: mintId<WebhookId>('webhook', createdAt),
    devMode: true,
    name: 'Order system',
    endpoint: 'https://example.com/webhooks',
    secret: 'a-secret-of-some-length',
    secretKeyId: null,
    previousSecret: null,
    previousSecretKeyId: null,
    previousSecretUntil: null,
    events: ['transparent.completed'],
    v2: true,
    disabledAt: null,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
    ...given,
  };
  await database.em.fork().insert(WebhookEntity, webhook);
  return webhook;
}

/** Inserts an event and its delivery to `webhook`. */
export async function insertDelivery(
  database: Database,
  webhook: Webhook,
  given: Partial<Delivery> & { readonly event?: Event['name'] } = {},
) {
  const { event = 'transparent.completed', ...changes } = given;
  const createdAt = given.createdAt ?? new Date();
  const eventId = mintId<EventId>('event', createdAt);
  const delivery: Delivery = {
    id: mintId<DeliveryId>('delivery', createdAt),
    eventId,
    webhookId: webhook.id,
    storeId: webhook.storeId,
    devMode: webhook.devMode,
    eventName: event,
    status: 'PENDING',
    attempts: 0,
    nextAttemptAt: null,
    createdAt,
    finishedAt: null,
    workflowStartedAt: createdAt,
    ...changes,
  };
  const { storeId, devMode } = webhook;
  const em = database.em.fork();
  await em.insert(EventEntity, {
    id: eventId,
    storeId,
    devMode,
    name: event,
    customerId: null,
    key: `${event}/${eventId}`,
    subjectId: null,
    checkoutId: null,
    subscriptionId: null,
    data: '{}',
    createdAt,
  });
  await em.insert(DeliveryEntity, delivery);
  return delivery;
}

/** Creates a PIX charge of R$ 25.00 over the API. @param data changes and adds fields. */
export async function buildPixCharge(api: ApiClient, data: Record<string, unknown> = {}) {
  const answer = await api.post('/v2/transparents/create', {
    method: 'PIX',
    data: { amount: 2500, ...data },
  });
  if (answer.status !== 200) throw new Error(`charge was refused: ${answer.text}`);
  return answer.json.data as { id: string; status: string; createdAt: string; expiresAt: string };
}
