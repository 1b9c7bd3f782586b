import type { PaymentMethod } from '../domain/charge.ts';
import type { ProviderOwner, ServingProvider } from '../providers/providers.ts';
import type { CheckoutDeps } from './payment-deps.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/**
 * The provider of a payment.
 * @throws PaymentRefusal METHOD_NOT_POSSIBLE if the store's accounts do not support it, NO_PAYMENT_PROVIDER if it
 *   has none.
 */
export async function providerOrRefusal<Method extends PaymentMethod>(
  { providers }: Pick<CheckoutDeps, 'providers'>,
  owner: ProviderOwner,
  method: Method,
): Promise<ServingProvider<Method>> {
  const storeProviders = await providers.providersOf(owner);
  const provider = storeProviders.get(method);
  if (provider !== undefined) return provider;
  throw new PaymentRefusal(storeProviders.size === 0 ? 'NO_PAYMENT_PROVIDER' : 'METHOD_NOT_POSSIBLE');
}
