import type { StoreId } from '../domain/ids.ts';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import type { Capabilities } from './capabilities.ts';
import type { PaymentProvider } from './provider.ts';

/** The owner of providers: every store has its own in each environment. */
export interface ProviderOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** The providers of new charges and payouts, by use; unserved uses have no entry. */
export type StoreProviders = ReadonlyMap<ProviderUse, PaymentProvider>;

/** Whatever was issued names its provider, and stays with it. */
export interface Issued {
  readonly provider: string;
  readonly devMode: boolean;
}

/** Selects providers: the sandbox for dev environments, the store's accounts for production. */
export interface Providers {
  /**
   * Empty if nothing is configured.
   * @throws ProviderError UNAUTHORIZED if this process cannot use one of the accounts.
   */
  providersOf(owner: ProviderOwner): Promise<StoreProviders>;
  /**
   * The provider that issued something, even after its account was removed.
   * @throws ProviderError as {@link providersOf}, and if no such account ever existed.
   */
  issuerOf(issued: Issued): Promise<PaymentProvider>;
}

const IS_SERVED: Readonly<Record<ProviderUse, (can: Capabilities) => boolean>> = {
  PIX: ({ pix }) => pix !== null,
  CARD: ({ card }) => card !== null,
  BOLETO: ({ boleto }) => boleto !== null,
  PAYOUT: ({ payout }) => payout.pixKey || payout.ownAccount,
};

/** The uses that a provider with these capabilities can serve. */
export function usesOf(capabilities: Capabilities): readonly ProviderUse[] {
  return PROVIDER_USES.filter((use) => IS_SERVED[use](capabilities));
}

/** One provider for everything that it supports. */
export function providersOfOne(provider: PaymentProvider): StoreProviders {
  return new Map(usesOf(provider.describe()).map((use) => [use, provider]));
}
