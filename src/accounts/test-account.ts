import {
  type LastTest,
  type ProviderAccount,
  ProviderAccountEntity,
} from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import type { WalletState } from '../providers/ports/wallet-pages.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { type AccountKeys, openAccount } from './open-account.ts';
import { walletHostOf } from './wallet-pages.ts';

/** Letters and digits that no charge has as its reference, so a test asks about an unknown charge and changes nothing. */
const REFERENCE_LENGTH = 26;

/** The result of a test of an account. */
export interface AccountTest {
  readonly tookMs: number;
  /** Null if the provider answered. */
  readonly failure: ProviderError | null;
  /** The permissions that the credentials lack, under the provider's names. */
  readonly missingPermissions: readonly string[];
  /** Whether payers see the account's wallets; empty if it has none, or if the pages have no https. */
  readonly wallets: readonly WalletState[];
}

/**
 * Tests credentials, certificate and address by asking the provider about an unknown charge, and what the credentials
 * may do. Changes nothing there. Not inside a transaction.
 * @param publicUrl of the pages for payers, on which wallets are shown.
 */
export async function testAccount(
  account: ProviderAccount,
  keys: AccountKeys,
  publicUrl: string,
): Promise<AccountTest> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  try {
    const provider = openAccount(account, keys);
    await provider.charges.findByReference(
      mintId<ChargeId>('pixCharge', new Date()).slice(-REFERENCE_LENGTH),
    );
    const missingPermissions = (await provider.missingPermissions?.()) ?? [];
    const tookUntilNowMs = tookMs();
    const wallets = await walletsOf(provider, publicUrl);
    return { tookMs: tookUntilNowMs, failure: null, missingPermissions, wallets };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { tookMs: tookMs(), failure: error, missingPermissions: [], wallets: [] };
  }
}

/** A key that may not read this says nothing about the account: it takes cards without wallets. */
async function walletsOf({ cards }: PaymentProvider, publicUrl: string): Promise<readonly WalletState[]> {
  const host = walletHostOf(publicUrl);
  if (cards?.walletPages === undefined || host === null) return [];
  try {
    return await cards.walletPages.find(host);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'UNAUTHORIZED') return [];
    throw error;
  }
}

/** Stores a test's result, unless the account was rotated since: the result then says nothing about it. */
export async function recordTest(
  em: Em,
  { id, version }: ProviderAccount,
  { failure, missingPermissions, wallets }: AccountTest,
  now: Date,
): Promise<void> {
  const lastTest: LastTest = {
    failure: failure?.kind ?? null,
    missingPermissions,
    ...(wallets.length > 0 && { wallets }),
  };
  await em.nativeUpdate(ProviderAccountEntity, { id, version }, { testedAt: now, lastTest });
}
