import { CycleEntity } from '../database/entities/cycle.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { isPaused } from '../domain/subscription.ts';
import { resumedCycle } from '../domain/subscription-pause.ts';
import { positionOf } from '../domain/subscription-position.ts';
import { usageEndsAtOf } from '../domain/usage-cycle.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';
import type { MovedSubscription } from './pause-subscription.ts';
import { writeLifecycleEvent } from './write-lifecycle-event.ts';

/**
 * Ends a pause and undoes a scheduled cancellation. Until the row says CANCELLED it is in time, also if the period is
 * over: the lock decides between this and the end. A repeated call changes nothing.
 * @param isTimer whether the end of the pause has come by itself: then the row must agree.
 */
export async function resumeSubscription(
  deps: SubscriptionDeps,
  id: SubscriptionId,
  now: Date,
  isTimer = false,
): Promise<MovedSubscription> {
  const { deliveries, ...moved } = await deps.database.em
    .fork()
    .transactional((tx) => writeResumed(deps, tx, id, now, isTimer));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return moved;
}

async function writeResumed(
  deps: SubscriptionDeps,
  tx: Em,
  id: SubscriptionId,
  now: Date,
  isTimer: boolean,
): Promise<MovedSubscription & { deliveries: DeliveryToStart[] }> {
  const locked = await lockSubscription(tx, id);
  const { status, cancelAt } = locked;
  // An unpaid cycle that waits for its payer is no pause, and continues to wait.
  const pausedAt = isPaused(locked) ? locked.pausedAt : null;
  if (status !== 'ACTIVE') return { status, position: null, deliveries: [] };
  const isNothingToDo = isTimer ? !isPauseOver(locked, now) : cancelAt === null && pausedAt === null;
  if (isNothingToDo) return { status, position: positionOf(locked), deliveries: [] };
  const change = {
    ...(pausedAt !== null && (await datesAfterPause(tx, { ...locked, pausedAt }, now))),
    // A pause that ends by itself leaves a cancellation as it is.
    ...(!isTimer && { cancelAt: null }),
    updatedAt: now,
  };
  await tx.nativeUpdate(SubscriptionEntity, { id }, change);
  const resumed = { ...locked, ...change };
  const from = { resumedFrom: pausedAt === null ? ('CANCELLING' as const) : ('PAUSED' as const) };
  const deliveries = await writeLifecycleEvent(deps, tx, 'subscription.resumed', resumed, from, now);
  return { status, position: positionOf(resumed), deliveries };
}

function isPauseOver({ pausedAt, resumesAt }: Subscription, now: Date): boolean {
  return pausedAt !== null && resumesAt !== null && resumesAt <= now;
}

/** When a subscription is charged after a pause that ends now. Changes nothing. */
export async function datesAfterPause(tx: Em, paused: Subscription & { readonly pausedAt: Date }, now: Date) {
  const { id, cycleNumber } = paused;
  // The usage of a given up cycle of usage is charged with the next cycle; the period of the plan is paid.
  const givenUp = { subscriptionId: id, number: cycleNumber, status: 'FAILED' as const, isUsage: false };
  const unpaid = await tx.findOne(CycleEntity, givenUp, { disableIdentityMap: true });
  const dates = resumedCycle({ ...paused, unpaidUntil: unpaid?.endsAt ?? null }, now);
  const isTrial = cycleNumber === 0;
  return {
    ...dates,
    ...(isTrial && { trialEndsAt: dates.cycleEndsAt }),
    usageEndsAt: isTrial ? null : usageEndsAtOf({ ...dates, plan: paused.plan }, now),
    pausedAt: null,
    resumesAt: null,
    pauseCause: null,
    keepsAnchor: true,
  };
}
