/** The languages of pages and messages for payers: Portuguese, English, Spanish. */
export const LANGUAGES = ['pt', 'en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a language tag; Portuguese if it is not supported. */
export function languageNamed(name: string): Language {
  return LANGUAGES.find((language) => language === name) ?? 'pt';
}
