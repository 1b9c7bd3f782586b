import { METHODS } from '../../charges/methods/index.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { leastAcceptedCents } from '../../domain/fine-and-interest.ts';
import { payableUntil } from '../../domain/last-day-to-pay.ts';
import { type ApiError, brokenRule, requireDevMode } from '../frame/errors.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireCharge, requireShownCharge } from './find-charge.ts';

/**
 * Makes the sandbox bank pay the charge, and waits until the notification is processed (contract section 4).
 * @param metadata stored with the payment, and included in its events.
 * @param amountCents what the payer pays instead of the amount due. If it is less, the payment is returned to the payer,
 * and the charge stays as it is.
 * @throws ApiError 403 with a production key, 422 if the charge is neither open nor paid, 503 if Temporal is
 * unreachable: the payment is then made, and recorded once Temporal is back.
 */
export async function paySandboxCharge(
  request: ApiRequest,
  id: string,
  metadata: Record<string, unknown> | null,
  amountCents?: number,
): Promise<Charge> {
  requireDevMode(request.key, 'simulate-payment is for');
  const charge = await requireShownCharge(request.on, request.key, id);
  if (charge.status === 'PAID') return charge;
  if (charge.status !== 'PENDING' || payableUntil(charge) <= request.now) throw refusal(charge, 'be paid');
  if (METHODS[charge.method].decidedBy !== 'PAYER')
    throw brokenRule(
      'NOT_OPEN',
      null,
      'The charge waits for its payer at `actionUrl`, who confirms it there',
    );
  const { sandboxPayments } = request.deps;
  await reachTemporal(request, () =>
    sandboxPayments.payCharge(charge, request.now, request.requestId, metadata, amountCents),
  );
  const isTooLow =
    amountCents !== undefined && amountCents < leastAcceptedCents(charge, saoPauloDateOf(request.now));
  if (isTooLow) return requireShownCharge(request.on, request.key, id);
  return inStatus(request, id, 'PAID', 'be paid');
}

/**
 * Cancels an open charge.
 * @throws ApiError 422 if it has ended in another way, 503 if Temporal is unreachable.
 */
export async function cancelCharge(request: ApiRequest, id: string): Promise<Charge> {
  const charge = await requireCharge(request.on, request.key, id);
  if (charge.status === 'CANCELLED') return charge;
  if (charge.status !== 'PENDING') throw refusal(charge, 'be cancelled');
  const { chargeUpdates } = request.deps;
  await request.expectLine(charge.id, undefined, [charge.id]);
  await reachTemporal(request, () => chargeUpdates.cancel(charge, request.requestId));
  return inStatus(request, id, 'CANCELLED', 'be cancelled');
}

async function inStatus(
  request: ApiRequest,
  id: string,
  wanted: ChargeStatus,
  wish: string,
): Promise<Charge> {
  const charge = await requireShownCharge(request.on, request.key, id);
  if (charge.status !== wanted) throw refusal(charge, wish);
  return charge;
}

function refusal(charge: Charge, wish: string): ApiError {
  const state = charge.status === 'PENDING' ? 'past its deadline' : charge.status;
  return brokenRule('NOT_OPEN', null, `The charge is ${state} and can no longer ${wish}`);
}
