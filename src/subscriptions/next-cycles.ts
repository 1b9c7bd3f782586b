import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreId } from '../domain/ids.ts';
import { type CycleCount, type CycleState, countCycles, MOST_CYCLES } from '../domain/next-cycles.ts';
import { letOthersRun } from '../request-cost.ts';

const SUBSCRIPTIONS = statement<{ storeId: StoreId; target: Date; most: number }, CycleState>(
  'find the next cycles of a dev environment',
  () => `
  select cycle, anchor_at as "anchorAt", anchor_number as "anchorNumber", cycle_number as "cycleNumber",
    cycle_ends_at as "cycleEndsAt", usage_ends_at as "usageEndsAt", plan, cancel_at as "cancelAt"
  from subscriptions
  where store_id = :storeId and dev_mode and status = 'ACTIVE' and coalesce(usage_ends_at, cycle_ends_at) <= :target
    and (cancel_at is null or usage_ends_at is not null) and paused_at is null
  order by coalesce(usage_ends_at, cycle_ends_at) limit :most`,
);

/** How many cycles the active subscriptions of a dev environment open by an instant, up to {@link MOST_CYCLES}. */
export async function nextCyclesOf(on: Em | Database, storeId: StoreId, target: Date): Promise<CycleCount> {
  const subscriptions = await SUBSCRIPTIONS(on, { storeId, target, most: MOST_CYCLES + 1 });
  const counting = countCycles(subscriptions, target, MOST_CYCLES);
  for (;;) {
    const { done, value } = counting.next();
    if (done) return value;
    await letOthersRun();
  }
}
