import { foldText } from '../../domain/fold-text.ts';
import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { icon } from '../frame/icons.ts';
import { translate } from '../i18n/translate.ts';
import { FOLDERS, type Language } from './library.ts';
import { QUERY_LIMIT, type SearchResult } from './search-index.ts';

/** Letters around the first word that matched. */
const BEFORE = 60;
const LENGTH = 200;

/** The search form of a page. The script shows results below it while someone types. */
export function searchForm(language: Language, query = ''): Html {
  const search = translate(language, 'docs.search');
  return html`<form class="search" role="search" action="/docs/search" data-search>
${icon('search')}<input type="search" name="q" value="${query}" maxlength="${QUERY_LIMIT}" placeholder="${search}" aria-label="${search}" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"><input type="hidden" name="lang" value="${language}"><kbd aria-hidden="true">/</kbd>
</form>`;
}

/** The page that works without a script. */
export function searchContent(language: Language, query: string, results: readonly SearchResult[]): Html {
  const search = translate(language, 'docs.search');
  return html`<h1>${search}</h1>
${searchForm(language, query)}
<div data-search-results>${query !== '' && resultList(language, query, results)}</div>`;
}

/** The results alone, for the script. */
export function resultList(language: Language, query: string, results: readonly SearchResult[]): Html {
  if (results.length === 0)
    return html`<p role="status">${translate(language, 'docs.nothingFound', { query })}</p>
<p><a href="/docs/${FOLDERS[language]}README">${translate(language, 'docs.allGuides')}</a></p>`;
  const found = translate(language, 'docs.found', { count: results.length });
  return html`<p class="visually-hidden" role="status">${found}</p>
${resultItems(results)}`;
}

export function resultItems(results: readonly SearchResult[]): Html {
  return html`<ol class="results">${results.map(resultItem)}</ol>`;
}

function resultItem({ section, words }: SearchResult): Html {
  const { heading, page, address } = section;
  return html`<li><a href="/docs/${address}"><span class="results__page">${page.title}</span>
<strong>${marked(heading, words)}</strong>
<span class="results__text">${marked(excerpt(section.text, words), words)}</span></a></li>
`;
}

/** Part of the text, cut between words, with the first word that matched. */
function excerpt(text: string, words: ReadonlySet<string>): string {
  const first = [...text.matchAll(/[\p{L}\p{N}_]+/gu)].find(([word]) => words.has(foldText(word)));
  const start = Math.max(0, (first?.index ?? 0) - BEFORE);
  const end = start + LENGTH;
  const cut = text.slice(start, end);
  const head = start === 0 ? cut : `…${cut.slice(cut.indexOf(' ') + 1)}`;
  return end >= text.length ? head : `${head.slice(0, head.lastIndexOf(' '))}…`;
}

function marked(text: string, words: ReadonlySet<string>): Html {
  const parts = text.split(/([\p{L}\p{N}_]+)/gu);
  return trustedMarkup(
    parts
      .map((part) => (words.has(foldText(part)) ? html`<mark>${part}</mark>` : html`${part}`).markup)
      .join(''),
  );
}
