/** Until then, charges of a removed account may be paid or returned (Bacen, Resolução 103: 90 days). */
export const LISTED_AFTER_REMOVAL_MS = 91 * 24 * 60 * 60 * 1_000;

/**
 * How long a charge's run looks up a payment that its bank named but does not find. Then a person is asked, and the
 * reconciliation continues the look-ups.
 */
export const LOOKED_UP_FOR_MS = 90 * 60 * 1_000;

/** The result of one round of listing payments. */
export interface ListedPayments {
  /** Accounts whose providers were asked. */
  readonly accounts: number;
  /** Accounts with a failed request or ingestion; the next round repeats it. */
  readonly failed: number;
  /** Newly ingested payments of charges. */
  readonly taken: number;
  /** Newly ingested disputes, opened or decided; absent in earlier releases. */
  readonly disputed?: number;
  /** Payments of no charge, each counted by the round that first sees it. */
  readonly unknown: number;
  /** Issued charges that were never stored and were cancelled; absent in earlier releases. */
  readonly takenBack?: number;
}

/** The result of the same round for sent transfers. */
export interface ListedTransfers {
  /** Accounts with a failed request; the next round repeats it. */
  readonly sentFailed: number;
  /** Returns of payouts and transfers that were booked. */
  readonly returned: number;
  /** Payouts that had FAILED here and were sent after all. */
  readonly revived: number;
  /** Transfers that Recebe did not order, each counted by the round that first sees it. */
  readonly unknownSent: number;
}

/** Rounds of earlier releases had no sent transfers. */
export type ListedRound = ListedPayments & Partial<ListedTransfers>;

/** The result as Markdown text. */
export function listedText(listed: ListedRound): string {
  const { accounts, failed, taken, unknown, disputed = 0, takenBack = 0 } = listed;
  const { sentFailed = 0, returned = 0, revived = 0, unknownSent = 0 } = listed;
  return `Polled **${accounts}** accounts, of which **${failed}** failed: **${taken}** payments without a notification, **${unknown}** without a charge, **${disputed}** disputes; **${takenBack}** unstored charges cancelled. Sent Pix: **${returned}** returned, **${revived}** that had failed here, **${unknownSent}** not ordered here; **${sentFailed}** accounts failed.`;
}
