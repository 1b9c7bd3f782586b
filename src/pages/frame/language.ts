import { AsyncLocalStorage } from 'node:async_hooks';
import { type Html, html } from './html.ts';
import { ENGLISH, type Phrase } from './languages/english.ts';
import { SPANISH } from './languages/spanish.ts';

/** Portuguese, English, Spanish: what payers read of the pages they open. */
export const LANGUAGES = ['pt', 'en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export type { Phrase };

const TRANSLATIONS: Readonly<Record<Exclude<Language, 'pt'>, Readonly<Record<Phrase, string>>>> = {
  en: ENGLISH,
  es: SPANISH,
};

/**
 * The language of the page that is being made. It goes with the request, as a page is made of many small parts, and
 * each of them says something; what is made for no request, or for one that names no language of ours, is Portuguese.
 */
const current = new AsyncLocalStorage<Language>();

/** One of ours by its name; Portuguese where it is none. */
export function languageNamed(name: string): Language {
  return LANGUAGES.find((language) => language === name) ?? 'pt';
}

export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return current.run(language, work);
}

export function currentLanguage(): Language {
  return current.getStore() ?? 'pt';
}

/** As `lang` of a document, and for the formats of days and times. */
export function localeOf(language: Language): 'pt-BR' | 'en' | 'es' {
  return language === 'pt' ? 'pt-BR' : language;
}

function translated(phrase: Phrase): string {
  const language = currentLanguage();
  return language === 'pt' ? phrase : TRANSLATIONS[language][phrase];
}

/** The phrase in the page's language, as a text. */
export function say(phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string {
  return translated(phrase).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The same with values that are markup, such as links. */
export function sayHtml(phrase: Phrase, values: Readonly<Record<string, string | number | Html>>): Html {
  const parts = translated(phrase).split(/\{(\w+)\}/);
  // Every other part is a name.
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`;
}

/** Whole and plural in the page's language: `1 dia`, `12 dias`. */
export function sayDays(days: number): string {
  return days === 1 ? say('1 dia') : say('{days} dias', { days });
}

/** Days, and times of São Paulo, as people write them; money is of Brazil in any language. */
export function formatTime(instant: Date, options: Intl.DateTimeFormatOptions): string {
  // English is that of most of the world, where days come before months, as in Brazil.
  const locale = currentLanguage() === 'en' ? 'en-GB' : localeOf(currentLanguage());
  return new Intl.DateTimeFormat(locale, { timeZone: 'America/Sao_Paulo', ...options }).format(instant);
}
