import { type ChargeStatus, wasPaid } from '../domain/charge.ts';
import { acceptOrReturn, followUpAgain } from './acceptance/accept-or-return.ts';
import { askIssuer } from './ask-issuer.ts';
import { closeCharge } from './closing/close-charge.ts';
import type { ChargeDeps } from './effects.ts';
import type { Loaded } from './load-charge.ts';
import { METHODS } from './methods/index.ts';
import { verifyKeptCard } from './verify-kept-card.ts';

/**
 * Decides a card payment, or a payment of nothing, at once. A card that is kept with the latter is verified first.
 * @returns the charge's status. It is PENDING only while the payer confirms the payment, or the card, at their bank.
 */
export async function authorizeCharge(deps: ChargeDeps, loaded: Loaded, now: Date): Promise<ChargeStatus> {
  const { em, charge, provider } = loaded;
  // An earlier run may have died before the follow-up work of an acceptance. The payment may have been refunded
  // since.
  if (wasPaid(charge.status)) return followUpAgain(deps, em, charge);
  if (charge.status !== 'PENDING') return charge.status;
  if (METHODS[charge.method].decidedBy === 'NOBODY') {
    const undecided =
      charge.cardToken === null ? null : await verifyKeptCard(deps, loaded, charge.cardToken, now);
    if (undecided !== null) return undecided;
    const status = await acceptOrReturn(deps, em, charge, provider, null, now);
    return status === 'PENDING' ? closeCharge(em, charge.id, { status: 'CANCELLED' }, now) : status;
  }
  return askIssuer(deps, loaded, now);
}
