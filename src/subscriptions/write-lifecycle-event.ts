import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { EventData } from '../events/events.ts';
import { writeEvent } from '../events/record.ts';
import {
  type LifecycleEventData,
  type LifecycleEventName,
  lifecycleEventData,
} from '../events/subscription/lifecycle.ts';
import type { SubscriptionDeps } from './effects.ts';

/**
 * Writes an event about a subscription that may happen to it several times, in the transaction of its change.
 * @param more the fields of this event beside the subscription and its customer.
 * @param now the instant of the change: a repeated activity writes the event once.
 * @returns the deliveries to start after the commit.
 */
export async function writeLifecycleEvent<Name extends LifecycleEventName>(
  { publicUrl }: Pick<SubscriptionDeps, 'publicUrl'>,
  tx: Em,
  name: Name,
  changed: Subscription,
  more: Omit<LifecycleEventData[Name], 'subscription' | 'customer'>,
  now: Date,
): Promise<DeliveryToStart[]> {
  const { id, customerId } = changed;
  const customer = customerId && (await tx.findOne(CustomerEntity, { id: customerId }));
  const data: EventData[LifecycleEventName] = lifecycleEventData<Name>(
    changed,
    customer || null,
    more,
    publicUrl,
  );
  return writeEvent<LifecycleEventName>(tx, changed, name, `${id}/${now.getTime()}`, data, now);
}
