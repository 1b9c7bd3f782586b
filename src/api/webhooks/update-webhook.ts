import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import { notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import { requireWebhook } from './queries.ts';
import { requireEvents } from './sample.ts';
import type { UpdateWebhookBody } from './schema.ts';

/**
 * Updates the given fields.
 * @param endpoint the new normalized address; undefined leaves it unchanged.
 * @throws ApiError NOT_FOUND, and VALIDATION_ERROR for an event of another API version.
 */
export async function updateWebhook(
  request: ApiRequest<unknown, UpdateWebhookBody>,
  endpoint: string | undefined,
): Promise<Webhook> {
  const { em, key, body, now } = request;
  const webhook = await requireWebhook(em, key, body.id);
  const { name, events, enabled } = body;
  if (events !== undefined) requireEvents(webhook, events, (index) => `events[${index}]`);
  const change = {
    ...(name !== undefined && { name }),
    ...(endpoint !== undefined && { endpoint }),
    ...(events !== undefined && { events }),
    ...(enabled === true && { disabledAt: null }),
    ...(enabled === false && { disabledAt: webhook.disabledAt ?? now }),
    updatedAt: now,
  };
  return request.transaction(async (tx) => {
    const kept = { ...keptBy(key), id: webhook.id };
    if ((await tx.nativeUpdate(WebhookEntity, kept, change)) === 0) throw notFound('Webhook');
    // Reset the circuit breaker, because the endpoint may respond now.
    if (endpoint !== undefined || enabled)
      await tx.execute('delete from endpoint_breakers where webhook_id = :id', { id: webhook.id }, 'run');
    await request.recordAction(tx, webhook.id, {
      fields: Object.keys(body).filter((field) => field !== 'id'),
    });
    return { ...webhook, ...change };
  });
}
