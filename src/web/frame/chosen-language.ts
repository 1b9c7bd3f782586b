import type { Context } from 'koa';

const COOKIE = 'recebe_lang';

type Request = Pick<Context, 'query' | 'cookies' | 'append'>;

/** The language that `?lang=` of the address chooses, which is stored for a year for pages below `path`; undefined if it chooses none. */
export function chooseLanguage<Language extends string>(
  ctx: Request,
  languages: readonly Language[],
  path: '/dashboard' | '/docs',
): Language | undefined {
  const chosen = languages.find((language) => language === ctx.query.lang);
  if (chosen !== undefined)
    ctx.append('Set-Cookie', `${COOKIE}=${chosen}; Path=${path}; Max-Age=31536000; SameSite=Lax`);
  return chosen;
}

/** The language of an earlier choice in this browser; undefined if there was none. */
export function keptLanguage<Language extends string>(
  ctx: Pick<Request, 'cookies'>,
  languages: readonly Language[],
): Language | undefined {
  const kept = ctx.cookies.get(COOKIE);
  return languages.find((language) => language === kept);
}
