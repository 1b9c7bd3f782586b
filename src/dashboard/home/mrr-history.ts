import type { LedgerOwner } from '../../database/ledger/ledger.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { type CivilDate, civilDate } from '../../domain/civil-date.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import { mrrCentsOf } from '../../domain/subscription.ts';

/** Why recurring revenue changes: the last two take away from it. */
export const MRR_CHANGES = ['NEW', 'EXPANSION', 'CONTRACTION', 'CHURN'] as const;
export type MrrChange = (typeof MRR_CHANGES)[number];

/** Recurring revenue in one month, in cents per month. */
export interface MonthOfMrr {
  /** Its first day. */
  readonly month: CivilDate;
  /** At its end, or now. */
  readonly mrrCents: number;
  /** Each at least 0, also what is lost. */
  readonly changeCents: Readonly<Record<MrrChange, number>>;
}

interface Row {
  readonly month: CivilDate;
  readonly change: MrrChange;
  readonly cycle: ProductCycle;
  readonly cents: number;
}

type CycleCents = Partial<Record<ProductCycle, number>>;

/** Sums that a trigger keeps (migration 0027). Of the months before `from` there is one row per change and cycle. */
const READ = statement<LedgerOwner & { from: CivilDate; to: CivilDate }, Row>(
  'read MRR changes',
  () => `
  select to_char(greatest(month, :from::date - 1), 'YYYY-MM-DD') as month, change, cycle, sum(cycle_cents)::bigint as cents
  from mrr_changes where store_id = :storeId and dev_mode = :devMode and month <= :to
  group by 1, 2, 3`,
);

/** @param now its month is the last one. @returns so many months, oldest first. */
export async function mrrHistory(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  now: CivilDate,
  count: number,
): Promise<MonthOfMrr[]> {
  const months = Array.from({ length: count }, (_, index) => monthBefore(now, count - 1 - index));
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

/** @param months how many before. */
function monthBefore(day: CivilDate, months: number): CivilDate {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return civilDate(new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10));
}

function add(cents: CycleCents, rows: readonly Row[]): CycleCents {
  for (const row of rows) cents[row.cycle] = (cents[row.cycle] ?? 0) + row.cents;
  return cents;
}

/** 0 where it would be below: of subscriptions from before the sums, changes of plan are not known. */
function centsPerMonth(cents: CycleCents, sign: 1 | -1): number {
  const signed = Object.entries(cents).map(([cycle, each]) => [cycle, sign * each] as const);
  const isBelow = signed.every(([, each]) => each <= 0);
  return isBelow ? 0 : mrrCentsOf(Object.fromEntries(signed));
}
