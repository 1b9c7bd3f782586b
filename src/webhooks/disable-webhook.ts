import { WebhookEntity } from '../database/entities/webhook.ts';
import type { WebhookId } from '../domain/ids.ts';
import { writeEvent } from '../events/record.ts';
import { webhookEventData } from '../events/webhook.ts';
import type { PostResult } from '../outbound/post-result.ts';
import type { WebhookDeps } from './effects.ts';

/**
 * Disables an endpoint that answered 410 (contract section 7) and notifies the store's other endpoints once. If
 * several attempts get 410 at once, one of them disables it. If this process dies before the notifications, the
 * sweeper starts their deliveries.
 */
export async function disableWebhook(
  deps: WebhookDeps,
  id: WebhookId,
  { error }: PostResult,
  now: Date,
): Promise<void> {
  const deliveries = await deps.database.em.fork().transactional(async (em) => {
    const change = { disabledAt: now, updatedAt: now };
    const disabled = await em.nativeUpdate(WebhookEntity, { id, disabledAt: null, deletedAt: null }, change);
    if (disabled === 0) return [];
    const webhook = await em.findOneOrFail(WebhookEntity, { id });
    const data = webhookEventData(webhook, now, error ?? '');
    const owner = { ...webhook, customerId: null };
    return writeEvent(em, owner, 'webhook.disabled', `${id}/${now.getTime()}`, data, now);
  });
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
}
