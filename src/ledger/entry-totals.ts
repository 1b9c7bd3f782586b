import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import type { EntryFilter } from './entries.ts';

/** Sums of the entries that match a filter. */
export interface EntryTotals {
  readonly count: number;
  readonly inCents: number;
  /** At most 0. */
  readonly outCents: number;
  /** Whether there are more entries than are summed: then the sums are of a part of them. */
  readonly isCut: boolean;
}

/** Postgres sums this many in some hundredths of a second. */
const MOST_SUMMED = 20_000;

const NONE = { count: 0, inCents: 0, outCents: 0 };

/**
 * The order keeps Postgres to a range of the primary key. Without it, a store with millions of entries would have all of them read for each
 * kind that has none, because a scan of the table seemed to be over soon.
 */
const READ = statement<object, typeof NONE>(
  'sum a statement',
  () => `
  select count(*)::int as count, coalesce(sum(amount_cents) filter (where amount_cents > 0), 0)::bigint as "inCents",
    coalesce(sum(amount_cents) filter (where amount_cents < 0), 0)::bigint as "outCents"
  from (
    select nearest.amount_cents from unnest(:accounts::text[]) as account (name), unnest(:kinds::text[]) as kind (name), lateral (
      select amount_cents from statement_entries entry
      where entry.store_id = :storeId and entry.dev_mode = :devMode
        and entry.account = account.name and entry.kind = kind.name
        and entry.booked_at >= :from::timestamptz and entry.booked_at < :to::timestamptz
      order by entry.booked_at desc, entry.sequence desc limit :most::bigint
    ) nearest limit :most::bigint
  ) entry`,
);

/** Sums the entries that match, or the newest ones if there are more than `mostSummed`. */
export async function entryTotals(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  { accounts, kinds, from, to }: EntryFilter,
  mostSummed = MOST_SUMMED,
): Promise<EntryTotals> {
  const range = { from: from ?? '-infinity', to: to ?? 'infinity' };
  const [sums = NONE] = await READ(em, {
    storeId,
    devMode,
    accounts,
    kinds,
    ...range,
    most: mostSummed + 1,
  });
  return { ...sums, isCut: sums.count > mostSummed };
}
