import { LANGUAGES } from '../domain/language.ts';
import { inLanguage } from './frame/language.ts';
import { NOTICES, renderNoticePage } from './frame/notice-page.ts';

/** The page for people who send too many requests, rendered once per language. @returns the one for an `Accept-Language`. */
export function tooManyPages(): (acceptLanguage: string | undefined) => string {
  const pages = new Map(
    LANGUAGES.map((language) => [language, inLanguage(language, () => renderNoticePage(NOTICES.tooMany))]),
  );
  return (acceptLanguage = '') => {
    const start = LANGUAGES.find((language) => acceptLanguage.startsWith(language));
    return pages.get(start ?? 'pt') ?? '';
  };
}
