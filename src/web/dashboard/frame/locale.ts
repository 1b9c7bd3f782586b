import type { ApiContext } from '../../../api/frame/state.ts';

export const LOCALES = ['pt-BR', 'en'] as const;

export type Locale = (typeof LOCALES)[number];

const COOKIE = 'recebe_lang';

/** The language chosen in this browser, else the one it requests, else Portuguese. `?lang=` chooses a language and stores it. */
export function localeOf(ctx: ApiContext): Locale {
  const chosen = LOCALES.find((locale) => locale === ctx.query.lang);
  if (chosen !== undefined)
    ctx.append('Set-Cookie', `${COOKIE}=${chosen}; Path=/dashboard; Max-Age=31536000; SameSite=Lax`);
  const kept = chosen ?? LOCALES.find((locale) => locale === ctx.cookies.get(COOKIE));
  return kept ?? (ctx.acceptsLanguages('pt', 'pt-BR', 'en') === 'en' ? 'en' : 'pt-BR');
}

/** Chooses between the texts by the reader's language. */
export type Say = (portuguese: string, english: string) => string;

export function sayIn(locale: Locale): Say {
  return locale === 'en' ? (_, english) => english : (portuguese) => portuguese;
}
