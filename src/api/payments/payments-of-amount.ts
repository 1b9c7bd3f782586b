import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';

/**
 * How many charges of each method and status one search scans for an amount. Amounts have no index, because every create would
 * pay for it.
 */
const LOOKED_THROUGH = 5_000;
const MOST_FOUND = 30;

/**
 * Each method and status is a range of an index, newest first. The scan ends at the first range that is not exhausted, so that
 * nothing newer than that point is missed.
 */
const BY_AMOUNT = statement<
  StoreEnvironment & {
    readonly cents: number;
    readonly methods: readonly string[];
    readonly statuses: readonly string[];
    readonly after: string | null;
    readonly lookedThrough: number;
  },
  { readonly id: ChargeId; readonly createdAt: Date; readonly isFound: boolean; readonly isEnd: boolean }
>(
  'find payments by their amount',
  () => `
  with place as (select coalesce((
    select created_at from charges where id = :after::text and store_id = :storeId and dev_mode = :devMode
  ), 'infinity') as at), looked as materialized (
    select charge.* from unnest(:methods::text[]) as method (name), unnest(:statuses::text[]) as status (name), lateral (
      select id, created_at, coalesce(:cents::bigint in (amount_cents, paid_amount_cents), false) as is_found,
        row_number() over (order by created_at desc, id desc) = :lookedThrough::bigint as is_last
      from charges
      where store_id = :storeId and dev_mode = :devMode and method = method.name and status = status.name
        and (created_at, id) < ((select at from place), coalesce(:after::text, ''))
      order by created_at desc, id desc limit :lookedThrough::bigint
    ) charge
  ), last as (select created_at, id from looked where is_last order by created_at desc, id desc limit 1)
  select id, created_at as "createdAt", is_found as "isFound", is_last as "isEnd" from looked
  where (is_found or is_last)
    and (created_at, id) >= (coalesce((select created_at from last), '-infinity'), coalesce((select id from last), ''))
  order by created_at desc, id desc limit ${MOST_FOUND + 1}`,
);

/** The result of a search by amount. */
export interface FoundByAmount {
  /** Newest first. */
  readonly ids: readonly ChargeId[];
  /** The oldest payment scanned; null if there are no older ones. */
  readonly end: { readonly id: ChargeId; readonly createdAt: Date } | null;
}

/**
 * Payments with this amount, charged or paid: all within the scanned range, at most {@link MOST_FOUND}.
 * @param after the id of the previous search's `end`; null starts with the newest.
 * @param lookedThrough how many of each method and status to scan.
 */
export async function paymentsOfAmount(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  cents: number,
  after: string | null,
  lookedThrough = LOOKED_THROUGH,
): Promise<FoundByAmount> {
  // Free charges have no amount.
  const kinds = { methods: PAYMENT_METHODS, statuses: CHARGE_STATUSES };
  const rows = await BY_AMOUNT(em, { storeId, devMode, cents, after, lookedThrough, ...kinds });
  const shown = rows.slice(0, MOST_FOUND);
  const last = shown.at(-1);
  const goesOn = rows.length > MOST_FOUND || last?.isEnd === true;
  return {
    ids: shown.filter(({ isFound }) => isFound).map(({ id }) => id),
    end: last !== undefined && goesOn ? { id: last.id, createdAt: last.createdAt } : null,
  };
}
