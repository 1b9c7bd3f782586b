import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { CycleCharge } from '../activities/subscriptions/begin-attempt.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId, SubscriptionId } from '../src/domain/ids.ts';
import { cyclesIn, transitionsIn } from './activity-options.ts';
import { statusIn } from './marked-status.ts';
import type { Mutex } from './mutex.ts';
import { moment } from './run-clock.ts';
import { chargeEndedSignal } from './subscription.contract.ts';
import { attemptsAreResumed } from './versions.ts';

const MINUTE_MS = 60_000;

/** By then a charge has ended and told so, unless its run was terminated. */
const NOTIFIED_WITHIN_MS = 5 * MINUTE_MS;

/** An issuer has answered by then, unless it or we are out of reach. */
const ANSWERED_WITHIN_MS = 10 * MINUTE_MS;

const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS;

/**
 * Takes in what charges tell of their end. One may do so before the activity that began it has answered.
 * @param isOver ends all waiting.
 * @param isLeaving ends long waiting: that for an issuer that answers is short, and its end is about to be told.
 * @returns how to wait for the end of a charge. Answers PENDING only where the waiting was ended before.
 */
export function endedCharges(
  subscriptionId: SubscriptionId,
  mutex: Mutex,
  isOver: () => boolean,
  isLeaving: () => boolean,
): (charge: CycleCharge) => Promise<ChargeStatus> {
  const ended = new Map<ChargeId, ChargeStatus>();
  setHandler(chargeEndedSignal, ({ chargeId, status }) => void ended.set(chargeId, status));

  const isInterrupted = () => isOver() || isLeaving();

  /** @returns what the charge told; null where it has not told anything within that time. */
  const told = async (chargeId: ChargeId, withinMs: number, isStopped: () => boolean) => {
    await condition(() => ended.has(chargeId) || isStopped(), withinMs, { summary: 'charge has ended' });
    return ended.get(chargeId) ?? null;
  };

  /**
   * A charge that tells nothing is asked for, ever less often. Its issuer may be out of reach, which is
   * nobody's failure; or somebody has terminated its run, and another one goes on where that stood.
   */
  const askedFor = async (chargeId: ChargeId): Promise<ChargeStatus> => {
    for (let pauseMs = NOTIFIED_WITHIN_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const status = await cyclesIn(mutex).resumeAttempt({ subscriptionId, chargeId, ...moment() });
      if (status !== 'PENDING' || isInterrupted()) return status;
      setCurrentDetails(`No answer about charge **${chargeId}** yet. It is asked for until there is one.`);
      const last = await told(chargeId, pauseMs, isInterrupted);
      if (last !== null) return last;
      if (isInterrupted()) return status;
    }
  };

  return async ({ chargeId, status, method, closesAtMs }) => {
    // An attempt that is begun again, as after a reset of the run, may have told an earlier one.
    if (status !== 'PENDING') return status;
    const dueMs = method === 'CARD' ? Math.min(closesAtMs, Date.now() + ANSWERED_WITHIN_MS) : closesAtMs;
    const isDisturbed = method === 'CARD' ? isOver : isInterrupted;
    // One whose time has passed during an outage may be about to tell its end.
    const first = await told(
      chargeId,
      Math.max(MINUTE_MS, dueMs + NOTIFIED_WITHIN_MS - Date.now()),
      isDisturbed,
    );
    ended.clear();
    if (first !== null) return first;
    if (isDisturbed()) return status;
    // A run of before gives the charge up: what the provider knows decides, and nothing is left open.
    if (!attemptsAreResumed())
      return statusIn(await transitionsIn(mutex).failCharge({ chargeId, ...moment() }));
    return askedFor(chargeId);
  };
}
