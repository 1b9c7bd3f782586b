import { addDays, type CivilDate, daysBetween, saoPauloDateOf, saoPauloMidnight } from './civil-date.ts';

/** How often a subscription product is charged (contract section 6.1). */
export const PRODUCT_CYCLES = ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY'] as const;
export type ProductCycle = (typeof PRODUCT_CYCLES)[number];

/**
 * The time that one cycle lasts: from `startsAt` up to, and without, `endsAt`, which is where the next one
 * starts.
 */
export interface CyclePeriod {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const MONTHS_PER_CYCLE: Readonly<Record<Exclude<ProductCycle, 'WEEKLY'>, number>> = {
  MONTHLY: 1,
  QUARTERLY: 3,
  SEMIANNUALLY: 6,
  ANNUALLY: 12,
};

/** How many months a cycle lasts. */
export function monthsOf(cycle: Exclude<ProductCycle, 'WEEKLY'>): number {
  return MONTHS_PER_CYCLE[cycle];
}

/**
 * The `index`-th period, from 0, of a subscription anchored at `anchor` (contract section 6). Every period is
 * counted from the anchor itself, so that a month that is too short moves one boundary and no other: 31
 * January, 28 or 29 February, 31 March. Boundaries keep the anchor's time of day in São Paulo.
 */
export function cyclePeriod(anchor: Date, cycle: ProductCycle, index: number): CyclePeriod {
  const startOf = periodStarts(anchor, cycle);
  return { startsAt: startOf(index), endsAt: startOf(index + 1) };
}

/** Where each period starts, by its index. The anchor is read once: its day in São Paulo costs more than all the rest. */
export function periodStarts(anchor: Date, cycle: ProductCycle): (index: number) => Date {
  const later = calendarFrom(anchor);
  return cycle === 'WEEKLY'
    ? (index) => later(0, 7 * index)
    : (index) => later(MONTHS_PER_CYCLE[cycle] * index, 0);
}

/**
 * The first period from index `least` on that starts at an instant or later. It is estimated first: a test clock may be centuries
 * ahead, and a subscription may have paused for all of them.
 */
export function firstPeriodFrom(anchor: Date, cycle: ProductCycle, instant: Date, least: number): number {
  const startOf = periodStarts(anchor, cycle);
  let index = Math.max(least, periodsBetween(anchor, cycle, instant) - 1);
  while (startOf(index) < instant) index += 1;
  return index;
}

/** The same for the first period that starts later than an instant. */
export function firstPeriodAfter(anchor: Date, cycle: ProductCycle, instant: Date, least: number): number {
  return firstPeriodFrom(anchor, cycle, new Date(instant.getTime() + 1), least);
}

/** How many periods lie between two instants: at most one more than have ended. */
function periodsBetween(anchor: Date, cycle: ProductCycle, instant: Date): number {
  const [from, to] = [saoPauloDateOf(anchor), saoPauloDateOf(instant)];
  if (cycle === 'WEEKLY') return Math.floor(daysBetween(from, to) / 7);
  return Math.floor((monthNumber(to) - monthNumber(from)) / MONTHS_PER_CYCLE[cycle]);
}

function monthNumber(date: CivilDate): number {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return 12 * year + month;
}

/** How the periods of a subscription are counted: cycle `number` lasts for `cyclePeriod(anchorAt, cycle, number - anchorNumber)`. */
export interface CycleDates {
  readonly anchorAt: Date;
  readonly anchorNumber: number;
  readonly cycle: ProductCycle;
}

/** How many whole periods from that of cycle `number` on are over. */
export function missedPeriods(
  { anchorAt, anchorNumber, cycle }: CycleDates,
  number: number,
  now: Date,
): number {
  const next = number - anchorNumber + 1;
  return firstPeriodAfter(anchorAt, cycle, now, next) - next;
}

/** So many months and then days later by São Paulo's calendar, at the same time of day. */
export function calendarLater(anchor: Date, months: number, days: number): Date {
  return calendarFrom(anchor)(months, days);
}

function calendarFrom(anchor: Date): (months: number, days: number) => Date {
  const anchorDate = saoPauloDateOf(anchor);
  const timeOfDayMs = anchor.getTime() - saoPauloMidnight(anchorDate).getTime();
  return (months, days) => {
    const date = addDays(addMonths(anchorDate, months), days);
    return new Date(saoPauloMidnight(date).getTime() + timeOfDayMs);
  };
}

/** The same day `months` later, or the last day of a month that has no such day. */
function addMonths(date: CivilDate, months: number): CivilDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, lastDay));
  return first.toISOString().slice(0, 10) as CivilDate;
}
