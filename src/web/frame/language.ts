import { AsyncLocalStorage } from 'node:async_hooks';
import { type CivilDate, isDayOnly } from '../../domain/civil-date.ts';
import type { Language } from '../../domain/language.ts';
import type { Locale, MessageKey } from '../i18n/catalogs.ts';
import { dayText, timeText } from '../i18n/dates.ts';
import { type MessageValues, translate, translatedParts } from '../i18n/translate.ts';
import { type Html, html } from './html.ts';

/**
 * The language of the page that is being rendered. It is bound to the request, because a page is built from many small parts with
 * texts. Portuguese outside a request, and for unsupported languages.
 */
const current = new AsyncLocalStorage<Language>();

export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return current.run(language, work);
}

export function currentLanguage(): Language {
  return current.getStore() ?? 'pt';
}

/** The document's `lang` attribute, whose texts and dates it shows. */
export function localeOf(language: Language): Locale {
  return language === 'pt' ? 'pt-BR' : language;
}

/** The text of a key in the page's language. */
export function say(key: MessageKey, values?: MessageValues): string {
  return translate(pageLocale(), key, values);
}

/** The same with markup as values, such as links. */
export function sayHtml(key: MessageKey, values: Readonly<Record<string, string | number | Html>>): Html {
  return html`${translatedParts(pageLocale(), key, values)}`;
}

/** A number of days in the page's language, with plural: `1 dia`, `12 dias`. */
export function sayDays(days: number): string {
  return say('payer.days', { days });
}

/** A day in the page's language; amounts are always in Brazilian format. */
export function sayDay(at: Date | CivilDate): string {
  return dayText(pageLocale(), at);
}

/** An instant to the minute; only its day if nothing else is known. */
export function sayTime(at: Date): string {
  return isDayOnly(at) ? sayDay(at) : timeText(pageLocale(), at);
}

/** The locale of the page that is being rendered. */
export function pageLocale(): Locale {
  return localeOf(currentLanguage());
}
