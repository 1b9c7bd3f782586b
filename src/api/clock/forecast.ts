import { nextCyclesOf } from '../../database/next-cycles.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { MovedClock } from '../../database/store-clock.ts';
import type { StoreId } from '../../domain/ids.ts';

/** How far a clock may be advanced at a time. */
export const LONGEST_ADVANCE_YEARS = 5;

/** So many charges and checkouts are counted that expire. */
export const MOST_EXPIRIES = 10_000;

/** What an advance would have happen, as far as it is known when it begins. */
export interface Forecast {
  /** Cycles that active subscriptions open by the target. */
  readonly cycles: number;
  /** Charges and checkouts that expire by then unless they are paid, up to {@link MOST_EXPIRIES}. */
  readonly expiries: number;
  /** How far the clock could be advanced where that is too many cycles; else null. */
  readonly lastFit: Date | null;
}

/** A clock, and what is expected to happen until it shows its target. */
export interface Advance {
  readonly clock: MovedClock | null;
  readonly expected: Forecast & { readonly target: Date };
}

const EXPIRIES = statement<{ storeId: StoreId; target: Date; most: number }, { count: number }>(
  'count what expires in a dev environment',
  () => `
  select count(*)::int as count from (
    select from charges
    where store_id = :storeId and dev_mode and status = 'PENDING' and method not in ('CARD', 'FREE') and closes_at <= :target
    union all
    select from checkouts
    where store_id = :storeId and dev_mode and status = 'PENDING' and expires_at <= :target
    limit :most) item`,
);

/** What would happen by an instant. What is created meanwhile, and what follows from it, is not known yet. */
export async function forecast(em: Em, storeId: StoreId, target: Date): Promise<Forecast> {
  const { count: cycles, lastFit } = await nextCyclesOf(em, storeId, target);
  const [row] = await EXPIRIES(em, { storeId, target, most: MOST_EXPIRIES });
  return { cycles, lastFit, expiries: row?.count ?? 0 };
}
