import type { ApiContext } from '../../../api/frame/state.ts';
import { LOCALES, type Locale, type MessageKey } from '../../i18n/catalogs.ts';
import { type MessageValues, translate } from '../../i18n/translate.ts';

const COOKIE = 'recebe_lang';

/** The language chosen in this browser, else the one it requests, else Portuguese. `?lang=` chooses a language and stores it. */
export function localeOf(ctx: ApiContext): Locale {
  const chosen = LOCALES.find((locale) => locale === ctx.query.lang);
  if (chosen !== undefined)
    ctx.append('Set-Cookie', `${COOKIE}=${chosen}; Path=/dashboard; Max-Age=31536000; SameSite=Lax`);
  const kept = chosen ?? LOCALES.find((locale) => locale === ctx.cookies.get(COOKIE));
  return kept ?? requestedLocale(ctx);
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
