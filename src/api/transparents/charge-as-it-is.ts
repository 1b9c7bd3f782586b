import { findChargeById } from '../../charges/find-charge.ts';
import { resolveAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { outOfReach } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';

/** The charge's workflow usually records the payment within this time; otherwise the client retries. */
const BOOKED_WITHIN_MS = 10_000;

/** The code of this charge was paid, but the payment is not recorded yet. */
export function awaitsPaymentRecord({ status, codeStatus }: Pick<Charge, 'status' | 'codeStatus'>): boolean {
  return status === 'PENDING' && codeStatus === 'PAID';
}

/**
 * The charge that an earlier request created, for a repeated request. A response must not offer a code that
 * can no longer be paid, so a payment that the provider already has is recorded first.
 * @throws ApiError TEMPORARILY_UNAVAILABLE while the result of an expired charge is unknown.
 */
export async function chargeAsItIs(request: ApiRequest, id: ChargeId): Promise<Charge | null> {
  let charge = await findChargeById(request.em, id);
  if (charge !== null && awaitsPaymentRecord(charge)) {
    await bookPayment(request, charge);
    charge = await findChargeById(request.em, id);
  }
  if (charge?.status === 'PENDING' && charge.closesAt <= request.now)
    throw outOfReach(
      'The charge has expired, and whether it was paid in time is not known yet; please retry',
    );
  return charge;
}

async function bookPayment({ deps, requestId, now }: ApiRequest, charge: Charge): Promise<void> {
  const { provider: name, providerReference: reference } = charge;
  const provider = await deps.providers.issuerOf(charge);
  const known = await provider.charges.findByReference(reference);
  for (const { providerPaymentId } of known?.payments ?? []) {
    const payment = { provider: name, reference, providerPaymentId };
    await deps.temporal.withDeadline(Date.now() + BOOKED_WITHIN_MS, () =>
      deps.intake.receivePayment(payment, requestId),
    );
    // The payment could not be assigned until this charge was stored.
    const subjectId = `${name}/${providerPaymentId}`;
    await resolveAttention(deps.database, { kind: 'UNKNOWN_PAYMENT', subjectId, now });
  }
}
