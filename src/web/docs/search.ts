import { translate } from '../i18n/translate.ts';
import { renderDocument, SEARCH_PATH } from './document-page.ts';
import type { DocumentPage, Library } from './library.ts';
import { QUERY_LIMIT, SearchIndex } from './search-index.ts';
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
    const library = this.#library();
    this.#index ??= SearchIndex.build(library);
    const results = (await this.#index).find(query, language);
    if (asked.get('part') === 'results') return resultList(language, query, results).markup;
    const page: DocumentPage = {
      path: SEARCH_PATH,
      title: translate(language, 'docs.search'),
      markdown: '',
      language,
    };
    const content = searchContent(language, query, results).markup;
    return renderDocument(library, page, { content, headings: [], isComplete: true });
  }
}
