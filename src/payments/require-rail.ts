import type { PaymentMethod } from '../domain/charge.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import type { RailOwner } from '../providers/providers.ts';
import type { CheckoutDeps } from './payment-deps.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/**
 * The rail that a payment goes to.
 * @throws PaymentRefusal METHOD_NOT_POSSIBLE where the store's accounts cannot do it, NO_PAYMENT_PROVIDER where it has
 *   none.
 */
export async function requireRail(
  { providers }: Pick<CheckoutDeps, 'providers'>,
  owner: RailOwner,
  method: PaymentMethod,
): Promise<PaymentProvider> {
  const rails = await providers.railsOf(owner);
  const rail = rails.get(method);
  if (rail !== undefined) return rail;
  throw new PaymentRefusal(rails.size === 0 ? 'NO_PAYMENT_PROVIDER' : 'METHOD_NOT_POSSIBLE');
}
