import { translate } from '../i18n/translate.ts';
import { renderDocument, SEARCH_PATH } from './document-page.ts';
import type { DocumentPage, Language, Library } from './library.ts';
import { missingContent, missingPage } from './missing-page.ts';
import { QUERY_LIMIT, SearchIndex, type SearchResult } from './search-index.ts';
import { resultList, searchContent } from './search-page.ts';

/** Answers searches, with an index that the first of them builds. */
export class Search {
  readonly #library: () => Library;
  #index: Promise<SearchIndex> | undefined;

  constructor(library: () => Library) {
    this.#library = library;
  }

  /** @param asked `q` is the query, `lang` the language, and `part=results` leaves out the page around them. */
  async answer(asked: URLSearchParams): Promise<string> {
    const language = asked.get('lang') === 'pt-BR' ? 'pt-BR' : 'en';
    const query = (asked.get('q') ?? '').trim().slice(0, QUERY_LIMIT);
    const results = await this.#find(query, language);
    if (asked.get('part') === 'results') return resultList(language, query, results).markup;
    const page: DocumentPage = {
      path: SEARCH_PATH,
      title: translate(language, 'docs.search'),
      markdown: '',
      language,
    };
    const content = searchContent(language, query, results).markup;
    return this.#rendered(page, content);
  }

  /** The page of an address without one: where to go from it. */
  async missing(path: string): Promise<string> {
    const page = missingPage(path);
    const name = path.split('/').at(-1) ?? '';
    const words = (name.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_OF_ADDRESS).join(' ');
    const nearest = words === '' ? [] : await this.#find(words, page.language);
    return this.#rendered(page, missingContent(page, nearest.slice(0, NEAREST)).markup);
  }

  #find(query: string, language: Language): Promise<readonly SearchResult[]> {
    this.#index ??= SearchIndex.build(this.#library());
    return this.#index.then((index) => index.find(query, language));
  }

  #rendered(page: DocumentPage, content: string): string {
    return renderDocument(this.#library(), page, { content, headings: [], isComplete: true });
  }
}

/** Each word costs a millisecond or two, and a wrong address counts like any other page (src/http/visits.ts). */
const WORDS_OF_ADDRESS = 3;

/** Parts of the documentation that a wrong address may have meant. */
const NEAREST = 5;
