import { renderDocument } from './document-page.ts';
import { Highlighter } from './highlighter.ts';
import type { DocumentPage, Library } from './library.ts';
import { renderMarkdown } from './markdown.ts';

interface Page {
  readonly html: string;
  /** False for a page whose code has no colours. */
  readonly isComplete: boolean;
}

/** Renders each page once, for all readers that wait for it too. */
export class PageCache {
  readonly #library: () => Library;
  readonly #highlighter = new Highlighter();
  readonly #pages = new Map<string, Promise<Page>>();

  constructor(library: () => Library) {
    this.#library = library;
  }

  async rendered(page: DocumentPage): Promise<Page> {
    const rendering = this.#pages.get(page.path) ?? this.#render(page);
    this.#pages.set(page.path, rendering);
    const isKept = await rendering.then(
      ({ isComplete }) => isComplete,
      () => false,
    );
    if (!isKept && this.#pages.get(page.path) === rendering) this.#pages.delete(page.path);
    return rendering;
  }

  async #render(page: DocumentPage): Promise<Page> {
    const content = await renderMarkdown(page, this.#highlighter);
    return { html: renderDocument(this.#library(), page, content), isComplete: content.isComplete };
  }
}
