import { pagesOf } from './pages-of.ts';
import type { ProviderPage, TimeWindow } from './ports/pages.ts';
import type { PayoutsPort, SentTransfer } from './ports/payouts.ts';
import type { PaymentProvider } from './provider.ts';

/** Some banks limit the time range of a list. */
const WINDOW_MS = 5 * 86_400_000;

/** Payouts of a provider that lists what it sent. */
export type ListedPayouts = Required<PayoutsPort>;

/** Null if the provider does not list what it sent. */
export function listedPayoutsOf({ payouts }: PaymentProvider): ListedPayouts | null {
  return payouts?.list === undefined ? null : (payouts as ListedPayouts);
}

/** All transfers sent within a time range, page by page. @throws what the provider throws, between any two pages. */
export async function* pagesOfTransfers(
  payouts: ListedPayouts,
  { from, until }: TimeWindow,
): AsyncGenerator<ProviderPage<SentTransfer>> {
  for (let startMs = from.getTime(); startMs < until.getTime(); startMs += WINDOW_MS) {
    const window = {
      from: new Date(startMs),
      until: new Date(Math.min(startMs + WINDOW_MS, until.getTime())),
    };
    yield* pagesOf((cursor) => payouts.list(window, cursor));
  }
}
