import type { Em } from '../../database/orm.ts';
import type { PlatformFees } from '../../domain/platform-fee.ts';
import type { RecalledCharge } from '../../providers/ports/listing.ts';
import { type Account, lostCharges } from './lost-charges.ts';
import { type LostPayout, lostPayouts } from './lost-payouts.ts';
import { listAgainFrom } from './recovered-charges.ts';
import { writeCharges } from './write-charges.ts';
import { writePayouts } from './write-payouts.ts';

/** What the account's bank knows about the time since the backup, but the restored database does not. */
export interface LostWork {
  readonly charges: readonly RecalledCharge[];
  readonly payouts: readonly LostPayout[];
}

/** @throws what the provider throws. */
export async function findLostWork(em: Em, account: Account, since: Date, now: Date): Promise<LostWork> {
  const time = { from: since, until: now };
  return { charges: await lostCharges(em, account, time), payouts: await lostPayouts(em, account, time) };
}

/**
 * Recreates rows that a restore lost from the bank's records. The next reconciliation then lists every payment and sent Pix since
 * then, and returns of earlier ones. Run it before workers and APIs start: a worker would cancel charges whose rows it does not
 * find. Safe to run twice.
 * @param since an instant before the backup was taken.
 * @returns how many rows were inserted.
 */
export async function recoverAccount(
  em: Em,
  account: Account,
  lost: LostWork,
  terms: { readonly since: Date; readonly now: Date; readonly platformFees: PlatformFees },
): Promise<{ readonly charges: number; readonly payouts: number }> {
  const charges = await writeCharges(em, account, lost.charges, terms);
  const payouts = await writePayouts(em, account, lost.payouts, terms.now);
  await listAgainFrom(em, { accountId: account.provider.name, since: terms.since });
  return { charges, payouts };
}
