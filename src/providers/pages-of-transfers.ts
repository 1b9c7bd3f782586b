import type { PaymentProvider, ProviderPage, SentTransfer, TimeWindow } from './provider.ts';

/** Some banks limit the time range of a list. */
const WINDOW_MS = 5 * 86_400_000;

/** All transfers sent within a time range, page by page. @throws what the provider throws, between any two pages. */
export async function* pagesOfTransfers(
  provider: Pick<PaymentProvider, 'listTransfers'>,
  { from, until }: TimeWindow,
): AsyncGenerator<ProviderPage<SentTransfer>> {
  for (let startMs = from.getTime(); startMs < until.getTime(); startMs += WINDOW_MS) {
    const window = {
      from: new Date(startMs),
      until: new Date(Math.min(startMs + WINDOW_MS, until.getTime())),
    };
    let cursor: string | null = null;
    do {
      const page: ProviderPage<SentTransfer> = await provider.listTransfers(window, cursor);
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
}
