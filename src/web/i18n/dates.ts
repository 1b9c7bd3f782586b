import { isCivilDate, saoPauloNoon } from '../../domain/civil-date.ts';
import type { Locale } from './catalogs.ts';

/** An instant, as a date or in ISO 8601, or a day of the calendar (`2026-11-29`). */
type When = Date | string;

// English puts the day first and names the month, because its readers disagree about what 10/11 is.
const DAY = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const ENGLISH_DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

/** `29/11/2026`, or `29 Nov 2026`. */
export function dayText(locale: Locale, at: When): string {
  return format(locale, at, dayIn(locale));
}

/** `29/11/2026, 14:03`, or `29 Nov 2026, 14:03`. */
export function timeText(locale: Locale, at: When): string {
  return format(locale, at, { ...dayIn(locale), ...CLOCK });
}

/** The same with seconds, where the order of events or the proof of one depends on them. */
export function exactTimeText(locale: Locale, at: When): string {
  return format(locale, at, { ...dayIn(locale), ...CLOCK, second: '2-digit' });
}

/** `14:03`. */
export function clockText(locale: Locale, at: When): string {
  return format(locale, at, CLOCK);
}

/** `domingo, 29/11/2026`, or `Sunday, 29 Nov 2026`. */
export function weekdayText(locale: Locale, at: When): string {
  return `${weekdayName(locale, at)}, ${dayText(locale, at)}`;
}

/** `domingo`, or `Sunday`. */
export function weekdayName(locale: Locale, at: When): string {
  return format(locale, at, { weekday: 'long' });
}

/** Without the year, for plots, calendars and deadlines of days: `29/11`, or `29 Nov`. */
export function shortDay(locale: Locale, at: When): string {
  return locale === 'en'
    ? format(locale, at, { day: 'numeric', month: 'short' })
    : dayText(locale, at).slice(0, 'dd/mm'.length);
}

/** `nov 26`. */
export function shortMonth(locale: Locale, at: When): string {
  return format(locale, at, { month: 'short', year: '2-digit' }).replace('. de ', ' ').replace('.', '');
}

/** `Outubro de 2026`, or `October 2026`. */
export function monthName(locale: Locale, at: When): string {
  const name = format(locale, at, { month: 'long', year: 'numeric' });
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** `24/11/2026 09:30`, or `2026-11-24 09:30` in English: both are dates to a spreadsheet of the language. */
export function spreadsheetTime(locale: Locale, at: When): string {
  const day = format('pt-BR', at, DAY);
  return `${locale === 'en' ? day.split('/').reverse().join('-') : day} ${clockText('pt-BR', at)}`;
}

function dayIn(locale: Locale) {
  return locale === 'en' ? ENGLISH_DAY : DAY;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than using it a hundred times. */
function format(locale: Locale, at: When, options: Intl.DateTimeFormatOptions): string {
  const tag = locale === 'en' ? 'en-GB' : locale;
  const key = `${tag} ${JSON.stringify(options)}`;
  const known =
    FORMATS.get(key) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone: 'America/Sao_Paulo' });
  FORMATS.set(key, known);
  return known.format(typeof at === 'string' && isCivilDate(at) ? saoPauloNoon(at) : new Date(at));
}
