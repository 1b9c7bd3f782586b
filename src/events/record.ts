import { unattemptedDeliveries } from '../database/delivery-to-start.ts';
import { DeliveryEntity, type DeliveryToStart } from '../database/entities/delivery.ts';
import { EventEntity } from '../database/entities/event.ts';
import type { Em } from '../database/orm.ts';
import { isV1Only, type RecordedEventName } from '../domain/event.ts';
import type { EventData } from './events.ts';
import { type EventOwner, newDeliveries, newEvent } from './new-event.ts';

/**
 * Writes an event with its deliveries in the caller's transaction, once per name and subject.
 * @returns the deliveries to start after the commit, also those of an event that an earlier run has written.
 */
export async function writeEvent<Name extends RecordedEventName>(
  em: Em,
  owner: EventOwner,
  name: Name,
  subjectId: string,
  data: EventData[Name],
  now: Date,
): Promise<DeliveryToStart[]> {
  const event = newEvent(owner, name, subjectId, data, now);
  const insertion = em.qb(EventEntity).insert(event).onConflict().ignore().returning('id');
  if ((await insertion.execute('all')).length === 0) return unattemptedDeliveries(em, event.key);
  const deliveries = await newDeliveries(em, event, data);
  for (const { deliveryId, webhookId } of deliveries) {
    await em.insert(DeliveryEntity, {
      id: deliveryId,
      eventId: event.id,
      webhookId,
      status: 'PENDING',
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      finishedAt: null,
      workflowStartedAt: isV1Only(name) ? null : now,
    });
  }
  return deliveries;
}
