import type { PaymentMethod } from '../../domain/charge.ts';
import type { ProviderUse } from '../../domain/provider-use.ts';
import type { ServingProvider, StoreProviders } from '../../providers/providers.ts';
import { ApiError, brokenRule } from './errors.ts';
import type { ApiRequest } from './request.ts';

/** The error if a store has no provider in the key's environment. */
export function noPaymentProvider(): ApiError {
  return new ApiError(422, 'NO_PAYMENT_PROVIDER', 'No payment provider configured');
}

/**
 * The provider for new charges of this method.
 * @param path the field that requests the method; the error names it.
 * @throws ApiError 422 that lists the supported methods.
 */
export async function requireProvider<Use extends ProviderUse>(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  use: Use,
  path: string | null,
): Promise<ServingProvider<Use>> {
  return providerIn(await request.deps.providers.providersOf(request.key), use, path);
}

function providerIn<Use extends ProviderUse>(
  storeProviders: StoreProviders,
  use: Use,
  path: string | null,
): ServingProvider<Use> {
  const provider = storeProviders.get(use);
  if (provider !== undefined) return provider;
  if (storeProviders.size === 0) throw noPaymentProvider();
  const possible = [...storeProviders.keys()].join(', ');
  throw brokenRule(
    'METHOD_NOT_POSSIBLE',
    path,
    `${use} is not possible with the provider accounts of this store, which serve ${possible}`,
  );
}

/** Refuses methods that payers could not choose. @throws ApiError 422 that lists the supported methods. */
export async function requireProviders(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  methods: readonly PaymentMethod[],
): Promise<void> {
  const storeProviders = await request.deps.providers.providersOf(request.key);
  for (const method of methods) providerIn(storeProviders, method, 'methods');
}
