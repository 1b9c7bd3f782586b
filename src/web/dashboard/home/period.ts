import {
  addDays,
  type CivilDate,
  daysBetween,
  isCivilDate,
  lastOfMonth,
  monthStart,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../../../domain/civil-date.ts';

/** The periods that the first page can show, as its URL names them. */
export const PERIODS = ['today', '7d', '30d', 'month', 'last-month', '12m'] as const;
export type PeriodId = (typeof PERIODS)[number];

/** Days of São Paulo, both inclusive. */
export interface Span {
  readonly from: CivilDate;
  readonly to: CivilDate;
}

/** A period, and the one of the same kind before it. */
export interface Period extends Span {
  readonly id: PeriodId;
  readonly before: Span & {
    /** The earlier period is counted before this instant. */
    readonly until: Date;
    /** Whether its last day is counted up to the present time of day only, because the period is not over. */
    readonly isCut: boolean;
  };
}

interface Spans extends Span {
  readonly before: Span;
}

/** Reads the parameter of the URL; 30 days for anything else. */
export function periodOf(text: string | null, now: Date): Period {
  const id = PERIODS.find((each) => each === text) ?? '30d';
  const today = saoPauloDateOf(now);
  const { before, ...span } = spansOf(id, today);
  const isCut = span.to === today && !isShortMonth(id, before, today);
  const sinceMidnightMs = now.getTime() - saoPauloMidnight(today).getTime();
  const until = isCut
    ? new Date(saoPauloMidnight(before.to).getTime() + sinceMidnightMs)
    : saoPauloMidnight(addDays(before.to, 1));
  return { id, ...span, before: { ...before, until, isCut } };
}

/** Whether the month before has fewer days than have begun in this one: then all of it has passed. */
function isShortMonth(id: PeriodId, before: Span, today: CivilDate): boolean {
  return id === 'month' && daysBetween(before.from, before.to) < daysBetween(monthStart(today), today);
}

function spansOf(id: PeriodId, today: CivilDate): Spans {
  switch (id) {
    case 'today':
      return lastDays(1, today);
    case '7d':
      return lastDays(7, today);
    case '30d':
      return lastDays(30, today);
    case 'month':
      return monthSoFar(today);
    case 'last-month':
      return { ...month(today, -1), before: month(today, -2) };
    default:
      return {
        from: monthStart(today, -11),
        to: today,
        before: { from: monthStart(today, -23), to: yearBefore(today) },
      };
  }
}

function lastDays(count: number, today: CivilDate): Spans {
  const from = addDays(today, 1 - count);
  return { from, to: today, before: { from: addDays(from, -count), to: addDays(from, -1) } };
}

function month(today: CivilDate, months: number): Span {
  const from = monthStart(today, months);
  return { from, to: lastOfMonth(from) };
}

/** The month so far is compared with as many days of the month before, which may have fewer. */
function monthSoFar(today: CivilDate): Spans {
  const from = monthStart(today);
  const previous = month(today, -1);
  const sameDay = addDays(previous.from, daysBetween(from, today));
  return {
    from,
    to: today,
    before: { from: previous.from, to: sameDay < previous.to ? sameDay : previous.to },
  };
}

/** The same day a year earlier; 28 February for the 29th. */
function yearBefore(day: CivilDate): CivilDate {
  const same = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return isCivilDate(same) ? same : yearBefore(addDays(day, -1));
}
