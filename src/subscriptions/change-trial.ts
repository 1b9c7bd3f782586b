import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { isPaused } from '../domain/subscription.ts';
import { positionOf } from '../domain/subscription-position.ts';
import { dropDebits } from './debits/drop-debits.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';
import type { MovedSubscription } from './pause-subscription.ts';
import { writeLifecycleEvent } from './write-lifecycle-event.ts';

/** When somebody wants a trial to end. */
export interface TrialTerms {
  readonly subscriptionId: SubscriptionId;
  /** In milliseconds since 1970; null ends the trial immediately. */
  readonly endsAtMs: number | null;
}

/**
 * Ends a trial now, or moves its end. The first cycle is charged then, and later ones follow from there. A cancellation that is
 * scheduled for the end of the trial moves with it. A trial that is over, or paused, stays as it is. A repeated call changes
 * nothing.
 */
export async function changeTrial(
  deps: SubscriptionDeps,
  terms: TrialTerms,
  now: Date,
): Promise<MovedSubscription> {
  const { deliveries, ...moved } = await deps.database.em
    .fork()
    .transactional((tx) => writeTrial(deps, tx, terms, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return moved;
}

async function writeTrial(
  deps: SubscriptionDeps,
  tx: Em,
  { subscriptionId: id, endsAtMs }: TrialTerms,
  now: Date,
): Promise<MovedSubscription & { deliveries: DeliveryToStart[] }> {
  const locked = await lockSubscription(tx, id);
  const { status, cycleEndsAt } = locked;
  if (status !== 'ACTIVE' || !isInTrial(locked)) return { status, position: null, deliveries: [] };
  const endsAt = endsAtMs === null ? now : new Date(endsAtMs);
  const isOver = endsAtMs === null && cycleEndsAt <= now;
  if (isOver || endsAt.getTime() === cycleEndsAt.getTime())
    return { status, position: positionOf(locked), deliveries: [] };
  const change = {
    trialEndsAt: endsAt,
    cycleEndsAt: endsAt,
    anchorAt: endsAt,
    ...(locked.cancelAt !== null && { cancelAt: endsAt }),
    // The new end is announced as well.
    trialEndAnnounced: false,
    announcedNumber: 0,
    updatedAt: now,
  };
  await tx.nativeUpdate(SubscriptionEntity, { id }, change);
  await dropDebits(deps, tx, locked, now);
  const changed = { ...locked, ...change };
  const deliveries = await writeLifecycleEvent(deps, tx, 'subscription.trial_changed', changed, {}, now);
  return { status, position: positionOf(changed), deliveries };
}

/** Whether the end of its trial can be moved. */
export function isInTrial(
  subscription: Pick<Subscription, 'cycleNumber' | 'pausedAt' | 'pauseCause'>,
): boolean {
  return subscription.cycleNumber === 0 && !isPaused(subscription);
}
