import { addDays, type CivilDate, civilDate, lastOfMonth, monthStart } from './civil-date.ts';

/** How many days before a card's last valid day its expiry is announced. The database stores which one was the newest. */
export const EXPIRY_ANNOUNCED_DAYS = [30, 7] as const;
export type ExpiryAnnouncedDays = (typeof EXPIRY_ANNOUNCED_DAYS)[number];

/** A card is good to the last day of this month (`YYYY-MM`). */
export function lastValidDay(expiryMonth: string): CivilDate {
  return lastOfMonth(civilDate(`${expiryMonth}-01`));
}

/** A stored expiry as the API shows it: the numbers of month and year, null if unknown. */
export function shownExpiry(expiryMonth: string | null): {
  readonly expiryMonth: number | null;
  readonly expiryYear: number | null;
} {
  const [year, month] = expiryMonth?.split('-').map(Number) ?? [];
  return { expiryMonth: month ?? null, expiryYear: year ?? null };
}

/** The inverse of {@link shownExpiry}. */
export function storedExpiry({ expiryMonth, expiryYear }: ReturnType<typeof shownExpiry>): string | null {
  if (expiryMonth === null || expiryYear === null) return null;
  return `${expiryYear}-${String(expiryMonth).padStart(2, '0')}`;
}

/** The expiry months whose cards are announced so many days ahead, on one day. */
export interface ExpiringMonths {
  readonly days: ExpiryAnnouncedDays;
  /** Exclusive, as `YYYY-MM`. */
  readonly after: string;
  /** Inclusive, as `YYYY-MM`. */
  readonly until: string;
}

/**
 * Which cards are announced on a day. A card with less than seven days left is announced once, and a card that has
 * expired is not announced.
 */
export function expiringMonths(today: CivilDate): readonly ExpiringMonths[] {
  const week = lastMonthEndedBy(addDays(today, 7));
  return [
    { days: 7, after: monthOf(monthStart(today, -1)), until: week },
    { days: 30, after: week, until: lastMonthEndedBy(addDays(today, 30)) },
  ];
}

/** The last month whose last day is `day` or earlier, as `YYYY-MM`. */
export function lastMonthEndedBy(day: CivilDate): string {
  return monthOf(lastOfMonth(day) === day ? day : monthStart(day, -1));
}

function monthOf(day: CivilDate): string {
  return day.slice(0, 7);
}
