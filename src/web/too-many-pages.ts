import type { IncomingHttpHeaders } from 'node:http';
import { LANGUAGES, type Language, languageNamed } from '../domain/language.ts';
import { inLanguage } from './frame/language.ts';
import { NOTICES, renderNoticePage } from './frame/notice-page.ts';
import { pageSecurityHeaders } from './frame/security-headers.ts';

/** A request that is refused before anything is done for it. */
interface TooMany {
  readonly headers: IncomingHttpHeaders;
  readonly isForm: boolean;
  /** Seconds until a retry. */
  readonly seconds: number;
}

/** A page with its headers, for a response that no middleware completes. */
export interface RefusedPage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Longer waits, which the limits here do not have, would be pages without number. */
const MOST_SECONDS = 3_600;

/**
 * The page for people who send too many requests. It is rendered once for each language and wait, because it must cost next to nothing.
 */
export function tooManyPages({
  publicUrl,
}: {
  readonly publicUrl: string;
}): (request: TooMany) => RefusedPage {
  const headers = pageSecurityHeaders({ https: publicUrl.startsWith('https:') });
  const pages = new Map<string, string>();
  return ({ headers: { cookie = '', 'accept-language': accepted = '' }, isForm, seconds }) => {
    const language = firstLanguage(`${CHOSEN.exec(cookie)?.[1] ?? ''},${accepted}`);
    const retry = { isForm, seconds: Math.min(Math.ceil(seconds), MOST_SECONDS) };
    const key = `${language} ${isForm} ${retry.seconds}`;
    const known = pages.get(key);
    const body = known ?? inLanguage(language, () => renderNoticePage(NOTICES.tooMany, { retry }));
    if (known === undefined) pages.set(key, body);
    return { body, headers };
  };
}

/** What `chooseLanguage` has stored. */
const CHOSEN = /(?:^|;\s*)recebe_lang=([\w-]+)/;

/** A browser sends a few. */
const MOST_TAGS = 40;

/** The first of our languages in a list. Browsers send them in order. */
function firstLanguage(list: string): Language {
  const tags = list.toLowerCase().split(/[,;\s]+/, MOST_TAGS);
  const known = tags.map((tag) => LANGUAGES.find((each) => tag.split('-', 1)[0] === each));
  return languageNamed(known.find((each) => each !== undefined) ?? '');
}
