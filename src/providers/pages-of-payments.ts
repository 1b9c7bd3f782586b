import type { ListedTime, PaymentProvider, ProviderPayment } from './provider.ts';

/** All that came in within a time, page by page. @throws what the provider throws, between any two pages. */
export async function* pagesOfPayments(
  provider: Pick<PaymentProvider, 'listPayments'>,
  time: ListedTime,
): AsyncGenerator<readonly ProviderPayment[]> {
  let cursor: string | null = null;
  do {
    const { items, nextCursor } = await provider.listPayments(time, cursor);
    yield items;
    cursor = nextCursor;
  } while (cursor !== null);
}
