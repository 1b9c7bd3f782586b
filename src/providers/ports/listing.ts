import type { Fine, Interest } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { ProviderCharge } from './charges.ts';
import type { ProviderPage, TimeWindow } from './pages.ts';
import type { Beneficiary, ProviderPayment } from './payment.ts';

/** Everything that a provider received or issued, by time: it finds what a lost notification or a restore missed. */
export interface ListingPort {
  /** Payments received within this time, page by page, in a stable order. */
  payments(time: ListedTime, cursor: string | null): Promise<ProviderPage<ProviderPayment>>;
  /** References of charges issued within this time, page by page, no matter who requested them. */
  references(time: TimeWindow, cursor: string | null): Promise<ProviderPage<string>>;
  /** The charge with this reference; null if the provider does not know it, or a row cannot be built from it. */
  recall(reference: string, beneficiary: Beneficiary): Promise<RecalledCharge | null>;
}

/** Selects payments by the time at which they were received. */
export interface ListedTime extends TimeWindow {
  /** Only payments with returns, done or pending. A provider that cannot filter lists all. */
  readonly onlyReversed?: boolean;
}

/** For how long a recalled charge is payable; afterwards the payer's bank refuses the code. */
export type RecalledTerms =
  | { readonly expiresInSeconds: number }
  | { readonly dueDate: CivilDate; readonly interest: Interest | null; readonly fine: Fine | null };

/**
 * A charge as its provider stores it: enough to rebuild a row that a restore lost. It lacks what the provider never
 * received: `externalId`, metadata and the customer's record.
 */
export interface RecalledCharge {
  readonly reference: string;
  readonly status: ProviderCharge['status'];
  readonly amountCents: number;
  readonly description: string | null;
  readonly createdAt: Date;
  /** How long it is payable: from {@link createdAt} on, or by its due date. */
  readonly terms: RecalledTerms;
  /** The payer as the merchant named them when the charge was created. */
  readonly payer: ProviderPayment['payer'];
  readonly brCode: string;
  /** The provider's ids of the charge's payments. */
  readonly providerPaymentIds: readonly string[];
}
