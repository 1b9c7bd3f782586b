import { setImmediate as otherWork } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { foldText } from '../../domain/fold-text.ts';
import type { DocumentPage, Language, Library } from './library.ts';
import { type Section, sectionsOf } from './sections.ts';

export interface SearchResult {
  readonly section: Section;
  /** The words of the section that matched, folded. */
  readonly words: ReadonlySet<string>;
}

interface Indexed {
  /** The section's place in the list. */
  readonly id: number;
  readonly heading: string;
  readonly title: string;
  readonly text: string;
  readonly commands: string;
}

/** Longer queries are cut: each word costs time. */
export const QUERY_LIMIT = 100;
const WORD_LIMIT = 8;
const RESULT_LIMIT = 20;

/** Shorter words must be written right: one wrong letter makes them another word. */
const FUZZY_FROM = 5;

/** Finds sections of the documentation. Built by the first search, between other requests. */
export class SearchIndex {
  readonly #sections: readonly Section[];
  readonly #index: MiniSearch<Indexed>;

  private constructor(sections: readonly Section[], index: MiniSearch<Indexed>) {
    this.#sections = sections;
    this.#index = index;
  }

  static async build(library: Library): Promise<SearchIndex> {
    const index = new MiniSearch<Indexed>({
      fields: ['heading', 'title', 'text', 'commands'],
      processTerm: foldText,
    });
    const sections: Section[] = [];
    for (const page of library.pages()) {
      // A page takes some milliseconds, and requests about money wait for the same processor.
      await otherWork();
      for (const section of sectionsOf(page)) {
        const { heading, text, commands } = section;
        index.add({ id: sections.push(section) - 1, heading, title: page.title, text, commands });
      }
    }
    return new SearchIndex(sections, index);
  }

  /** @param language pages in the other one are left out if they are translations. */
  find(query: string, language: Language): readonly SearchResult[] {
    const different = new Set(query.slice(0, QUERY_LIMIT).split(/\s+/));
    const words = [...different].slice(0, WORD_LIMIT).join(' ');
    const all = this.#matches(words, language, 'AND');
    return all.length > 0 ? all : this.#matches(words, language, 'OR');
  }

  #matches(query: string, language: Language, combineWith: 'AND' | 'OR'): SearchResult[] {
    const found = this.#index.search(query, {
      combineWith,
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length < FUZZY_FROM ? false : 0.2),
      maxFuzzy: 2,
      boost: { heading: 5, title: 2 },
      boostDocument: (id) => rankOf(this.#sections[Number(id)]?.page),
      filter: ({ id }) => isRead(this.#sections[id]?.page, language),
    });
    return found.slice(0, RESULT_LIMIT).flatMap(({ id, terms }) => {
      const section = this.#sections[id];
      return section === undefined ? [] : [{ section, words: new Set(terms) }];
    });
  }
}

/** Guides explain, the reference lists, and decisions say why. */
function rankOf(page: DocumentPage | undefined): number {
  if (page === undefined || page.path.startsWith('decisions/')) return 0.3;
  if (page.path.includes('guides/')) return 1.6;
  return page.path.startsWith('reference/') ? 1.2 : 0.6;
}

function isRead(page: DocumentPage | undefined, language: Language): boolean {
  return page !== undefined && (page.language === language || !page.path.includes('guides/'));
}
