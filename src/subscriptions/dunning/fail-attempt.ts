import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { FailureReason } from '../../domain/charge.ts';
import { isDebit } from '../../domain/charge.ts';
import { RETRIES_EXCEEDED } from '../../domain/dunning-policy.ts';
import type { ChargeId, SubscriptionId } from '../../domain/ids.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { isKeptPastDue, type SubscriptionStatus } from '../../domain/subscription.ts';
import { positionOf, type SubscriptionPosition } from '../../domain/subscription-position.ts';
import { unattemptedDeliveries } from '../../events/delivery-to-start.ts';
import { writeEvent } from '../../events/record.ts';
import { debitOf } from '../../events/subscription/debit.ts';
import { paymentFailedEventData } from '../../events/subscription/payment-failed.ts';
import { billingSettingsOf } from '../../stores/billing-settings.ts';
import { endSubscription } from '../cancel-subscription.ts';
import { attemptsGrantedTo } from '../card-change/replace-card.ts';
import type { SubscriptionDeps } from '../effects.ts';
import { lockSubscription } from '../lock-subscription.ts';
import { pauseLocked } from '../pause-subscription.ts';
import { writeLifecycleEvent } from '../write-lifecycle-event.ts';
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
  /** Set if nothing is charged until somebody acts: the cycle is given up, or waits for its payer. */
  readonly isGivenUp?: true;
  /** Where the run continues then. Not set by earlier releases. */
  readonly position?: SubscriptionPosition;
  /** Set if another attempt has paid the cycle after all. */
  readonly isPaid?: true;
  readonly reason: string;
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly retryAtMs: number;
}

/**
 * Records a failed attempt with its event. If it was the last one allowed, the same transaction does what the store wants
 * then: it ends the subscription, pauses it, or keeps it past due. A repeated call has no effect: the cycle's count shows
 * that the attempt was recorded.
 */
export async function failAttempt(deps: SubscriptionDeps, failure: Failure): Promise<FailedCycleAttempt> {
  const em = deps.database.em.fork();
  const { deliveries, ...failed } = await em.transactional((tx) => record(deps, tx, failure));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return failed;
}

type Recorded = FailedCycleAttempt & { readonly deliveries: readonly DeliveryToStart[] };

async function record(
  deps: SubscriptionDeps,
  tx: Em,
  { subscriptionId, chargeId, number, attempt, nowMs }: Failure,
): Promise<Recorded> {
  const now = new Date(nowMs);
  const subscription = await lockSubscription(tx, subscriptionId);
  const ended = await tx.findOneOrFail(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  const reason = reasonOf(ended);
  // A code was payable until now, so the next attempt is due at once. A card gets a pause of some days.
  // What pays the subscription has been changed meanwhile, to another card or to PIX: that is tried at once as well.
  const granted = await attemptsGrantedTo(tx, subscriptionId, number);
  const isOtherCard = granted > 0 && ended.cardToken !== subscription.cardToken;
  const isByPixNow =
    METHOD_TRAITS[ended.method].keepsInstrument && METHOD_TRAITS[subscription.method].hasCode;
  const isAtOnce = METHOD_TRAITS[ended.method].hasCode || isOtherCard || isByPixNow;
  const pauseMs = isAtOnce ? 0 : subscription.retryEveryDays * DAY_MS;
  const failed = { reason, retryAtMs: nowMs + pauseMs };
  // The payer's bank has failed, several times: its payer gets at least one code.
  const isLast = !isDebit(ended) && attempt >= subscription.maxRetry + granted + subscription.extraAttempts;
  if (await isPaid(tx, ended)) {
    return { ...failed, isRecorded: false, isPaid: true, status: subscription.status, deliveries: [] };
  }
  if (subscription.status !== 'ACTIVE' && !(isLast && subscription.cancelledDueTo === RETRIES_EXCEEDED)) {
    return { ...failed, isRecorded: false, status: subscription.status, deliveries: [] };
  }
  const published = () => publishedBefore(tx, { subscriptionId, chargeId, nowMs });
  if (subscription.status === 'ACTIVE' && (await isGivenUp(tx, ended)))
    return { ...failed, isRecorded: false, ...stopped(subscription), deliveries: await published() };
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
    const standing = isKeptPastDue(subscription) ? stopped(subscription) : { status: subscription.status };
    return { ...failed, isRecorded: true, ...standing, deliveries: await published() };
  }
  const charge = await asFailed(tx, ended, reason, now);
  const end = isLast ? (await billingSettingsOf(tx, subscription)).dunningEnd : null;
  const count = {
    failedAttempts: attempt,
    lastFailure: reason,
    attemptDueAt: new Date(failed.retryAtMs),
    ...(end === 'KEEP_PAST_DUE' && { attemptDueAt: null, pausedAt: now, pauseCause: 'PAST_DUE' as const }),
    updatedAt: now,
  };
  await tx.nativeUpdate(SubscriptionEntity, { id: subscriptionId }, count);
  const counted = { ...subscription, ...count };
  const nextAttemptAt = isLast ? null : count.attemptDueAt;
  const isUsage = subscription.usageStartsAt !== null;
  const failure = { reason, cycleNumber: number, isUsage, retryNumber: attempt, nextAttemptAt };
  const deliveries = await publishFailure(deps, tx, counted, charge, failure, now);
  const isRecorded = true;
  if (end === 'CANCEL') {
    const last = await endSubscription(deps, tx, subscription, RETRIES_EXCEEDED, now);
    return { ...failed, isRecorded, status: 'CANCELLED', deliveries: [...deliveries, ...last] };
  }
  if (end === 'PAUSE') {
    const terms = { resumesAt: null, keepsAnchor: true, pauseCause: 'RETRIES_EXCEEDED' as const };
    const { paused, deliveries: last } = await pauseLocked(deps, tx, counted, terms, now);
    return { ...failed, isRecorded, ...stopped(paused), deliveries: [...deliveries, ...last] };
  }
  const isFirst = subscription.failedAttempts === 0;
  const more = { nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
  const first = isFirst
    ? await writeLifecycleEvent(deps, tx, 'subscription.past_due', counted, more, now)
    : [];
  const standing = end === null ? { status: 'ACTIVE' as const } : stopped(counted);
  return { ...failed, isRecorded, ...standing, deliveries: [...deliveries, ...first] };
}

/** Nothing is charged until somebody acts. Runs of earlier releases know `isGivenUp` only: they wait for a request. */
function stopped(subscription: Subscription) {
  return { status: 'ACTIVE' as const, isGivenUp: true as const, position: positionOf(subscription) };
}

async function publishFailure(
  deps: SubscriptionDeps,
  tx: Em,
  counted: Subscription,
  charge: Charge,
  failed: Omit<Parameters<typeof paymentFailedEventData>[3], 'debit'>,
  now: Date,
): Promise<DeliveryToStart[]> {
  const customer = counted.customerId && (await tx.findOne(CustomerEntity, { id: counted.customerId }));
  const failure = { ...failed, debit: await debitOf(tx, charge) };
  const data = paymentFailedEventData(counted, customer || null, charge, failure, deps.publicUrl);
  return writeEvent(tx, counted, 'subscription.payment_failed', charge.id, data, now);
}

/**
 * Deliveries of events that an earlier run of this activity has written. The events may be old enough to have been
 * deleted, so they are not written again.
 */
async function publishedBefore(
  tx: Em,
  { subscriptionId, chargeId, nowMs }: Pick<Failure, 'subscriptionId' | 'chargeId' | 'nowMs'>,
): Promise<DeliveryToStart[]> {
  const keys = [
    `subscription.payment_failed/${chargeId}`,
    `subscription.cancelled/${subscriptionId}`,
    `subscription.paused/${subscriptionId}/${nowMs}`,
    `subscription.past_due/${subscriptionId}/${nowMs}`,
  ];
  const deliveries = [];
  for (const key of keys) deliveries.push(...(await unattemptedDeliveries(tx, key)));
  return deliveries;
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
function reasonOf({ failureReason, status, ...charge }: Charge): FailureReason {
  if (isDebit(charge)) return 'debit_failed';
  return failureReason ?? (status === 'EXPIRED' ? 'pix_expired' : 'payment_cancelled');
}
