import type { CivilDate } from '../../domain/civil-date.ts';
import type { StatementEntry } from '../../domain/statement-day.ts';
import type { ProviderPage, TimeWindow } from './pages.ts';

/** How a provider books the money of an account: what came in, what it kept, and what it paid out by its own schedule. */
export interface StatementPort {
  /** Entries that the provider booked within this time, page by page, in a stable order. They may appear late. */
  entries(time: TimeWindow, cursor: string | null): Promise<ProviderPage<StatementEntry>>;
  /** Payouts to the store's bank that the provider began within this time, page by page. */
  payouts(time: TimeWindow, cursor: string | null): Promise<ProviderPage<ProviderPayout>>;
}

/** A payout that the provider makes by itself; Recebe orders none of these. */
export interface ProviderPayout {
  readonly id: string;
  readonly amountCents: number;
  readonly status: 'UNDER_WAY' | 'PAID' | 'FAILED';
  /** When the bank is to have it. */
  readonly arrivesOn: CivilDate;
}
