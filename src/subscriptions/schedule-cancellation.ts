import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { SubscriptionStatus } from '../domain/subscription.ts';
import { endSubscription, followEnd } from './cancel-subscription.ts';
import { dropDebits } from './debits/drop-debits.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';
import { writeLifecycleEvent } from './write-lifecycle-event.ts';

/** A cancellation that waits for the end of the current cycle. */
export interface ScheduledCancellation {
  readonly status: SubscriptionStatus;
  /** In milliseconds since 1970. Null if the subscription has ended. */
  readonly cancelAtMs: number | null;
  /** Whether that has passed already: the last cycle was paid late, or the next one could not open yet. */
  readonly isDue: boolean;
}

/**
 * Schedules the end of a subscription for the end of its current cycle, or trial. What is open in that cycle is
 * still collected; no further cycle opens, because `openCycle` reads the same row. A repeated call changes nothing.
 */
export async function scheduleCancellation(
  deps: SubscriptionDeps,
  id: SubscriptionId,
  now: Date,
): Promise<ScheduledCancellation> {
  const { deliveries, ...scheduled } = await deps.database.em
    .fork()
    .transactional((tx) => writeCancelAt(deps, tx, id, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return scheduled;
}

async function writeCancelAt(
  deps: SubscriptionDeps,
  tx: Em,
  id: SubscriptionId,
  now: Date,
): Promise<ScheduledCancellation & { deliveries: DeliveryToStart[] }> {
  const locked = await lockSubscription(tx, id);
  const { status, cancelAt, cycleEndsAt } = locked;
  if (status !== 'ACTIVE') return { status, cancelAtMs: null, isDue: false, deliveries: [] };
  if (cancelAt !== null)
    return { status, cancelAtMs: cancelAt.getTime(), isDue: cancelAt <= now, deliveries: [] };
  const change = { cancelAt: cycleEndsAt, updatedAt: now };
  await tx.nativeUpdate(SubscriptionEntity, { id }, change);
  await dropDebits(deps, tx, locked, now);
  const changed = { ...locked, ...change };
  const deliveries = await writeLifecycleEvent(
    deps,
    tx,
    'subscription.cancellation_scheduled',
    changed,
    {},
    now,
  );
  return { status, cancelAtMs: cycleEndsAt.getTime(), isDue: cycleEndsAt <= now, deliveries };
}

/**
 * Ends a subscription whose scheduled cancellation is due, and closes its open charges: they belong to the period
 * that is over. Does nothing if somebody has resumed it before. May be repeated.
 */
export async function endAtPeriodEnd(
  deps: SubscriptionDeps,
  id: SubscriptionId,
  now: Date,
): Promise<SubscriptionStatus> {
  const { status, deliveries } = await deps.database.em.fork().transactional(async (tx) => {
    const locked = await lockSubscription(tx, id);
    const isWaiting = locked.status === 'ACTIVE' && (locked.cancelAt === null || locked.cancelAt > now);
    if (isWaiting) return { status: locked.status, deliveries: [] };
    return {
      status: 'CANCELLED' as const,
      deliveries: await endSubscription(deps, tx, locked, null, now),
    };
  });
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  if (status === 'CANCELLED') await followEnd(deps, id, now);
  return status;
}
