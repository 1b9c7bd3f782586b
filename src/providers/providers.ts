import type { StoreId } from '../domain/ids.ts';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import type { Capabilities } from './capabilities.ts';
import type { PaymentProvider } from './provider.ts';

/** Whose rails are asked for: every store has its own in each environment. */
export interface ProviderOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** Where new charges and payouts go, by what they need; what no rail serves is not there. */
export type StoreProviders = ReadonlyMap<ProviderUse, PaymentProvider>;

/** Whatever was issued names its provider, and stays with it. */
export interface Issued {
  readonly provider: string;
  readonly devMode: boolean;
}

/** Which provider is asked: of dev environments the sandbox, of production the accounts of the store. */
export interface Providers {
  /**
   * Empty where nothing is configured.
   * @throws ProviderError UNAUTHORIZED where an account is there that this process cannot use.
   */
  providersOf(owner: ProviderOwner): Promise<StoreProviders>;
  /**
   * The provider of what exists already, also after its account was removed.
   * @throws ProviderError as {@link providersOf}, and where there never was such an account.
   */
  issuerOf(issued: Issued): Promise<PaymentProvider>;
}

const IS_SERVED: Readonly<Record<ProviderUse, (can: Capabilities) => boolean>> = {
  PIX: ({ pix }) => pix !== null,
  CARD: ({ card }) => card !== null,
  BOLETO: ({ boleto }) => boleto !== null,
  PAYOUT: ({ payout }) => payout.pixKey || payout.ownAccount,
};

/** What a provider that can do this may be used for. */
export function usesOf(capabilities: Capabilities): readonly ProviderUse[] {
  return PROVIDER_USES.filter((use) => IS_SERVED[use](capabilities));
}

/** One provider for all that it can do. */
export function providersOfOne(provider: PaymentProvider): StoreProviders {
  return new Map(usesOf(provider.describe()).map((use) => [use, provider]));
}
