import pLimit from 'p-limit';
import type { Database } from '../database/orm.ts';
import { LISTED_AFTER_REMOVAL_MS } from '../domain/reconciliation.ts';
import { type AccountListing, accountsToList } from './provider-listings.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Banks list a payment or transfer with some delay, and their clocks differ from ours. */
export const OVERLAP_MS = 15 * MINUTE_MS;
/** A day is listed again once banks have finished it. */
export const DAY_IS_CLOSED_AFTER_MS = 3 * HOUR_MS;
/**
 * A payee can return a PIX for 90 days (Bacen, Resolução BCB 1/2020), and a payer's bank can take one back within
 * 90 (Resolução 103). Lists show both by the time of the payment or transfer.
 */
export const RETURNED_WITHIN_DAYS = 91;

/** An unavailable bank delays its account by its time-outs, but no other account. */
const ACCOUNTS_AT_ONCE = 8;

/**
 * Runs one round's work for every account with open payments or possible returns.
 * @param isOver called before each account; throws to end the round early.
 */
export async function forEachAccount(
  database: Database,
  now: Date,
  isOver: () => void,
  work: (account: AccountListing) => Promise<void>,
): Promise<void> {
  const removedAfter = new Date(now.getTime() - LISTED_AFTER_REMOVAL_MS);
  const accounts = await accountsToList(database, { removedAfter });
  await pLimit(ACCOUNTS_AT_ONCE).map(accounts, async (account) => {
    isOver();
    await work(account);
  });
}
