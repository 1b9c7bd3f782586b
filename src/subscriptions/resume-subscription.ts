import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { SubscriptionStatus } from '../domain/subscription.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';
import { writeLifecycleEvent } from './write-lifecycle-event.ts';

/**
 * Undoes a scheduled cancellation. Until the row says CANCELLED it is in time, also if the period is over: the
 * lock decides between this and the end. A repeated call changes nothing.
 * @returns the status afterwards: CANCELLED if it had ended before.
 */
export async function resumeSubscription(
  deps: SubscriptionDeps,
  id: SubscriptionId,
  now: Date,
): Promise<SubscriptionStatus> {
  const { status, deliveries } = await deps.database.em
    .fork()
    .transactional((tx) => clearCancelAt(tx, id, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return status;
}

async function clearCancelAt(
  tx: Em,
  id: SubscriptionId,
  now: Date,
): Promise<{ status: SubscriptionStatus; deliveries: DeliveryToStart[] }> {
  const locked = await lockSubscription(tx, id);
  const { status, cancelAt } = locked;
  if (status !== 'ACTIVE' || cancelAt === null) return { status, deliveries: [] };
  const change = { cancelAt: null, updatedAt: now };
  await tx.nativeUpdate(SubscriptionEntity, { id }, change);
  const from = { resumedFrom: 'CANCELLING' as const };
  const deliveries = await writeLifecycleEvent(
    tx,
    'subscription.resumed',
    { ...locked, ...change },
    from,
    now,
  );
  return { status, deliveries };
}
