import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { CHARGE_STATUSES, PAYMENT_METHODS, type PaymentMethod, wasPaid } from '../domain/charge.ts';
import {
  addDays,
  type CivilDate,
  daysBetween,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../domain/civil-date.ts';
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

export interface TotalOfPayments {
  readonly cents: number;
  readonly count: number;
}

/** The sum over days and methods. */
export function totalOf(days: readonly DayOfPayments[]): TotalOfPayments {
  return {
    cents: sum(days.flatMap(({ cents }) => Object.values(cents))),
    count: sum(days.map(({ count }) => count)),
  };
}

/**
 * Reads the payments of a part of a day. An index holds the amounts of PAID charges, which are nearly all; the few others are
 * read one by one.
 */
const READ_PART = statement<
  StoreEnvironment & { since: Date; until: Date; methods: readonly string[]; others: readonly string[] },
  TotalOfPayments
>(
  'read payments of a part of a day',
  () => `
  select count(*) as count, coalesce(sum(paid_amount_cents), 0)::bigint as cents from (
    select paid_amount_cents from charges
    where store_id = :storeId and dev_mode = :devMode and status = 'PAID'
      and paid_at >= :since::timestamptz and paid_at < :until::timestamptz
    union all
    select charge.paid_amount_cents
    from unnest(:methods::text[]) as method (name), unnest(:others::text[]) as status (name), lateral (
      select paid_amount_cents from charges
      where store_id = :storeId and dev_mode = :devMode and method = method.name and status = status.name
        and paid_at >= :since::timestamptz and paid_at < :until::timestamptz
    ) charge
  ) payment where paid_amount_cents > 0`,
);

const PAID_STATUSES_BUT_PAID = CHARGE_STATUSES.filter((status) => wasPaid(status) && status !== 'PAID');

/** The sum from a day to an instant, such as the present time of another day. */
export async function paidUntil(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  from: CivilDate,
  until: Date,
): Promise<TotalOfPayments> {
  const lastDay = saoPauloDateOf(until);
  const since = saoPauloMidnight(lastDay);
  const [days, parts] = await Promise.all([
    dailyPayments(em, { storeId, devMode }, from, addDays(lastDay, -1)),
    since.getTime() === until.getTime()
      ? []
      : READ_PART(em, {
          storeId,
          devMode,
          since,
          until,
          methods: PAYMENT_METHODS,
          others: PAID_STATUSES_BUT_PAID,
        }),
  ]);
  const whole = totalOf(days);
  return {
    cents: whole.cents + sum(parts.map(({ cents }) => cents)),
    count: whole.count + sum(parts.map(({ count }) => count)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
