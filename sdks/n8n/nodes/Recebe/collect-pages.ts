/** One page of a list. */
interface Page {
  readonly data?: unknown;
  readonly pagination?: { readonly next?: string | null };
}

/** The largest page that the API sends. */
const PAGE_SIZE = 100;

/**
 * Reads a list page by page, newest first.
 * @param maximum how many objects to return; null for all. @param readPage reads the page of a query.
 */
export async function collectPages(
  maximum: number | null,
  readPage: (query: { readonly limit: number; readonly after?: string }) => Promise<Page>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const missing = maximum === null ? PAGE_SIZE : maximum - found.length;
    if (missing <= 0) return found;
    const page = await readPage({
      limit: Math.min(PAGE_SIZE, missing),
      ...(after !== undefined && { after }),
    });
    const objects = Array.isArray(page.data) ? page.data : [];
    found.push(...objects);
    const next = page.pagination?.next ?? null;
    if (next === null || objects.length === 0) return found;
    after = next;
  }
}
