declare const brand: unique symbol;

/** A calendar day in São Paulo, written `YYYY-MM-DD`; it has no time and no zone of its own. */
export type CivilDate = string & { readonly [brand]: 'CivilDate' };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Whether `text` is a day of the calendar written `YYYY-MM-DD`; 30 February is not. */
export function isCivilDate(text: string): text is CivilDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instantMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instantMs) && civilDateOfUtc(instantMs) === text;
}

/**
 * `text` as a day of the calendar.
 *
 * @throws RangeError when it is not one.
 */
export function civilDate(text: string): CivilDate {
  if (!isCivilDate(text)) throw new RangeError('not a calendar date written YYYY-MM-DD');
  return text;
}

let saoPauloFormat: Intl.DateTimeFormat | undefined;

/**
 * The day it is in São Paulo at `instant`, by the time zone database (daylight saving existed until 2019).
 */
export function saoPauloDateOf(instant: Date): CivilDate {
  // Made at first use and kept: a formatter costs far more to make than to use, and a workflow that never
  // asks for a date should not pay for it when its bundle loads.
  saoPauloFormat ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Sao_Paulo',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  // Cut out of 'MM/DD/YYYY': its parts as objects take three times as long.
  const text = saoPauloFormat.format(instant);
  return `${text.slice(6).padStart(4, '0')}-${text.slice(0, 2)}-${text.slice(3, 5)}` as CivilDate;
}

/**
 * The instant at which `date` begins in São Paulo: 00:00, or 01:00 on the days when daylight saving used to
 * begin by skipping the first hour.
 */
export function saoPauloMidnight(date: CivilDate): Date {
  const utcMidnightMs = utcMsOf(date);
  // São Paulo has only ever been two (daylight saving) or three hours behind UTC since 1914.
  const summerMidnight = new Date(utcMidnightMs + 2 * HOUR_MS);
  return saoPauloDateOf(summerMidnight) === date ? summerMidnight : new Date(utcMidnightMs + 3 * HOUR_MS);
}

/** Stands for `date` as an instant, for a payment of which its provider names the day only: noon in São Paulo. */
export function saoPauloNoon(date: CivilDate): Date {
  return new Date(saoPauloMidnight(date).getTime() + DAY_MS / 2);
}

/** Whether `instant` stands for a day: it has no time to show. */
export function isDayOnly(instant: Date): boolean {
  return instant.getTime() === saoPauloNoon(saoPauloDateOf(instant)).getTime();
}

/** The day `days` calendar days after `date`, before it when negative. */
export function addDays(date: CivilDate, days: number): CivilDate {
  return civilDateOfUtc(utcMsOf(date) + days * DAY_MS);
}

/** The first day of the month that lies `months` months after that of `date`, before it when negative. */
export function monthStart(date: CivilDate, months = 0): CivilDate {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return civilDateOfUtc(Date.UTC(year, month - 1 + months, 1));
}

/** The last day of the month of `date`. */
export function lastOfMonth(date: CivilDate): CivilDate {
  return addDays(monthStart(date, 1), -1);
}

/** Calendar days from `from` to `to`; negative when `to` comes first. */
export function daysBetween(from: CivilDate, to: CivilDate): number {
  return (utcMsOf(to) - utcMsOf(from)) / DAY_MS;
}

/** Day of the week, 0 for Sunday to 6 for Saturday. */
export function weekday(date: CivilDate): number {
  return new Date(utcMsOf(date)).getUTCDay();
}

/** Days are counted as if in UTC, where every one of them has 24 hours. */
function utcMsOf(date: CivilDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function civilDateOfUtc(instantMs: number): CivilDate {
  return new Date(instantMs).toISOString().slice(0, 10) as CivilDate;
}
