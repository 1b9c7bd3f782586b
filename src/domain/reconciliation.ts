/** What an account that was removed has issued is paid, or goes back, until then (Bacen, Resolução 103: 90 days). */
export const LISTED_AFTER_REMOVAL_MS = 91 * 24 * 60 * 60 * 1_000;

/**
 * How long the run of a charge looks up a payment that its bank named and does not find. Then a person is asked, and the
 * rounds of listing look it up.
 */
export const LOOKED_UP_FOR_MS = 90 * 60 * 1_000;

/** What came of one round of asking providers what was paid. */
export interface ListedPayments {
  /** Accounts whose providers were asked. */
  readonly accounts: number;
  /** Accounts of which something could not be asked, or not be taken in; the next round does it again. */
  readonly failed: number;
  /** Payments of our charges that were not written yet. */
  readonly taken: number;
  /** Disputes that were opened or decided, and not written yet; releases before counted none. */
  readonly disputed?: number;
  /** Payments of no charge, each counted by the round that first sees it. */
  readonly unknown: number;
  /** Charges that banks had issued and nobody has stored; rounds of a release before know nothing of them. */
  readonly takenBack?: number;
}

/** What came of the same round's look at what was sent. */
export interface ListedTransfers {
  /** Accounts of which something could not be asked; the next round does it again. */
  readonly sentFailed: number;
  /** Returns of payouts and transfers that were booked. */
  readonly returned: number;
  /** Payouts that had FAILED here and were sent all the same. */
  readonly revived: number;
  /** Transfers that were not ordered here, each counted by the round that first sees it. */
  readonly unknownSent: number;
}

/** Rounds of the releases before knew nothing of what was sent. */
export type ListedRound = ListedPayments & Partial<ListedTransfers>;

/** The same in words, of Markdown. */
export function listedText(listed: ListedRound): string {
  const { accounts, failed, taken, unknown, disputed = 0, takenBack = 0 } = listed;
  const { sentFailed = 0, returned = 0, revived = 0, unknownSent = 0 } = listed;
  return `Asked **${accounts}** accounts, of which **${failed}** failed: **${taken}** payments that nobody had told, **${unknown}** of no charge, **${disputed}** disputes; **${takenBack}** charges taken back that nobody had stored. Of sent Pix **${returned}** came back, **${revived}** had failed here, **${unknownSent}** were not ordered here; **${sentFailed}** accounts failed.`;
}
