import type { Context } from 'koa';
import { chooseLanguage, keptLanguage } from '../frame/chosen-language.ts';
import { FOLDERS, type Language } from './library.ts';

const LANGUAGES = Object.keys(FOLDERS) as Language[];

/** Stores the language that `?lang=` of the address chooses, and returns it. The header's link to the other language has it. */
export function storeChoice(ctx: Context): Language | undefined {
  const chosen = chooseLanguage(ctx, LANGUAGES, '/docs');
  if (chosen !== undefined) ctx.set('Cache-Control', 'no-store');
  return chosen;
}

/** The language for someone who opens the documentation: the one of the address or of an earlier choice, else the browser's, else English. */
export function readingLanguage(ctx: Context): Language {
  const chosen = storeChoice(ctx);
  const kept = ctx.query.lang === undefined ? keptLanguage(ctx, LANGUAGES) : chosen;
  const wanted = ctx.acceptsLanguages('en', 'pt', 'pt-BR');
  return kept ?? (wanted === 'pt' || wanted === 'pt-BR' ? 'pt-BR' : 'en');
}
