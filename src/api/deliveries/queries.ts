import type { FilterQuery } from '@mikro-orm/core';
import { type Delivery, DeliveryAttemptEntity, DeliveryEntity } from '../../database/entities/delivery.ts';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { RecordedEventName } from '../../domain/event.ts';
import type { DeliveryId, WebhookId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import type { DeliveryDetails, ListDeliveriesQuery } from './schema.ts';

/**
 * The condition of GET `/webhooks/deliveries`. Deliveries to deleted webhooks are part of the history and
 * stay.
 */
export function deliveryFilter(
  caller: Caller,
  { webhookId, event, status }: ListDeliveriesQuery,
): FilterQuery<Delivery> {
  return {
    ...ownedBy(caller),
    ...(webhookId !== undefined && { webhookId: webhookId as WebhookId }),
    ...(event !== undefined && { eventName: event as RecordedEventName }),
    ...(status !== undefined && { status }),
  };
}

/** A delivery of the caller's and the webhook it is for. @throws ApiError NOT_FOUND */
export async function requireDelivery(em: Em, caller: Caller, id: string): Promise<[Delivery, Webhook]> {
  const own = { ...ownedBy(caller), id: id as DeliveryId };
  const delivery = await requireRow(em, DeliveryEntity, own, 'Delivery');
  return [delivery, await requireRow(em, WebhookEntity, { id: delivery.webhookId }, 'Delivery')];
}

/** What is shown with each delivery, in one query however many there are. */
export async function withDetails(em: Em, deliveries: readonly Delivery[]): Promise<DeliveryDetails[]> {
  if (deliveries.length === 0) return [];
  const attempts = await em.find(
    DeliveryAttemptEntity,
    { deliveryId: { $in: deliveries.map(({ id }) => id) } },
    { disableIdentityMap: true, orderBy: { startedAt: 'asc', attemptKey: 'asc' } },
  );
  const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ delivery, attempts: attemptsOf.get(delivery.id) ?? [] }));
}
