import type { DefaultContext, ParameterizedContext } from 'koa';
import { FOLDERS, type Language } from './library.ts';

const COOKIE = 'recebe_lang';
const LANGUAGES = Object.keys(FOLDERS) as Language[];

type Request = ParameterizedContext<object, DefaultContext>;

/** Stores the language that `?lang=` of the address chooses. The header's link to the other language has it. */
export function storeChoice(ctx: Request): void {
  const chosen = LANGUAGES.find((language) => language === ctx.query.lang);
  if (chosen === undefined) return;
  ctx.append('Set-Cookie', `${COOKIE}=${chosen}; Path=/docs; Max-Age=31536000; SameSite=Lax`);
  ctx.set('Cache-Control', 'no-store');
}

/** The language for someone who opens the documentation: the chosen one, else the browser's, else English. */
export function readingLanguage(ctx: Request): Language {
  const kept = LANGUAGES.find((language) => language === (ctx.query.lang ?? ctx.cookies.get(COOKIE)));
  const wanted = ctx.acceptsLanguages('en', 'pt', 'pt-BR');
  return kept ?? (wanted === 'pt' || wanted === 'pt-BR' ? 'pt-BR' : 'en');
}
