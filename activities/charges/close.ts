import { METHODS } from '../../src/charges/methods/index.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { statement } from '../../src/database/statement.ts';
import { type ChargeStatus, wasPaid } from '../../src/domain/charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import type { CloseAnswer } from '../../src/providers/provider.ts';
import { acceptOrReturn, followUpAgain } from '../acceptance/accept-or-return.ts';
import type { ActivityDeps } from '../deps.ts';
import { notYet } from '../failures.ts';
import type { Closing } from './close-charge.ts';
import { closeUnpaid } from './close-unpaid.ts';
import { failCharge } from './fail-charge.ts';
import type { Loaded } from './load-charge.ts';

/** A cycle's code that is closed so late had nobody at work when its time was over, here or at its bank. */
const CLOSED_LATE_MS = 60 * 60_000;

const NOTE_DEAD_CODE = statement<{ chargeId: ChargeId }>(
  'note that the code of a charge had died',
  () => `update charges set code_status = 'DEAD' where id = :chargeId and status = 'PENDING'`,
);

const NOTHING_TO_CLOSE: CloseAnswer = { outcome: 'CLOSED' };

/**
 * Ends a charge without a payment. The provider is told first and has the last word: what was paid all the same is
 * accepted, or goes back to its payer.
 * @returns the charge's status afterwards.
 */
export async function close(
  deps: ActivityDeps,
  { em, charge, provider }: Loaded,
  closing: Closing,
  now: Date,
): Promise<ChargeStatus> {
  if (wasPaid(charge.status)) return followUpAgain(deps, em, charge);
  if (charge.status !== 'PENDING') return charge.status;
  // Nothing to pay means that no provider knows of it.
  const isKnown = METHODS[charge.method].decidedBy !== 'NOBODY';
  const closed = isKnown ? await provider.close(charge.providerReference) : NOTHING_TO_CLOSE;
  if (closed.outcome === 'PENDING') throw notYet('The provider has not closed it yet', closed.pollAfterMs);
  if (closed.outcome === 'PAID') {
    const status = await acceptOrReturn(deps, em, charge, provider, closed.payment, now);
    if (status !== 'PENDING') return status;
    // Too little or too late: the money went back, and the charge ends as it was going to.
  }
  if (isCodeDead(charge, closed, now)) await NOTE_DEAD_CODE(em, { chargeId: charge.id });
  if (closing.status === 'FAILED') return failCharge(deps, em, charge, closing.failureReason, now);
  return closeUnpaid(deps, em, charge, closing, now);
}

/**
 * Whether the payer of a cycle could not be expected to pay its code: its bank had removed it, or bank or service were away
 * when its time was over. The attempt is then not counted as failed (activities/subscriptions/fail-attempt.ts).
 */
function isCodeDead({ devMode, method, cycleId, closesAt }: Charge, closed: CloseAnswer, now: Date): boolean {
  if (devMode || method !== 'PIX' || cycleId === null) return false;
  const wasDead = closed.outcome === 'CLOSED' && closed.wasDead === true;
  return wasDead || now.getTime() - closesAt.getTime() > CLOSED_LATE_MS;
}
