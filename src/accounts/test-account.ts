import {
  type LastTest,
  type ProviderAccount,
  ProviderAccountEntity,
} from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { type AccountKeys, openAccount } from './open-account.ts';

/** Letters and digits that no charge has as its reference, so a test asks about an unknown charge and changes nothing. */
const REFERENCE_LENGTH = 26;

/** The result of a test of an account. */
export interface AccountTest {
  readonly tookMs: number;
  /** Null if the provider answered. */
  readonly failure: ProviderError | null;
  /** The permissions that the credentials lack, under the provider's names. */
  readonly missingPermissions: readonly string[];
}

/**
 * Tests credentials, certificate and address by asking the provider about an unknown charge, and what the credentials
 * may do. Changes nothing there. Not inside a transaction.
 */
export async function testAccount(account: ProviderAccount, keys: AccountKeys): Promise<AccountTest> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  try {
    const provider = openAccount(account, keys);
    await provider.charges.findByReference(
      mintId<ChargeId>('pixCharge', new Date()).slice(-REFERENCE_LENGTH),
    );
    const missingPermissions = (await provider.missingPermissions?.()) ?? [];
    return { tookMs: tookMs(), failure: null, missingPermissions };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { tookMs: tookMs(), failure: error, missingPermissions: [] };
  }
}

/** Stores a test's result, unless the account was rotated since: the result then says nothing about it. */
export async function recordTest(
  em: Em,
  { id, version }: ProviderAccount,
  { failure, missingPermissions }: AccountTest,
  now: Date,
): Promise<void> {
  const lastTest: LastTest = { failure: failure?.kind ?? null, missingPermissions };
  await em.nativeUpdate(ProviderAccountEntity, { id, version }, { testedAt: now, lastTest });
}
