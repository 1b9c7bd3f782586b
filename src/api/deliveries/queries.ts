import type { FilterQuery } from '@mikro-orm/core';
import { type Delivery, DeliveryAttemptEntity, DeliveryEntity } from '../../database/entities/delivery.ts';
import { EventEntity } from '../../database/entities/event.ts';
import { type Resend, ResendEntity } from '../../database/entities/resend.ts';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { RecordedEventName } from '../../domain/event-names.ts';
import type { DeliveryId, EventId, ResendId, WebhookId } from '../../domain/ids.ts';
import { aboutSubject, holds } from '../events/queries.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import type { DeliveryDetails, ListDeliveriesQuery } from './schema.ts';

/** The query condition of GET `/webhooks/deliveries`. Deliveries to deleted webhooks stay in the list. */
export async function deliveryFilter(
  em: Em,
  caller: Caller,
  { webhookId, event, eventId, status, subjectId, from, to }: ListDeliveriesQuery,
): Promise<FilterQuery<Delivery>> {
  return {
    ...(webhookId === undefined ? ownedBy(caller) : await sentTo(em, caller, webhookId as WebhookId)),
    ...createdWithin({ createdFrom: from, createdTo: to }),
    ...(event !== undefined && { eventName: event as RecordedEventName }),
    ...(eventId !== undefined && { eventId: eventId as EventId }),
    ...(status !== undefined && { status }),
    ...(subjectId !== undefined && holds(aboutSubject(subjectId))),
  };
}

/**
 * The store is checked on the webhook, not in the query for deliveries. Postgres does not know that a
 * webhook's deliveries share its store, and would scan all the caller's deliveries for another store's
 * webhook.
 */
async function sentTo(em: Em, caller: Caller, id: WebhookId): Promise<{ webhookId: { $in: WebhookId[] } }> {
  const isTheirs = (await em.count(WebhookEntity, { ...ownedBy(caller), id })) > 0;
  return { webhookId: { $in: isTheirs ? [id] : [] } };
}

/** A delivery of the caller. @throws ApiError NOT_FOUND */
export function requireDelivery(em: Em, caller: Caller, id: string): Promise<Delivery> {
  return requireRow(em, DeliveryEntity, { ...ownedBy(caller), id: id as DeliveryId }, 'Delivery');
}

/** A bulk resend of the caller. @throws ApiError NOT_FOUND */
export function requireResend(em: Em, caller: Caller, id: string): Promise<Resend> {
  return requireRow(em, ResendEntity, { ...ownedBy(caller), id: id as ResendId }, 'Resend');
}

/** The webhook of a delivery, deleted or not. */
export function webhookOf(em: Em, { webhookId }: Delivery): Promise<Webhook> {
  return requireRow(em, WebhookEntity, { id: webhookId }, 'Delivery');
}

/** Loads the details of deliveries with two queries for the whole list. */
export async function withDetails(em: Em, deliveries: readonly Delivery[]): Promise<DeliveryDetails[]> {
  if (deliveries.length === 0) return [];
  const attempts = await em.find(
    DeliveryAttemptEntity,
    { deliveryId: { $in: deliveries.map(({ id }) => id) } },
    { disableIdentityMap: true, orderBy: { startedAt: 'asc', attemptKey: 'asc' } },
  );
  const events = await em.find(
    EventEntity,
    { id: { $in: deliveries.map(({ eventId }) => eventId) } },
    {
      disableIdentityMap: true,
      fields: ['id', 'key', 'subjectId', 'checkoutId', 'subscriptionId', 'customerId', 'sample'],
    },
  );
  const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const eventOf = new Map(events.map((event) => [event.id, event]));
  return deliveries.flatMap((delivery) => {
    const event = eventOf.get(delivery.eventId);
    return event === undefined ? [] : [{ delivery, event, attempts: attemptsOf.get(delivery.id) ?? [] }];
  });
}

/** The details of one delivery. */
export async function detailsOf(em: Em, delivery: Delivery): Promise<DeliveryDetails> {
  const [details] = await withDetails(em, [delivery]);
  if (details === undefined) throw new Error('a delivery has no event');
  return details;
}
