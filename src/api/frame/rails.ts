import type { PaymentMethod } from '../../domain/charge.ts';
import type { RailUse } from '../../domain/rail-use.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { Rails } from '../../providers/providers.ts';
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
export async function requireRail(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  use: RailUse,
  path: string | null,
): Promise<PaymentProvider> {
  return railIn(await request.deps.providers.railsOf(request.key), use, path);
}

function railIn(rails: Rails, use: RailUse, path: string | null): PaymentProvider {
  const rail = rails.get(use);
  if (rail !== undefined) return rail;
  if (rails.size === 0) throw noPaymentProvider();
  const possible = [...rails.keys()].join(', ');
  throw brokenRule(
    'METHOD_NOT_POSSIBLE',
    path,
    `${use} is not possible with the provider accounts of this store, which serve ${possible}`,
  );
}

/** Refuses what payers could then not choose. @throws ApiError 422, which says what is possible. */
export async function requireRails(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  methods: readonly PaymentMethod[],
): Promise<void> {
  const rails = await request.deps.providers.railsOf(request.key);
  for (const method of methods) railIn(rails, method, 'methods');
}
