import type { Checkout } from '../../database/entities/checkout.ts';
import type { CheckoutFrequency } from '../../domain/checkout.ts';
import { ApiError } from '../frame/errors.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { findCheckout } from './queries.ts';

/**
 * Cancels an open checkout or payment link; one that is cancelled already is returned as it is.
 * @throws ApiError 422 where it has ended in another way, 503 where Temporal is out of reach.
 */
export async function cancelCheckout(
  request: ApiRequest<unknown, { readonly id: string }>,
  frequency: CheckoutFrequency | null,
): Promise<Checkout> {
  const { em, key, body, deps, requestId } = request;
  const found = await findCheckout(em, key, body.id, frequency);
  if (found.status === 'CANCELLED') return found;
  if (found.status !== 'PENDING') throw refusal(found);
  await reachTemporal(deps.temporal, () => deps.checkoutUpdates.cancel(found, requestId));
  const checkout = await findCheckout(em, key, body.id, frequency);
  if (checkout.status !== 'CANCELLED') throw refusal(checkout);
  return checkout;
}

function refusal({ status }: Checkout): ApiError {
  return new ApiError(422, 'INVALID_STATE', `The checkout is ${status} and can no longer be cancelled`);
}
