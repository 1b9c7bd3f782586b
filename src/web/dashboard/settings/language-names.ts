import type { Language } from '../../../domain/language.ts';

/** In their own language, as in every choice of a language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  pt: 'Português',
  en: 'English',
  es: 'Español',
};
