import type { Database } from '../database/orm.ts';
import { type AccountListing, accountsToList } from '../database/provider-listings.ts';
import { LISTED_AFTER_REMOVAL_MS } from '../domain/reconciliation.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Banks list a payment or transfer some time after it was made, and their clocks are not ours. */
export const OVERLAP_MS = 15 * MINUTE_MS;
/** A day is listed again once banks are done with it. */
export const DAY_IS_CLOSED_AFTER_MS = 3 * HOUR_MS;
/**
 * A payee can send a PIX back for 90 days (Bacen, Resolução BCB 1/2020), and a payer's bank takes one back within 90
 * (Resolução 103). Either is listed by the time of the payment or transfer.
 */
export const RETURNED_WITHIN_DAYS = 91;

/** A bank that is away keeps an account waiting for its time-outs, and no other account. */
const ACCOUNTS_AT_ONCE = 8;

/**
 * Does the work of one round for every account at which something may still be paid or come back.
 * @param isOver asked before each account; ends the round early by throwing.
 */
export async function forEachAccount(
  database: Database,
  now: Date,
  isOver: () => void,
  work: (account: AccountListing) => Promise<void>,
): Promise<void> {
  const removedAfter = new Date(now.getTime() - LISTED_AFTER_REMOVAL_MS);
  const accounts = (await accountsToList(database, { removedAfter })).values();
  const takeNext = async () => {
    for (const account of accounts) {
      isOver();
      await work(account);
    }
  };
  await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, takeNext));
}
