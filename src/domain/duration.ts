import { calendarLater } from './cycle.ts';

/** An ISO 8601 duration: `P1M`, `P2W`, `P1DT12H`. */
export interface CalendarDuration {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Digits of one part; more than a million of anything is a mistake. */
const MOST_DIGITS = 6;

/** A duration longer than zero; null if the text is no duration, or has fractions or signs. */
export function parseDuration(text: string): CalendarDuration | null {
  const parts = DURATION.exec(text)?.slice(1);
  if (parts === undefined || parts.some((part) => (part ?? '').length > MOST_DIGITS)) return null;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map(
    (part) => Number(part ?? 0),
  );
  const duration = {
    months: 12 * years + months,
    days: 7 * weeks + days,
    milliseconds: ((hours * 60 + minutes) * 60 + seconds) * 1_000,
  };
  return duration.months + duration.days + duration.milliseconds > 0 ? duration : null;
}

/**
 * The instant that is so much later: years, months, weeks and days by São Paulo's calendar, as cycles are counted, at the
 * same time of day; hours, minutes and seconds as they pass.
 */
export function laterBy(instant: Date, { months, days, milliseconds }: CalendarDuration): Date {
  return new Date(calendarLater(instant, months, days).getTime() + milliseconds);
}
