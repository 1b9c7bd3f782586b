import type { StoreId } from '../domain/ids.ts';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import type { PaymentProvider, PortName, ProviderWith } from './provider.ts';

/** The owner of providers: every store has its own in each environment. */
export interface ProviderOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** The providers of new charges and payouts, by use; unserved uses have no entry. */
export interface StoreProviders extends ReadonlyMap<ProviderUse, PaymentProvider> {
  get<Use extends ProviderUse>(use: Use): ServingProvider<Use> | undefined;
}

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

/** The port that serves a use. */
const PORT_OF_USE = {
  PIX: 'pix',
  CARD: 'cards',
  BOLETO: 'boletos',
  PAYOUT: 'payouts',
} as const satisfies Record<ProviderUse, PortName>;

/** A provider that serves this use. */
export type ServingProvider<Use extends ProviderUse> = ProviderWith<(typeof PORT_OF_USE)[Use]>;

/** The uses that a provider can serve. */
export function usesOf(provider: PaymentProvider): readonly ProviderUse[] {
  return PROVIDER_USES.filter((use) => provider[PORT_OF_USE[use]] !== undefined);
}

/** Leaves out a provider that lacks the port of its use. */
export function storeProvidersOf(serving: Iterable<readonly [ProviderUse, PaymentProvider]>): StoreProviders {
  const able = [...serving].filter(([use, provider]) => provider[PORT_OF_USE[use]] !== undefined);
  return new Map(able) as ReadonlyMap<ProviderUse, PaymentProvider> as StoreProviders;
}

/** One provider for everything that it supports. */
export function providersOfOne(provider: PaymentProvider): StoreProviders {
  return storeProvidersOf(usesOf(provider).map((use) => [use, provider]));
}
