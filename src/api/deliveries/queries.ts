import type { FilterQuery } from '@mikro-orm/core';
import { type Delivery, DeliveryAttemptEntity, DeliveryEntity } from '../../database/entities/delivery.ts';
import { EventEntity } from '../../database/entities/event.ts';
import { type Resend, ResendEntity } from '../../database/entities/resend.ts';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { RecordedEventName } from '../../domain/event.ts';
import type { DeliveryId, EventId, ResendId, WebhookId } from '../../domain/ids.ts';
import { aboutSubject, holds } from '../events/queries.ts';
import type { Caller } from '../frame/caller.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { DeliveryDetails, ListDeliveriesQuery } from './schema.ts';

/**
 * The condition of GET `/webhooks/deliveries`. Deliveries to deleted webhooks are part of the history and
 * stay.
 */
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
 * A webhook's deliveries are those of its store, so the store is not asked for besides: Postgres, which does not
 * know that, would look for another store's webhook among all deliveries of the caller's.
 */
async function sentTo(em: Em, caller: Caller, id: WebhookId): Promise<{ webhookId: { $in: WebhookId[] } }> {
  const isTheirs = (await em.count(WebhookEntity, { ...ownedBy(caller), id })) > 0;
  return { webhookId: { $in: isTheirs ? [id] : [] } };
}

/** A delivery of the caller's. @throws ApiError NOT_FOUND */
export function requireDelivery(em: Em, caller: Caller, id: string): Promise<Delivery> {
  return requireRow(em, DeliveryEntity, { ...ownedBy(caller), id: id as DeliveryId }, 'Delivery');
}

/** A range of the caller's that is or was sent again. @throws ApiError NOT_FOUND */
export function requireResend(em: Em, caller: Caller, id: string): Promise<Resend> {
  return requireRow(em, ResendEntity, { ...ownedBy(caller), id: id as ResendId }, 'Resend');
}

/** The webhook that a delivery is for, deleted or not. */
export function webhookOf(em: Em, { webhookId }: Delivery): Promise<Webhook> {
  return requireRow(em, WebhookEntity, { id: webhookId }, 'Delivery');
}

/** What is shown with each delivery, in two queries however many there are. */
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

/** The same of one. */
export async function detailsOf(em: Em, delivery: Delivery): Promise<DeliveryDetails> {
  const [details] = await withDetails(em, [delivery]);
  if (details === undefined) throw new Error('a delivery has no event');
  return details;
}
