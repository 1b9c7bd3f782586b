import type { Em } from '../../database/orm.ts';
import { STATEMENT_KINDS } from '../../domain/ledger.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';
import { readEntries, readEntryParts, type StatementEntry } from '../../ledger/entries.ts';
import type { Wanted } from '../frame/pagination.ts';
import { isAnyGiven, PENDING_KINDS, partsOf, type TransactionFilter } from './filters.ts';

/** The place of an entry in the statement. */
type Place = Parameters<typeof readEntries>[3];

/**
 * The entries of the statement nearest to a place: every change of the available balance, and changes of pending money that are
 * not its settlement. Each of the two is a range of an index, merged here. Filters leave parts of them, which are read together.
 */
export async function readTransactions(
  em: Em,
  owner: StoreEnvironment,
  filter: TransactionFilter,
  wanted: Place,
): Promise<StatementEntry[]> {
  const range = { from: filter.from ?? null, to: filter.to ?? null };
  if (isAnyGiven(filter)) return await readEntryParts(em, owner, partsOf(filter), range, wanted);
  const [available, pending] = [
    await readEntries(em, owner, { ...range, accounts: ['AVAILABLE'], kinds: STATEMENT_KINDS }, wanted),
    await readEntries(em, owner, { ...range, accounts: ['PENDING'], kinds: PENDING_KINDS }, wanted),
  ];
  const sign = wanted.direction === 'older' ? -1 : 1;
  return [...available, ...pending]
    .toSorted((one, other) => sign * compare(one, other))
    .slice(0, wanted.take);
}

/** By time of booking, then by number of the movement, then by account, as {@link readEntries} orders. */
function compare(one: StatementEntry, other: StatementEntry): number {
  return (
    one.bookedAt.getTime() - other.bookedAt.getTime() ||
    one.sequence - other.sequence ||
    Number(one.account > other.account) - Number(one.account < other.account)
  );
}

/** The id of a transaction: the number of its movement, and the account. */
export function transactionIdOf({ sequence, account }: Pick<StatementEntry, 'sequence' | 'account'>): string {
  return `tran_${sequence}${account[0]}`;
}

/** The place of a cursor. */
export function placeOf({ from }: Wanted): Place['from'] {
  if (from === null) return null;
  const [, sequence = '0', account = 'A'] = /^tran_(\d{1,15})([AP])$/.exec(from.id) ?? [];
  return {
    bookedAt: from.createdAt,
    sequence: Number(sequence),
    account: account === 'A' ? 'AVAILABLE' : 'PENDING',
  };
}
