import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { type CivilDate, monthStart } from '../domain/civil-date.ts';
import type { ProductCycle } from '../domain/cycle.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { mrrCentsOf } from '../domain/subscription.ts';

/** Why recurring revenue changes. The last two reduce it. */
export const MRR_CHANGES = ['NEW', 'EXPANSION', 'CONTRACTION', 'CHURN'] as const;
export type MrrChange = (typeof MRR_CHANGES)[number];

/** Recurring revenue in one month, in cents per month. */
export interface MonthOfMrr {
  /** Its first day. */
  readonly month: CivilDate;
  /** At the end of the month; now for the current one. */
  readonly mrrCents: number;
  /** Each at least 0, including losses. */
  readonly changeCents: Readonly<Record<MrrChange, number>>;
}

interface Row {
  readonly month: CivilDate;
  readonly change: MrrChange;
  readonly cycle: ProductCycle;
  readonly cents: number;
}

type CycleCents = Partial<Record<ProductCycle, number>>;

/** Reads sums that a trigger maintains (migration 0038). The months before `from` are one row per change and cycle. */
const READ = statement<StoreEnvironment & { from: CivilDate; to: CivilDate }, Row>(
  'read MRR changes',
  () => `
  select to_char(greatest(month, :from::date - 1), 'YYYY-MM-DD') as month, change, cycle, sum(cycle_cents)::bigint as cents
  from mrr_changes where store_id = :storeId and dev_mode = :devMode and month <= :to
  group by 1, 2, 3`,
);

/** @param now lies in the last month. @returns that many months, oldest first. */
export async function mrrHistory(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  now: CivilDate,
  count: number,
): Promise<MonthOfMrr[]> {
  const months = Array.from({ length: count }, (_, index) => monthStart(now, index + 1 - count));
  const [from = now] = months;
  const rows = await READ(em, { storeId, devMode, from, to: now });
  const cents: CycleCents = {};
  add(
    cents,
    rows.filter(({ month }) => month < from),
  );
  return months.map((month) => {
    const changes = rows.filter((row) => row.month === month);
    add(cents, changes);
    const of = (wanted: MrrChange) => changes.filter(({ change }) => change === wanted);
    return {
      month,
      mrrCents: centsPerMonth(cents, 1),
      changeCents: {
        NEW: centsPerMonth(add({}, of('NEW')), 1),
        EXPANSION: centsPerMonth(add({}, of('EXPANSION')), 1),
        CONTRACTION: centsPerMonth(add({}, of('CONTRACTION')), -1),
        CHURN: centsPerMonth(add({}, of('CHURN')), -1),
      },
    };
  });
}

function add(cents: CycleCents, rows: readonly Row[]): CycleCents {
  for (const row of rows) cents[row.cycle] = (cents[row.cycle] ?? 0) + row.cents;
  return cents;
}

/** Clamped at 0: plan changes are unknown for subscriptions that are older than the sums. */
function centsPerMonth(cents: CycleCents, sign: 1 | -1): number {
  const signed = Object.entries(cents).map(([cycle, each]) => [cycle, sign * each] as const);
  const isBelow = signed.every(([, each]) => each <= 0);
  return isBelow ? 0 : mrrCentsOf(Object.fromEntries(signed));
}
