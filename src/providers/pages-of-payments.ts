import type { ListedTime, PaymentProvider, ProviderPage, ProviderPayment } from './provider.ts';

/** All payments received within a time range, page by page. @throws what the provider throws, between any two pages. */
export async function* pagesOfPayments(
  provider: Pick<PaymentProvider, 'listPayments'>,
  time: ListedTime,
): AsyncGenerator<ProviderPage<ProviderPayment>> {
  let cursor: string | null = null;
  do {
    const page: ProviderPage<ProviderPayment> = await provider.listPayments(time, cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
