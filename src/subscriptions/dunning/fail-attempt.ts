import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { FailureReason } from '../../domain/charge.ts';
import type { ChargeId, SubscriptionId } from '../../domain/ids.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { RETRIES_EXCEEDED } from '../../domain/retry-policy.ts';
import type { SubscriptionStatus } from '../../domain/subscription.ts';
import { unattemptedDeliveries } from '../../events/delivery-to-start.ts';
import { writeEvent } from '../../events/record.ts';
import { paymentFailedEventData } from '../../events/subscription/data.ts';
import { endSubscription } from '../cancel-subscription.ts';
import { attemptsGrantedTo } from '../card-change/replace-card.ts';
import type { SubscriptionDeps } from '../effects.ts';
import { lockSubscription } from '../lock-subscription.ts';
import type { CycleAttempt } from './begin-attempt.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Failure extends CycleAttempt {
  readonly subscriptionId: SubscriptionId;
  readonly chargeId: ChargeId;
  readonly nowMs: number;
}

/** What follows a failed attempt. */
export interface FailedCycleAttempt {
  readonly status: SubscriptionStatus;
  /** False if the subscription was cancelled before, so that the attempt no longer counts. */
  readonly isRecorded: boolean;
  /** Set if the code died while its bank or Recebe was unavailable: the attempt is repeated and does not count. */
  readonly isExcused?: true;
  /** Set if a pause has given the cycle up: the attempt does not count. */
  readonly isGivenUp?: true;
  /** Set if another attempt has paid the cycle after all. */
  readonly isPaid?: true;
  readonly reason: string;
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly retryAtMs: number;
}

/**
 * Records a failed attempt with its event. If it was the last one allowed, the same transaction ends the
 * subscription. A repeated call has no effect: the cycle's count shows that the attempt was recorded.
 */
export async function failAttempt(deps: SubscriptionDeps, failure: Failure): Promise<FailedCycleAttempt> {
  const em = deps.database.em.fork();
  const { deliveries, ...failed } = await em.transactional((tx) => record(deps, tx, failure));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return failed;
}

async function record(
  deps: SubscriptionDeps,
  tx: Em,
  { subscriptionId, chargeId, number, attempt, nowMs }: Failure,
): Promise<FailedCycleAttempt & { deliveries: DeliveryToStart[] }> {
  const now = new Date(nowMs);
  const subscription = await lockSubscription(tx, subscriptionId);
  const ended = await tx.findOneOrFail(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  const reason = reasonOf(ended);
  // A code was payable until now, so the next attempt is due at once. A card gets a pause of some days.
  // Another card than the one that was charged has been entered meanwhile, so it is tried at once as well.
  const granted = await attemptsGrantedTo(tx, subscriptionId, number);
  const isOtherCard = granted > 0 && ended.cardToken !== subscription.cardToken;
  const isAtOnce = METHOD_TRAITS[ended.method].hasCode || isOtherCard;
  const pauseMs = isAtOnce ? 0 : subscription.retryEveryDays * DAY_MS;
  const failed = { reason, retryAtMs: nowMs + pauseMs };
  const isLast = attempt >= subscription.maxRetry + granted;
  if (await isPaid(tx, ended)) {
    return { ...failed, isRecorded: false, isPaid: true, status: subscription.status, deliveries: [] };
  }
  if (subscription.status !== 'ACTIVE' && !(isLast && subscription.cancelledDueTo === RETRIES_EXCEEDED)) {
    return { ...failed, isRecorded: false, status: subscription.status, deliveries: [] };
  }
  if (subscription.status === 'ACTIVE' && (await isGivenUp(tx, ended)))
    return { ...failed, isRecorded: false, isGivenUp: true, status: 'ACTIVE', deliveries: [] };
  const isCounted = subscription.cycleNumber === number && subscription.failedAttempts >= attempt;
  if (ended.codeStatus === 'DEAD' && !isCounted) {
    const isActive = subscription.status === 'ACTIVE';
    return {
      ...failed,
      isRecorded: false,
      status: subscription.status,
      deliveries: [],
      ...(isActive && { isExcused: true as const }),
    };
  }
  if (isCounted) {
    // Published by an earlier run. Its events may be old enough to have been deleted, so they are not written
    // again.
    const published = await unattemptedDeliveries(tx, `subscription.payment_failed/${chargeId}`);
    const last = isLast ? await endSubscription(deps, tx, subscription, RETRIES_EXCEEDED, now) : [];
    const status = isLast ? 'CANCELLED' : 'ACTIVE';
    return { ...failed, isRecorded: true, status, deliveries: [...published, ...last] };
  }
  const charge = await asFailed(tx, ended, reason, now);
  const count = {
    failedAttempts: attempt,
    lastFailure: reason,
    attemptDueAt: new Date(failed.retryAtMs),
    updatedAt: now,
  };
  await tx.nativeUpdate(SubscriptionEntity, { id: subscriptionId }, count);
  const customer =
    subscription.customerId && (await tx.findOne(CustomerEntity, { id: subscription.customerId }));
  const nextAttemptAt = isLast ? null : count.attemptDueAt;
  const published = { reason, cycleNumber: number, retryNumber: attempt, nextAttemptAt };
  const data = paymentFailedEventData(
    { ...subscription, ...count },
    customer || null,
    charge,
    published,
    deps.publicUrl,
  );
  const deliveries = await writeEvent(tx, subscription, 'subscription.payment_failed', chargeId, data, now);
  if (!isLast) return { ...failed, isRecorded: true, status: 'ACTIVE', deliveries };
  const last = await endSubscription(deps, tx, subscription, RETRIES_EXCEEDED, now);
  return { ...failed, isRecorded: true, status: 'CANCELLED', deliveries: [...deliveries, ...last] };
}

/** Another attempt at the cycle was paid in time, and its notification arrived after this one had begun. */
async function isPaid(tx: Em, { cycleId }: Charge): Promise<boolean> {
  if (cycleId === null) return false;
  return (await tx.count(CycleEntity, { id: cycleId, status: 'PAID' })) > 0;
}

/** A pause has given the cycle up since the attempt began; somebody may have resumed the subscription again. */
async function isGivenUp(tx: Em, { cycleId }: Charge): Promise<boolean> {
  if (cycleId === null) return false;
  return (await tx.count(CycleEntity, { id: cycleId, status: 'FAILED' })) > 0;
}

/** An attempt that ended in any other way has failed, and all views show it so. */
async function asFailed(tx: Em, charge: Charge, failureReason: FailureReason, now: Date): Promise<Charge> {
  if (charge.status === 'FAILED') return charge;
  const change = { status: 'FAILED' as const, failureReason, updatedAt: now };
  const over = { id: charge.id, status: { $in: ['EXPIRED' as const, 'CANCELLED' as const] } };
  const changed = await tx.nativeUpdate(ChargeEntity, over, change);
  return changed === 1 ? { ...charge, ...change } : charge;
}

/** Why the attempt failed, in the words of the API. */
function reasonOf({ failureReason, status }: Charge): FailureReason {
  return failureReason ?? (status === 'EXPIRED' ? 'pix_expired' : 'payment_cancelled');
}
