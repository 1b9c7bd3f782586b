import type { Charge } from '../../database/entities/charge.ts';
import { statement } from '../../database/statement.ts';
import { type ChargeStatus, wasPaid } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { notYet } from '../../providers/not-yet.ts';
import type { CloseAnswer } from '../../providers/ports/charges.ts';
import { acceptOrReturn, followUpAgain } from '../acceptance/accept-or-return.ts';
import type { ChargeDeps } from '../effects.ts';
import type { Loaded } from '../load-charge.ts';
import { METHODS } from '../methods/index.ts';
import type { Closing } from './close-charge.ts';
import { closeUnpaid } from './close-unpaid.ts';
import { failCharge } from './fail-charge.ts';

/** If a cycle's code is closed this late, Recebe or its bank was unavailable at its deadline. */
const CLOSED_LATE_MS = 60 * 60_000;

const NOTE_DEAD_CODE = statement<{ chargeId: ChargeId }>(
  'note that the code of a charge had died',
  () => `update charges set code_status = 'DEAD' where id = :chargeId and status = 'PENDING'`,
);

const NOTHING_TO_CLOSE: CloseAnswer = { outcome: 'CLOSED' };

/**
 * Ends a charge without a payment. The provider closes it first, and its answer wins: a payment that it reports is
 * accepted or returned.
 * @returns the charge's status afterwards.
 */
export async function close(
  deps: ChargeDeps,
  { em, charge, provider }: Loaded,
  closing: Closing,
  now: Date,
): Promise<ChargeStatus> {
  if (wasPaid(charge.status)) return followUpAgain(deps, em, charge);
  if (charge.status !== 'PENDING') return charge.status;
  // A payment of nothing has no order at a provider.
  const isKnown = METHODS[charge.method].decidedBy !== 'NOBODY';
  const closed = isKnown ? await provider.charges.close(charge.providerReference) : NOTHING_TO_CLOSE;
  if (closed.outcome === 'PENDING') throw notYet('The provider has not closed it yet', closed.pollAfterMs);
  if (closed.outcome === 'PAID') {
    const status = await acceptOrReturn(deps, em, charge, provider, closed.payment, now);
    if (status !== 'PENDING') return status;
    // The amount was too low or the payment too late: it was returned, and the charge ends as intended.
  }
  if (isCodeDead(charge, closed, now)) await NOTE_DEAD_CODE(em, { chargeId: charge.id });
  if (closing.status === 'FAILED') return failCharge(deps, em, charge, closing.failureReason, now);
  return closeUnpaid(deps, em, charge, closing, now);
}

/**
 * Whether the payer of a cycle had no fair chance to pay its code: its bank removed it, or bank or Recebe was
 * unavailable at its deadline. The attempt then does not count as failed
 * (src/subscriptions/dunning/fail-attempt.ts).
 */
function isCodeDead({ devMode, method, cycleId, closesAt }: Charge, closed: CloseAnswer, now: Date): boolean {
  if (devMode || !METHODS[method].hasCode || cycleId === null) return false;
  const wasDead = closed.outcome === 'CLOSED' && closed.wasDead === true;
  return wasDead || now.getTime() - closesAt.getTime() > CLOSED_LATE_MS;
}
