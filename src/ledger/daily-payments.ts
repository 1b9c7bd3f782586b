import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../domain/charge.ts';
import { addDays, type CivilDate, daysBetween } from '../domain/civil-date.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** Payments of one São Paulo day, including those refunded later. */
export interface DayOfPayments {
  readonly day: CivilDate;
  readonly cents: Readonly<Record<PaymentMethod, number>>;
  readonly count: number;
}

interface Row {
  readonly day: CivilDate;
  readonly method: PaymentMethod;
  readonly count: number;
  readonly cents: number;
}

/** Reads sums that a trigger maintains (migration 0038): a few rows per day, whatever the volume. */
const READ = statement<StoreEnvironment & { from: CivilDate; to: CivilDate }, Row>(
  'read daily payments',
  () => `
  select to_char(day, 'YYYY-MM-DD') as day, method, paid_count as count, paid_cents::bigint as cents from daily_payments
  where store_id = :storeId and dev_mode = :devMode and day between :from and :to`,
);

/** All days from first to last, oldest first, including days without payments. */
export async function dailyPayments(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  from: CivilDate,
  to: CivilDate,
): Promise<DayOfPayments[]> {
  const rowsOf = Map.groupBy(await READ(em, { storeId, devMode, from, to }), ({ day }) => day);
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index);
    const rows = rowsOf.get(day) ?? [];
    const centsOf = (wanted: PaymentMethod) => rows.find(({ method }) => method === wanted)?.cents ?? 0;
    const cents = Object.fromEntries(PAYMENT_METHODS.map((method) => [method, centsOf(method)]));
    return { day, cents: cents as DayOfPayments['cents'], count: sum(rows.map(({ count }) => count)) };
  });
}

/** The sum over days and methods. */
export function totalOf(days: readonly DayOfPayments[]): { readonly cents: number; readonly count: number } {
  return {
    cents: sum(days.flatMap(({ cents }) => Object.values(cents))),
    count: sum(days.map(({ count }) => count)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
