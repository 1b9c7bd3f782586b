import type { ProviderPage } from './ports/pages.ts';

/** All pages of a provider's list. @throws what the provider throws, between any two pages. */
export async function* pagesOf<Item>(
  pageAt: (cursor: string | null) => Promise<ProviderPage<Item>>,
): AsyncGenerator<ProviderPage<Item>> {
  let cursor: string | null = null;
  do {
    const page: ProviderPage<Item> = await pageAt(cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
