import type { Pagination } from './generated/resources.ts';

/** One page of a list, newest first. `Extra` are further fields of single lists, such as the balance. */
export type Page<Item, Extra = unknown> = {
  readonly data: readonly Item[];
  readonly pagination: Pagination;
} & Extra;

type Query = Readonly<Record<string, unknown>>;

/**
 * A list. `await` it for one page, or iterate over it with `for await` to get the objects of all pages, each page
 * when it is needed. Nothing is sent before that.
 */
export class Pages<Item, Extra = unknown> implements PromiseLike<Page<Item, Extra>>, AsyncIterable<Item> {
  readonly #query: Query;
  readonly #read: (query: Query) => Promise<Page<Item, Extra>>;
  #first: Promise<Page<Item, Extra>> | undefined;

  constructor(query: Query, read: (query: Query) => Promise<Page<Item, Extra>>) {
    this.#query = query;
    this.#read = read;
  }

  /** The first page. */
  // biome-ignore lint/suspicious/noThenProperty: awaiting a list returns its first page.
  then<Result = Page<Item, Extra>, Failed = never>(
    onPage?: ((page: Page<Item, Extra>) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    this.#first ??= this.#read(this.#query);
    return this.#first.then(onPage, onError);
  }

  catch<Failed>(
    onError: (error: unknown) => Failed | PromiseLike<Failed>,
  ): Promise<Page<Item, Extra> | Failed> {
    return this.then(undefined, onError);
  }

  /** Page after page: older ones, or newer ones if the query has `before`. */
  async *pages(): AsyncGenerator<Page<Item, Extra>, void, undefined> {
    const isNewer = this.#query.before !== undefined;
    for (let query = this.#query; ; ) {
      const page = await (query === this.#query ? this : this.#read(query));
      yield page;
      const cursor = isNewer ? page.pagination.before : page.pagination.next;
      if (cursor === null || page.data.length === 0) return;
      query = { ...this.#query, [isNewer ? 'before' : 'after']: cursor };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
