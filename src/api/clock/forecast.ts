import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { MovedClock } from '../../database/store-clock.ts';
import type { StoreId } from '../../domain/ids.ts';
import { SQL_DECIDED_AT_ONCE } from '../../domain/payment-methods.ts';
import { nextCyclesOf } from '../../subscriptions/next-cycles.ts';

/** At most this many expiring charges and checkouts are counted. */
export const MOST_EXPIRIES = 10_000;

/** The known effects of an advance when it starts. */
export interface Forecast {
  /** Cycles that active subscriptions open by the target. */
  readonly cycles: number;
  /** Charges and checkouts that expire by the target unless paid, up to {@link MOST_EXPIRIES}. */
  readonly expiries: number;
  /** If there are too many cycles, the latest possible target; otherwise null. */
  readonly lastFit: Date | null;
}

/** A clock with the expected effects until it reaches its target. */
export interface Advance {
  readonly clock: MovedClock | null;
  readonly expected: Forecast & { readonly target: Date };
}

const EXPIRIES = statement<{ storeId: StoreId; target: Date; most: number }, { count: number }>(
  'count what expires in a dev environment',
  () => `
  select count(*)::int as count from (
    select from charges
    where store_id = :storeId and dev_mode and status = 'PENDING' and method not in (${SQL_DECIDED_AT_ONCE}) and closes_at <= :target
    union all
    select from checkouts
    where store_id = :storeId and dev_mode and status = 'PENDING' and expires_at <= :target
    limit :most) item`,
);

/** The effects up to an instant. Objects created during the advance, and their effects, are not included. */
export async function forecast(em: Em, storeId: StoreId, target: Date): Promise<Forecast> {
  const { count: cycles, lastFit } = await nextCyclesOf(em, storeId, target);
  const [row] = await EXPIRIES(em, { storeId, target, most: MOST_EXPIRIES });
  return { cycles, lastFit, expiries: row?.count ?? 0 };
}
