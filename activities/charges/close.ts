import { METHODS } from '../../src/charges/methods/index.ts';
import { type ChargeStatus, wasPaid } from '../../src/domain/charge.ts';
import type { CloseAnswer } from '../../src/providers/provider.ts';
import { acceptOrReturn, followUpAgain } from '../acceptance/accept-or-return.ts';
import type { ActivityDeps } from '../deps.ts';
import { notYet } from '../failures.ts';
import type { Closing } from './close-charge.ts';
import { closeUnpaid } from './close-unpaid.ts';
import { failCharge } from './fail-charge.ts';
import type { Loaded } from './load-charge.ts';

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
  if (closing.status === 'FAILED') return failCharge(deps, em, charge, closing.failureReason, now);
  return closeUnpaid(deps, em, charge, closing, now);
}
