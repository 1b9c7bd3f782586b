import { DeliveryEntity, type DeliveryToStart } from '../src/database/delivery.ts';
import { unattemptedDeliveries } from '../src/database/delivery-to-start.ts';
import { EventEntity } from '../src/database/event.ts';
import type { Em } from '../src/database/orm.ts';
import type { EventName } from '../src/domain/event.ts';
import { type EventOwner, newDeliveries, newEvent } from './new-event.ts';

/**
 * Writes an event with its deliveries in the caller's transaction, once per name and subject.
 * @returns the deliveries to start after the commit, also those of an event that an earlier run has written.
 */
export async function writeEvent(
  em: Em,
  owner: EventOwner,
  name: EventName,
  subjectId: string,
  data: object,
  now: Date,
): Promise<DeliveryToStart[]> {
  const event = newEvent(owner, name, subjectId, data, now);
  const insertion = em.qb(EventEntity).insert(event).onConflict().ignore().returning('id');
  if ((await insertion.execute('all')).length === 0) return unattemptedDeliveries(em, event.key);
  const deliveries = await newDeliveries(em, event);
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
    });
  }
  return deliveries;
}
