import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '../../domain/language.ts';
import type { Locale, MessageKey } from '../i18n/catalogs.ts';
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

/** The document's `lang` attribute, also used to format dates and times. */
export function localeOf(language: Language): Locale {
  return language === 'pt' ? 'pt-BR' : language;
}

/** The text of a key in the page's language. */
export function say(key: MessageKey, values?: MessageValues): string {
  return translate(localeOf(currentLanguage()), key, values);
}

/** The same with markup as values, such as links. */
export function sayHtml(key: MessageKey, values: Readonly<Record<string, string | number | Html>>): Html {
  return html`${translatedParts(localeOf(currentLanguage()), key, values)}`;
}

/** A number of days in the page's language, with plural: `1 dia`, `12 dias`. */
export function sayDays(days: number): string {
  return say('payer.days', { days });
}

/** Dates and times in São Paulo time, in the page's language; amounts are always in Brazilian format. */
export function formatTime(instant: Date, options: Intl.DateTimeFormatOptions): string {
  // International English puts days before months, as in Brazil.
  const locale = currentLanguage() === 'en' ? 'en-GB' : localeOf(currentLanguage());
  return new Intl.DateTimeFormat(locale, { timeZone: 'America/Sao_Paulo', ...options }).format(instant);
}
