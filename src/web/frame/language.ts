import { AsyncLocalStorage } from 'node:async_hooks';
import { type Html, html } from './html.ts';
import { ENGLISH, type Phrase } from './languages/english.ts';
import { SPANISH } from './languages/spanish.ts';

/** The languages of the pages that payers open: Portuguese, English, Spanish. */
export const LANGUAGES = ['pt', 'en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export type { Phrase };

const TRANSLATIONS: Readonly<Record<Exclude<Language, 'pt'>, Readonly<Record<Phrase, string>>>> = {
  en: ENGLISH,
  es: SPANISH,
};

/**
 * The language of the page that is being rendered. It is bound to the request, because a page is built from many small parts with
 * texts. Portuguese outside a request, and for unsupported languages.
 */
const current = new AsyncLocalStorage<Language>();

/** The language of a language tag; Portuguese if it is not supported. */
export function languageNamed(name: string): Language {
  return LANGUAGES.find((language) => language === name) ?? 'pt';
}

export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return current.run(language, work);
}

export function currentLanguage(): Language {
  return current.getStore() ?? 'pt';
}

/** The document's `lang` attribute, also used to format dates and times. */
export function localeOf(language: Language): 'pt-BR' | 'en' | 'es' {
  return language === 'pt' ? 'pt-BR' : language;
}

function translated(phrase: Phrase): string {
  const language = currentLanguage();
  return language === 'pt' ? phrase : TRANSLATIONS[language][phrase];
}

/** The phrase in the page's language, as plain text. */
export function say(phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string {
  return translated(phrase).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The same with markup as values, such as links. */
export function sayHtml(phrase: Phrase, values: Readonly<Record<string, string | number | Html>>): Html {
  const parts = translated(phrase).split(/\{(\w+)\}/);
  // Every second part is a placeholder's name.
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`;
}

/** A number of days in the page's language, with plural: `1 dia`, `12 dias`. */
export function sayDays(days: number): string {
  return days === 1 ? say('1 dia') : say('{days} dias', { days });
}

/** Dates and times in São Paulo time, in the page's language; amounts are always in Brazilian format. */
export function formatTime(instant: Date, options: Intl.DateTimeFormatOptions): string {
  // International English puts days before months, as in Brazil.
  const locale = currentLanguage() === 'en' ? 'en-GB' : localeOf(currentLanguage());
  return new Intl.DateTimeFormat(locale, { timeZone: 'America/Sao_Paulo', ...options }).format(instant);
}
