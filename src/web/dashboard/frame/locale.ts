import type { ApiContext } from '../../../api/frame/state.ts';
import { chooseLanguage, keptLanguage } from '../../frame/chosen-language.ts';
import { LOCALES, type Locale, type MessageKey } from '../../i18n/catalogs.ts';
import { type MessageValues, translate } from '../../i18n/translate.ts';

/** The language chosen in this browser, else the one it requests, else Portuguese. `?lang=` chooses a language and stores it. */
export function localeOf(ctx: ApiContext): Locale {
  return chooseLanguage(ctx, LOCALES, '/dashboard') ?? keptLanguage(ctx, LOCALES) ?? requestedLocale(ctx);
}

function requestedLocale(ctx: ApiContext): Locale {
  const accepted = ctx.acceptsLanguages('pt', 'pt-BR', 'en', 'es');
  return accepted === 'en' || accepted === 'es' ? accepted : 'pt-BR';
}

/** The text of a key in the reader's language. */
export type Say = (key: MessageKey, values?: MessageValues) => string;

export function sayIn(locale: Locale): Say {
  return (key, values) => translate(locale, key, values);
}
