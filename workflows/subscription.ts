import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { wasPaid } from '../src/domain/charge.ts';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';
import type { CycleCharge } from '../src/subscriptions/dunning/begin-attempt.ts';
import { cyclesIn, subscriptionEndings } from './lib/activity-options.ts';
import { shielded, withDomainCancellation } from './lib/cancellation.ts';
import { endedCharges } from './lib/ended-charges.ts';
import { isHistoryLong } from './lib/long-history.ts';
import { Mutex } from './lib/mutex.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import {
  type ChangePlanInput,
  cancelSubscriptionUpdate,
  changePlanUpdate,
  type DueAttempt,
  type SubscriptionInput,
  subscriptionStateQuery,
} from './subscription.contract.ts';

/** Far below 10 000 events, where the server warns. A monthly subscription gets there in about twelve years. */
const CONTINUE_AFTER_EVENTS = 2_000;

/** The search attributes after a cycle was paid following failures. */
const ALL_IS_WELL = [
  { key: searchAttribute.failedAttempts, value: 0 },
  { key: searchAttribute.lastFailure, value: null },
];

/**
 * One run handles a stretch of one subscription's life. It continues as new while the subscription is active. It
 * ends when the integrator cancels the subscription, or when its charges failed too often. It is durable because a
 * subscription lives for years. Each cycle must be charged once, and none after a cancellation, despite crashes.
 *
 * Postgres holds plan, usage and cycle, and decides what may be charged; the run holds the time. Each attempt at a
 * cycle has its own charge workflow: the activity that begins the attempt starts it, and it signals its end. Usage
 * stays in rows, which are summed up when a cycle opens. A run starts with a delay until its first cycle is due.
 */
export async function subscription(input: SubscriptionInput): Promise<SubscriptionStatus> {
  const { subscriptionId } = input;
  const mutex = new Mutex();
  const clock = new RunClock();
  const cycles = cyclesIn(mutex);
  let { nextNumber, nextChargeAtMs, plan } = input;
  let resumes: DueAttempt | null = input.resumes ?? null;
  let status: SubscriptionStatus = 'ACTIVE';
  let failure: { readonly attempts: number; readonly reason: string; readonly retryAtMs: number } | null =
    null;
  /** Set once the history is long: the run continues as new at its next wait. */
  let isLeaving = false;
  const isActive = () => status === 'ACTIVE';
  const isOver = () => !isActive() || isLeaving;
  const endOf = endedCharges(
    subscriptionId,
    mutex,
    () => !isActive(),
    () => isLeaving,
  );

  /** The only place that changes the status. It never returns to ACTIVE. */
  const moveTo = (next: SubscriptionStatus) => {
    if (next === status || next === 'ACTIVE') return;
    status = next;
    upsertSearchAttributes([
      { key: searchAttribute.status, value: status },
      { key: searchAttribute.nextChargeAt, value: null },
    ]);
    const { attempts, reason } = failure ?? {};
    const last = reason ? ` Its last cycle had failed ${attempts} times (${reason}).` : '';
    setCurrentDetails(`Subscription is **${status}**.${last}`);
  };

  const refuseUnlessActive = () => {
    if (!isActive()) throw ApplicationFailure.nonRetryable('The subscription is cancelled', 'NOT_ACTIVE');
  };
  const showNextCycle = () =>
    setCurrentDetails(`Charges cycle ${nextNumber} at **${new Date(nextChargeAtMs).toISOString()}**.`);
  setHandler(subscriptionStateQuery, () => ({
    status,
    nextNumber,
    plan,
    nextChargeAt: new Date(nextChargeAtMs).toISOString(),
    failedAttempts: failure?.attempts ?? 0,
    lastFailure: failure?.reason ?? null,
    retryAt: failure === null ? null : new Date(failure.retryAtMs).toISOString(),
  }));
  const cancel = async () => {
    moveTo(await subscriptionEndings.cancelSubscription({ subscriptionId, ...moment() }));
    return status;
  };
  const changePlan = async (change: ChangePlanInput) => {
    const changed = await cycles.changePlan({ subscriptionId, ...moment(), ...change });
    moveTo(changed.status);
    if (changed.status === 'ACTIVE') plan = changed.plan;
    // Updates alone can fill a history. The server limits the updates of one run, and would then refuse a
    // cancellation too.
    isLeaving ||= isHistoryLong(CONTINUE_AFTER_EVENTS);
    // Not `status`: a cancellation may have arrived meanwhile, but this change was accepted before it.
    return changed.status;
  };
  setHandler(cancelSubscriptionUpdate, shielded(cancel));
  setHandler(changePlanUpdate, shielded(changePlan), {
    validator: (_change: ChangePlanInput) => refuseUnlessActive(),
  });

  /** Waits until an attempt is due and begins it. @returns null if this run no longer has to do it. */
  const begun = async (number: number, due: DueAttempt): Promise<CycleCharge | null> => {
    await clock.waitUntil(due.dueAtMs, isOver, `retry of cycle ${number}`);
    if (isOver()) return null;
    const retry = { subscriptionId, number, attempt: due.attempt, ...moment() };
    const charge = await cycles.retryCycle(retry);
    if (charge === null) moveTo('CANCELLED');
    return isActive() ? charge : null;
  };

  /** Records a failed attempt. @returns the next attempt; null if there is none. */
  const failed = async (number: number, attempt: number, { chargeId }: CycleCharge) => {
    const at = { subscriptionId, number, ...moment() };
    const recorded = await cycles.recordFailedAttempt({ ...at, attempt, chargeId });
    const { reason, retryAtMs, status: next } = recorded;
    // An expired code turned out to be paid in time, so the cycle is collected.
    if (recorded.isPaid) {
      moveTo(next);
      return null;
    }
    if (recorded.isExcused) return { attempt, dueAtMs: retryAtMs, lastFailure: failure?.reason ?? null };
    if (recorded.isRecorded) {
      failure = { attempts: attempt, reason, retryAtMs };
      upsertSearchAttributes([
        { key: searchAttribute.nextChargeAt, value: new Date(retryAtMs) },
        { key: searchAttribute.failedAttempts, value: attempt },
        { key: searchAttribute.lastFailure, value: reason },
      ]);
    }
    moveTo(next);
    if (!isActive()) return null;
    setCurrentDetails(
      `Cycle ${number} failed ${attempt} times (${reason}). Retries at **${new Date(retryAtMs).toISOString()}**.`,
    );
    return { attempt: attempt + 1, dueAtMs: retryAtMs, lastFailure: reason };
  };

  /**
   * Charges a cycle, with the attempts that the retry policy allows.
   * @returns where a new run must continue; null if the cycle was collected or the subscription ended.
   */
  const collect = async (number: number, first: CycleCharge, from: DueAttempt | null) => {
    let due = from;
    let charge: CycleCharge | null = first;
    if (due !== null && due.attempt > 1) {
      failure = { attempts: due.attempt - 1, reason: due.lastFailure ?? '', retryAtMs: due.dueAtMs };
      charge = await begun(number, due);
    }
    for (let attempt = due?.attempt ?? 1; charge !== null; attempt = due?.attempt ?? attempt + 1) {
      setCurrentDetails(`Cycle ${number}, attempt ${attempt}: waiting for charge **${charge.chargeId}**.`);
      const outcome = await endOf(charge);
      // A charge that was refunded or disputed meanwhile had been paid, so the cycle is not charged again.
      if (wasPaid(outcome) || !isActive()) return null;
      if (outcome === 'PENDING')
        return { attempt, dueAtMs: Date.now(), lastFailure: due?.lastFailure ?? null };
      due = await failed(number, attempt, charge);
      charge = due && (await begun(number, due));
    }
    return due;
  };

  const goOnAsNew = async () => {
    await condition(allHandlersFinished);
    if (!isActive()) return;
    const next = { subscriptionId, nextNumber, nextChargeAtMs, plan };
    await continueAsNew<typeof subscription>(resumes === null ? next : { ...next, resumes });
  };

  const live = async () => {
    showNextCycle();
    while (isActive()) {
      if (resumes === null) await clock.waitUntil(nextChargeAtMs, isOver, `cycle ${nextNumber} begins`);
      if (isLeaving) await goOnAsNew();
      if (!isActive()) break;
      const cycle = await cycles.openCycle({ subscriptionId, number: nextNumber, ...moment() });
      if (cycle.status === 'CANCELLED') moveTo('CANCELLED');
      if (cycle.status === 'CANCELLED' || !isActive()) break;
      resumes = await collect(nextNumber, cycle.charge, resumes);
      if (!isActive()) break;
      // The history became long during the collection. The new run continues with the open cycle and its attempt.
      if (resumes !== null) {
        await goOnAsNew();
        break;
      }
      nextNumber += 1;
      nextChargeAtMs = cycle.endsAtMs;
      upsertSearchAttributes([
        { key: searchAttribute.cycleNumber, value: nextNumber - 1 },
        { key: searchAttribute.nextChargeAt, value: new Date(nextChargeAtMs) },
        ...(failure === null ? [] : ALL_IS_WELL),
      ]);
      failure = null;
      showNextCycle();
      if (isHistoryLong(CONTINUE_AFTER_EVENTS)) await goOnAsNew();
    }
    await condition(allHandlersFinished);
    return status;
  };

  return withDomainCancellation(live, cancel);
}
