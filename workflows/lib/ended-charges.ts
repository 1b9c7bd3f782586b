import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, SubscriptionId } from '../../src/domain/ids.ts';
import { METHOD_TRAITS } from '../../src/domain/payment-methods.ts';
import type { CycleCharge } from '../../src/subscriptions/dunning/begin-attempt.ts';
import { chargeEndedSignal } from '../subscription.contract.ts';
import { cyclesIn } from './activity-options.ts';
import type { Mutex } from './mutex.ts';
import { moment } from './run-clock.ts';

const MINUTE_MS = 60_000;

/** Every charge signals its end within this time, unless its run was terminated. */
const NOTIFIED_WITHIN_MS = 5 * MINUTE_MS;

/** An issuer answers within this time, unless Recebe or the issuer is unavailable. */
const ANSWERED_WITHIN_MS = 10 * MINUTE_MS;

const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS;

/**
 * Receives the signals of ended charges. A signal may arrive before the activity that began the charge has
 * returned.
 * @param isOver ends all waiting.
 * @param isLeaving ends long waits only: an issuer answers soon, and its charge is about to signal its end.
 * @param onEnd is called for each signal.
 * @returns a function that waits for the end of a charge. It returns PENDING only if the wait was ended early.
 */
export function endedCharges(
  subscriptionId: SubscriptionId,
  mutex: Mutex,
  isOver: () => boolean,
  isLeaving: () => boolean,
  onEnd: () => void,
): (charge: CycleCharge) => Promise<ChargeStatus> {
  const ended = new Map<ChargeId, ChargeStatus>();
  setHandler(chargeEndedSignal, ({ chargeId, status }) => {
    ended.set(chargeId, status);
    onEnd();
  });

  const isInterrupted = () => isOver() || isLeaving();

  /** @returns how the charge ended; null if it sent no signal within that time. */
  const signalled = async (chargeId: ChargeId, withinMs: number, isStopped: () => boolean) => {
    await condition(() => ended.has(chargeId) || isStopped(), withinMs, { summary: 'charge has ended' });
    return ended.get(chargeId) ?? null;
  };

  /**
   * Polls a charge that sends no signal, with growing pauses. Its issuer may be unavailable, which is no failed
   * attempt. Or someone terminated its run, and another run continues its work.
   */
  const askedFor = async (chargeId: ChargeId): Promise<ChargeStatus> => {
    for (let pauseMs = NOTIFIED_WITHIN_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const status = await cyclesIn(mutex).resumeAttempt({ subscriptionId, chargeId, ...moment() });
      if (status !== 'PENDING' || isInterrupted()) return status;
      setCurrentDetails(`Charge **${chargeId}** has not reported its end. Polling until it does.`);
      const last = await signalled(chargeId, pauseMs, isInterrupted);
      if (last !== null) return last;
      if (isInterrupted()) return status;
    }
  };

  return async ({ chargeId, status, method, closesAtMs }) => {
    // After a reset of the run, an attempt begins again, and its signal may have reached the earlier one.
    if (status !== 'PENDING') return status;
    const isIssuerAsked = METHOD_TRAITS[method].decidedBy === 'ISSUER';
    const dueMs = isIssuerAsked ? Math.min(closesAtMs, Date.now() + ANSWERED_WITHIN_MS) : closesAtMs;
    const isDisturbed = isIssuerAsked ? isOver : isInterrupted;
    // A charge that became overdue during an outage may be about to signal its end.
    const first = await signalled(
      chargeId,
      Math.max(MINUTE_MS, dueMs + NOTIFIED_WITHIN_MS - Date.now()),
      isDisturbed,
    );
    ended.clear();
    if (first !== null) return first;
    if (isDisturbed()) return status;
    return askedFor(chargeId);
  };
}
