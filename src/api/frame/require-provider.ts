import type { PaymentMethod } from '../../domain/charge.ts';
import type { ProviderUse } from '../../domain/provider-use.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { StoreProviders } from '../../providers/providers.ts';
import { ApiError, brokenRule } from './errors.ts';
import type { ApiRequest } from './request.ts';

/** The answer where a store has no provider at all in the key's environment. */
export function noPaymentProvider(): ApiError {
  return new ApiError(422, 'NO_PAYMENT_PROVIDER', 'No payment provider configured');
}

/**
 * The rail that new charges of this method go to.
 * @param path the field that asks for it, named where it is not possible.
 * @throws ApiError 422, which says what is possible.
 */
export async function requireProvider(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  use: ProviderUse,
  path: string | null,
): Promise<PaymentProvider> {
  return providerIn(await request.deps.providers.providersOf(request.key), use, path);
}

function providerIn(storeProviders: StoreProviders, use: ProviderUse, path: string | null): PaymentProvider {
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

/** Refuses what payers could then not choose. @throws ApiError 422, which says what is possible. */
export async function requireProviders(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  methods: readonly PaymentMethod[],
): Promise<void> {
  const storeProviders = await request.deps.providers.providersOf(request.key);
  for (const method of methods) providerIn(storeProviders, method, 'methods');
}
