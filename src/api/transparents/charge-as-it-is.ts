import { resolveAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { findChargeById } from '../../database/find-charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { outOfReach } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';

/** A charge's workflow has recorded the payment by then, or the client asks again. */
const BOOKED_WITHIN_MS = 10_000;

/** Somebody has paid the code of this charge, and the payment is not recorded yet. */
export function awaitsItsPayment({ status, codeStatus }: Pick<Charge, 'status' | 'codeStatus'>): boolean {
  return status === 'PENDING' && codeStatus === 'PAID';
}

/**
 * The charge that an earlier request made, for a request that is answered again. No answer may offer a code that nobody can
 * pay: a payment that the provider already had is recorded first.
 * @throws ApiError TEMPORARILY_UNAVAILABLE while it is not known how a charge has ended whose time is over.
 */
export async function chargeAsItIs(request: ApiRequest, id: ChargeId): Promise<Charge | null> {
  let charge = await findChargeById(request.em, id);
  if (charge !== null && awaitsItsPayment(charge)) {
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
  const known = await provider.findByReference(reference);
  for (const { providerPaymentId } of known?.payments ?? []) {
    const payment = { provider: name, reference, providerPaymentId };
    await deps.temporal.withDeadline(Date.now() + BOOKED_WITHIN_MS, () =>
      deps.intake.receivePayment(payment, requestId),
    );
    // Until this charge was stored, nobody knew what the payment was for.
    const subjectId = `${name}/${providerPaymentId}`;
    await resolveAttention(deps.database, { kind: 'UNKNOWN_PAYMENT', subjectId, now });
  }
}
