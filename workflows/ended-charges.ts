import { condition, setHandler } from '@temporalio/workflow';
import type { CycleCharge } from '../activities/subscriptions/begin-attempt.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId } from '../src/domain/ids.ts';
import { transitions } from './activity-options.ts';
import { chargeEndedSignal } from './subscription.contract.ts';

/** By then a charge has ended and told so, unless its run was terminated. */
const TOLD_WITHIN_MS = 5 * 60 * 1_000;

/**
 * Takes in what charges tell of their end. One may do so before the activity that began it has answered.
 * @param isOver ends all waiting.
 * @returns how to wait for the end of a charge.
 */
export function endedCharges(isOver: () => boolean): (charge: CycleCharge) => Promise<ChargeStatus> {
  const ended = new Map<ChargeId, ChargeStatus>();
  setHandler(chargeEndedSignal, ({ chargeId, status }) => void ended.set(chargeId, status));

  return async ({ chargeId, status, closesAtMs }) => {
    // An attempt that is begun again, as after a reset of the run, may have told an earlier one.
    if (status !== 'PENDING') return status;
    const waitMs = Math.max(1, closesAtMs + TOLD_WITHIN_MS - Date.now());
    const isKnown = () => ended.has(chargeId) || isOver();
    await condition(isKnown, waitMs, { summary: 'charge has ended' });
    const told = ended.get(chargeId);
    ended.clear();
    // Somebody terminated it: what the provider knows decides, and nothing is left open.
    return told ?? (isOver() ? status : transitions.failCharge({ chargeId, nowMs: Date.now() }));
  };
}
