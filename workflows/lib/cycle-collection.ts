import { condition, setCurrentDetails } from '@temporalio/workflow';
import { wasPaid } from '../../src/domain/charge.ts';
import type { SubscriptionId } from '../../src/domain/ids.ts';
import type { CycleCharge } from '../../src/subscriptions/dunning/begin-attempt.ts';
import type { DueAttempt } from '../subscription.contract.ts';
import { cyclesIn } from './activity-options.ts';
import { endedCharges } from './ended-charges.ts';
import type { Mutex } from './mutex.ts';
import { moment, type RunClock } from './run-clock.ts';
import type { SubscriptionProgress } from './subscription-progress.ts';

/** What collecting the cycles of one run works with. */
interface CollectingRun {
  readonly subscriptionId: SubscriptionId;
  readonly progress: SubscriptionProgress;
  readonly mutex: Mutex;
  readonly clock: RunClock;
}

/**
 * Charges a cycle, with the attempts that the retry policy allows (dunning). Each attempt has its own charge
 * workflow, which the activity that begins the attempt starts.
 * @param first the charge of the cycle's first attempt, or of the open one.
 * @param from the attempt that a run in the middle of the cycle continues with.
 * @returns where a new run must continue; null if the cycle was collected or the subscription ended.
 */
export type CollectCycle = (first: CycleCharge, from: DueAttempt | null) => Promise<DueAttempt | null>;

/** Receives the ends of charges from now on. @see CollectCycle */
export function cycleCollection({ subscriptionId, progress, mutex, clock }: CollectingRun): CollectCycle {
  const cycles = cyclesIn(mutex);
  const endOf = endedCharges(
    subscriptionId,
    mutex,
    () => progress.isCollectionOver,
    () => progress.isLeaving,
    () => {
      progress.noteChargeEnd();
      if (progress.isBetweenCycles) progress.noteEndBetweenCycles();
    },
  );

  /** Waits until a retry is due and begins it. @returns null if this run no longer has to do it. */
  const retried = async (number: number, due: DueAttempt): Promise<CycleCharge | null> => {
    await clock.waitUntil(due.dueAtMs, () => progress.isOver, `retry of cycle ${number}`);
    if (progress.isOver) return null;
    const charge = await cycles.retryCycle({ subscriptionId, number, attempt: due.attempt, ...moment() });
    if (charge === 'PAUSED') {
      await condition(() => progress.isOver);
      return null;
    }
    if (charge === null) progress.moveTo('CANCELLED');
    return progress.isActive ? charge : null;
  };

  /** Records a failed attempt. @returns the next attempt; null if there is none. */
  const recordFailure = async (
    number: number,
    attempt: number,
    { chargeId }: CycleCharge,
  ): Promise<DueAttempt | null> => {
    const at = { subscriptionId, number, ...moment() };
    const recorded = await cycles.recordFailedAttempt({ ...at, attempt, chargeId });
    const { reason, retryAtMs, status } = recorded;
    // An expired code turned out to be paid in time, so the cycle is collected.
    if (recorded.isPaid) {
      progress.moveTo(status);
      return null;
    }
    // A pause has given the cycle up, or the cycle waits for its payer. Its row says where the run continues.
    if (recorded.isGivenUp) {
      if (recorded.position !== undefined && !progress.hasMoved) progress.moveOn(recorded.position);
      await condition(() => progress.isOver);
      return null;
    }
    if (recorded.isExcused) return { attempt, dueAtMs: retryAtMs, lastFailure: progress.lastFailure };
    if (recorded.isRecorded) progress.noteFailure({ attempts: attempt, reason, retryAtMs });
    progress.moveTo(status);
    if (!progress.isActive) return null;
    setCurrentDetails(
      `Cycle ${number} failed ${attempt} times (${reason}). Retries at **${new Date(retryAtMs).toISOString()}**.`,
    );
    return { attempt: attempt + 1, dueAtMs: retryAtMs, lastFailure: reason };
  };

  return async (first, from) => {
    const number = progress.nextNumber;
    let due = from;
    let charge: CycleCharge | null = first;
    if (due !== null && due.attempt > 1) {
      progress.knowsFailure(due);
      charge = await retried(number, due);
    }
    for (let attempt = due?.attempt ?? 1; charge !== null; attempt = due?.attempt ?? attempt + 1) {
      setCurrentDetails(`Cycle ${number}, attempt ${attempt}: waiting for charge **${charge.chargeId}**.`);
      const outcome = await endOf(charge);
      // A charge that was refunded or disputed meanwhile had been paid, so the cycle is not charged again.
      if (wasPaid(outcome) || !progress.isActive) return null;
      if (outcome === 'PENDING')
        return { attempt, dueAtMs: Date.now(), lastFailure: due?.lastFailure ?? null };
      due = await recordFailure(number, attempt, charge);
      charge = due && (await retried(number, due));
    }
    return due;
  };
}
