import type { ListedTime, ListingPort } from './ports/listing.ts';
import type { ProviderPage } from './ports/pages.ts';
import type { ProviderPayment } from './ports/payment.ts';

/** All payments received within a time range, page by page. @throws what the provider throws, between any two pages. */
export async function* pagesOfPayments(
  listing: Pick<ListingPort, 'payments'>,
  time: ListedTime,
): AsyncGenerator<ProviderPage<ProviderPayment>> {
  let cursor: string | null = null;
  do {
    const page: ProviderPage<ProviderPayment> = await listing.payments(time, cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
