import { findChargeById } from '../../charges/find-charge.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { ApiError } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';

/** How long a request waits for the card's issuer; afterwards the charge is answered as PENDING. */
const DECIDED_WITHIN_MS = 10_000;

/**
 * Waits for the issuer's answer to a committed card charge. It stays PENDING while the payer confirms it at their bank,
 * and if Temporal or the issuer does not answer in time: the charge is then decided without this request.
 * @throws ApiError CARD_DECLINED if the card was declined.
 */
export async function decidedCard(request: ApiRequest, charge: Charge): Promise<Charge> {
  const { deps, requestId } = request;
  if (charge.status === 'PENDING' && charge.actionUrl === null) {
    try {
      const authorize = () => deps.chargeUpdates.authorize(charge, requestId);
      await deps.temporal.withDeadline(Date.now() + DECIDED_WITHIN_MS, authorize);
    } catch (error) {
      request.log.warn({ chargeId: charge.id, err: error }, 'payment decision postponed');
    }
  }
  const decided = (await findChargeById(request.em, charge.id)) ?? charge;
  if (decided.status === 'FAILED') throw declined(decided);
  return decided;
}

function declined({ id, failureReason }: Charge): ApiError {
  const declineReason = failureReason ?? 'card_declined';
  const message = `The card was declined: ${declineReason}`;
  return new ApiError(422, 'CARD_DECLINED', message, undefined, {}, { declineReason, chargeId: id });
}
