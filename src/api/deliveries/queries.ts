import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Delivery, DeliveryAttemptEntity, DeliveryEntity } from '../../database/entities/delivery.ts';
import { EventEntity } from '../../database/entities/event.ts';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { DeliveryId, WebhookId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import type { DeliveryDetails, ListDeliveriesQuery } from './schema.ts';

/**
 * The condition of GET `/webhooks/deliveries`. Deliveries to deleted webhooks are part of the history and
 * stay.
 */
export function deliveryFilter(
  { storeId, devMode }: Caller,
  { webhookId, event, status }: ListDeliveriesQuery,
): FilterQuery<Delivery> {
  const own = raw('webhook_id in (select id from webhooks where store_id = ? and dev_mode = ?)', [
    storeId,
    devMode,
  ]);
  const named = raw('event_id in (select id from events where name = ?)', [event ?? '']);
  return {
    [own]: [],
    ...(webhookId !== undefined && { webhookId: webhookId as WebhookId }),
    ...(event !== undefined && { [named]: [] }),
    ...(status !== undefined && { status }),
  };
}

/** A delivery of the caller's and the webhook it is for. @throws ApiError NOT_FOUND */
export async function requireDelivery(em: Em, caller: Caller, id: string): Promise<[Delivery, Webhook]> {
  const delivery = await requireRow(em, DeliveryEntity, { id: id as DeliveryId }, 'Delivery');
  const own = { ...ownedBy(caller), id: delivery.webhookId };
  return [delivery, await requireRow(em, WebhookEntity, own, 'Delivery')];
}

/** What is shown with each delivery, in two queries however many there are. */
export async function withDetails(em: Em, deliveries: readonly Delivery[]): Promise<DeliveryDetails[]> {
  if (deliveries.length === 0) return [];
  const options = { disableIdentityMap: true };
  const eventIds = [...new Set(deliveries.map(({ eventId }) => eventId))];
  const events = await em.find(EventEntity, { id: { $in: eventIds } }, { ...options, fields: ['name'] });
  const names = new Map(events.map(({ id, name }) => [id, name]));
  const attempts = await em.find(
    DeliveryAttemptEntity,
    { deliveryId: { $in: deliveries.map(({ id }) => id) } },
    { ...options, orderBy: { startedAt: 'asc', attemptKey: 'asc' } },
  );
  const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => {
    const event = names.get(delivery.eventId);
    if (event === undefined) throw new Error(`delivery ${delivery.id} has no event`);
    return { delivery, event, attempts: attemptsOf.get(delivery.id) ?? [] };
  });
}
