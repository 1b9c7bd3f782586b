/** What moves the money of an account at a provider. ADJUSTMENT stands for everything else. */
export const STATEMENT_KINDS = ['PAYMENT', 'REFUND', 'DISPUTE', 'FEE', 'ADJUSTMENT', 'PAYOUT'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** One line of a provider's books. */
export interface StatementEntry {
  /** The provider's id. */
  readonly id: string;
  readonly kind: StatementKind;
  /** Cents before the fee; negative if the money leaves the account. */
  readonly amountCents: number;
  /** Cents that the provider keeps for it; negative if it returns a fee. */
  readonly feeCents: number;
  /** The provider's id of the payment that it is about; null if it is about none. */
  readonly providerPaymentId: string | null;
  /** 1 for the first; null if the provider books the whole payment at once. */
  readonly installmentNumber: number | null;
  /** Whether Recebe requested the payment; false for other programs at the same account, and if the entry does not say. */
  readonly isOurs: boolean;
  /** The account's balance after this entry, in cents; null if the provider does not name it. */
  readonly balanceAfterCents: number | null;
}

/** The sums of a day, in cents. Refunds, disputes and payouts are negative: they leave the account. */
export interface StatementTotals {
  readonly grossCents: number;
  readonly refundCents: number;
  readonly disputeCents: number;
  readonly adjustmentCents: number;
  /** What the provider kept: of each entry, and as entries of their own. Positive. */
  readonly feeCents: number;
  readonly payoutCents: number;
  /** What the day added to the balance, before payouts: gross, refunds, disputes and adjustments, less fees. */
  readonly netCents: number;
  /** The account's balance after the last entry; null if the provider does not name it, or booked nothing. */
  readonly balanceCents: number | null;
}

/** The sums of entries. An entry of a fee is one: its amount is what the provider keeps. */
export function statementTotalsOf(entries: readonly StatementEntry[]): StatementTotals {
  const sumOf = (kind: StatementKind) =>
    entries.reduce((sum, entry) => (entry.kind === kind ? sum + entry.amountCents : sum), 0);
  const grossCents = sumOf('PAYMENT');
  const refundCents = sumOf('REFUND');
  const disputeCents = sumOf('DISPUTE');
  const adjustmentCents = sumOf('ADJUSTMENT');
  const feeCents = entries.reduce((sum, entry) => sum + entry.feeCents, 0) - sumOf('FEE');
  const netCents = grossCents + refundCents + disputeCents + adjustmentCents - feeCents;
  const payoutCents = sumOf('PAYOUT');
  const balanceCents = entries.at(-1)?.balanceAfterCents ?? null;
  return {
    ...{ grossCents, refundCents, disputeCents, adjustmentCents, feeCents, payoutCents, netCents },
    balanceCents,
  };
}
