import { isCardWallet } from '../../domain/card.ts';
import { type CheckoutMethod, chargeMethodsOf, type PaymentMethod } from '../../domain/charge.ts';
import type { ProviderUse } from '../../domain/provider-use.ts';
import { keepsCards } from '../../providers/ports/cards.ts';
import type { ServingProvider, StoreProviders } from '../../providers/providers.ts';
import { ApiError, brokenRule } from './errors.ts';
import type { ApiRequest } from './request.ts';

const ONLY_ON_PAGE =
  "CARD is taken only on the provider's own page, of a checkout or a payment link: use an account whose provider stores cards, such as Stripe";

const CARD_TAKER = 'the provider that takes the cards of this store';

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

/**
 * Refuses what needs the card as a token. @param path the field that requests it; the error names it.
 * @throws ApiError 422 METHOD_NOT_POSSIBLE if the provider takes cards only on its own page.
 */
export function requireKeptCards(
  { cards }: Pick<ServingProvider<'CARD'>, 'cards'>,
  path: string | null,
): void {
  if (!keepsCards(cards)) throw brokenRule('METHOD_NOT_POSSIBLE', path, ONLY_ON_PAGE);
}

/**
 * Refuses methods and wallets that payers of a checkout could not choose.
 * @throws ApiError 422 METHOD_NOT_POSSIBLE at `methods`
 */
export async function requireMethods(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  methods: readonly CheckoutMethod[],
): Promise<void> {
  await requireProviders(request, chargeMethodsOf(methods));
  const wallets = methods.filter(isCardWallet);
  if (wallets.length === 0) return;
  const { cards } = await requireProvider(request, 'CARD', 'methods');
  const missing = wallets.find((wallet) => cards.wallets?.includes(wallet) !== true);
  if (missing !== undefined)
    throw brokenRule('METHOD_NOT_POSSIBLE', 'methods', `${missing} is not possible at ${CARD_TAKER}`);
}

/** Refuses methods that payers could not choose. @throws ApiError 422 that lists the supported methods. */
export async function requireProviders(
  request: Pick<ApiRequest, 'deps' | 'key'>,
  methods: readonly PaymentMethod[],
): Promise<void> {
  const storeProviders = await request.deps.providers.providersOf(request.key);
  for (const method of methods) providerIn(storeProviders, method, 'methods');
}
