import type { Em } from '../database/orm.ts';
import { listAgainFrom } from '../database/recovered-charges.ts';
import type { PlatformFees } from '../domain/platform-fee.ts';
import type { RecalledCharge } from '../providers/provider.ts';
import { type Account, lostCharges } from './lost-charges.ts';
import { storeCharges } from './store-charges.ts';

/** What an account's bank knows of the time since a backup, and the restored database does not. */
export interface LostWork {
  readonly charges: readonly RecalledCharge[];
}

/** @throws what the provider throws. */
export async function findLostWork(em: Em, account: Account, since: Date, now: Date): Promise<LostWork> {
  return { charges: await lostCharges(em, account, { from: since, until: now }) };
}

/**
 * Rebuilds rows that a restore lost from what the bank remembers, and has the next round of reconciliation list every
 * payment, and every refund of an earlier payment, since then. Run it before workers and APIs start: a worker would
 * take back charges whose rows it does not find. Safe to run twice.
 * @param since a moment before the backup was taken.
 * @returns how many rows were inserted.
 */
export async function recoverAccount(
  em: Em,
  account: Account,
  lost: LostWork,
  terms: { readonly since: Date; readonly now: Date; readonly platformFees: PlatformFees },
): Promise<{ readonly charges: number }> {
  const charges = await storeCharges(em, account, lost.charges, terms);
  await listAgainFrom(em, { accountId: account.provider.name, since: terms.since });
  return { charges };
}
