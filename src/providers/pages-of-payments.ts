import { pagesOf } from './pages-of.ts';
import type { ListedTime, ListingPort } from './ports/listing.ts';
import type { ProviderPage } from './ports/pages.ts';
import type { ProviderPayment } from './ports/payment.ts';

/** All payments received within a time range, page by page. @throws what the provider throws, between any two pages. */
export function pagesOfPayments(
  listing: Pick<ListingPort, 'payments'>,
  time: ListedTime,
): AsyncGenerator<ProviderPage<ProviderPayment>> {
  return pagesOf((cursor) => listing.payments(time, cursor));
}
