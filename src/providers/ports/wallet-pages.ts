import type { CardWallet } from '../../domain/card.ts';

/** Wallets that a provider shows only on pages of hosts that it knows. */
export interface WalletPages {
  /**
   * Registers a host, or has one that is registered checked again. May be repeated.
   * @param host such as `pay.example.com`.
   */
  register(host: string): Promise<readonly WalletState[]>;
  /** The state of every wallet on a host; none is active on a host that the provider does not know. */
  find(host: string): Promise<readonly WalletState[]>;
}

export interface WalletState {
  readonly wallet: CardWallet;
  /** Whether payers see the wallet on pages of the host. */
  readonly isActive: boolean;
  /** What is missing, in the provider's words; null if it is active, or if the provider does not say. */
  readonly problem: string | null;
}
