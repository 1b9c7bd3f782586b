import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { WalletState } from '../providers/ports/wallet-pages.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { type AccountKeys, openAccount } from './open-account.ts';

/** Whether payers see the wallets of an account on the pages of this service. */
export interface WalletPagesState {
  readonly host: string;
  readonly wallets: readonly WalletState[];
  /** Why the provider did not register the host; null if it did. */
  readonly failure: ProviderError | null;
}

/**
 * Has the provider show the wallets of an account on the pages of this service. May be repeated. Not inside a transaction.
 * @param publicUrl of the pages for payers.
 * @returns null if the provider has no such wallets, or if the pages are not served by https.
 */
export async function registerWalletPages(
  account: ProviderAccount,
  keys: AccountKeys,
  publicUrl: string,
): Promise<WalletPagesState | null> {
  const host = walletHostOf(publicUrl);
  const pages = openAccount(account, keys).cards?.walletPages;
  if (pages === undefined || host === null) return null;
  try {
    return { host, wallets: await pages.register(host), failure: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { host, wallets: [], failure: error };
  }
}

/** The host under which providers know the pages of this service; null for pages without https, on which no wallet works. */
export function walletHostOf(publicUrl: string): string | null {
  const url = URL.parse(publicUrl);
  return url?.protocol === 'https:' ? url.hostname : null;
}
