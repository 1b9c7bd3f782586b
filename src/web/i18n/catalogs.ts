import english from './locales/en.json' with { type: 'json' };
import spanish from './locales/es.json' with { type: 'json' };
import portuguese from './locales/pt-BR.json' with { type: 'json' };

/** The languages of pages and mails, as language tags. Portuguese first: it is the default. */
export const LOCALES = ['pt-BR', 'en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

/** The name of a text in the catalogs, by place and meaning: `checkout.waitingForThePayment`. */
export type MessageKey = keyof typeof english;

/** Every text in every language, in ICU MessageFormat. The types refuse a language that lacks a key. */
export const CATALOGS: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = {
  'pt-BR': portuguese,
  en: english,
  es: spanish,
};
