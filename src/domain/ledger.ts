/**
 * The accounts of a store in one environment, in cents. `clearing` is the money at the provider. It equals the sum
 * of the other accounts: the store's money, which is pending, available or blocked; outgoing money (`outgoing`),
 * which is reserved until the provider has confirmed it; the platform's fees; and two kinds of money that never belong
 * to the store: what must be returned to its payer (`suspense`), and what its sub-accounts hold. Hence clearing =
 * pending + available + blocked + outgoing + fees + suspense + sub-accounts, for every movement and for all of them (a
 * check constraint).
 */
export interface LedgerAmounts {
  readonly clearingCents: number;
  readonly pendingCents: number;
  readonly availableCents: number;
  readonly blockedCents: number;
  readonly outgoingCents: number;
  readonly platformFeesCents: number;
  readonly suspenseCents: number;
  readonly subAccountsCents: number;
}

/** Why money moved. Kind and subject id identify a movement, so each is written once. */
export const MOVEMENT_KINDS = [
  'PAYMENT',
  'SETTLEMENT',
  'REFUND_RESERVED',
  'REFUND_COMPLETED',
  'REFUND_FAILED',
  'DISPUTE_OPENED',
  'DISPUTE_WON',
  'DISPUTE_LOST',
  /** The provider's fee for a dispute. The subject is the fee. */
  'DISPUTE_FEE',
  'DISPUTE_FEE_RETURNED',
  /** A dispute, or a refund that the bank made, took more than the payment still held. The subject is the taking. */
  'EXCESS_TAKEN',
  'EXCESS_RETURNED',
  'PAYOUT_RESERVED',
  'PAYOUT_COMPLETED',
  'PAYOUT_FAILED',
  /** The provider carried out a refund that had FAILED here. */
  'REFUND_REVIVED',
  'PAYOUT_REVIVED',
  /** The payee's bank sent it back. The subject is the return. */
  'PAYOUT_RETURNED',
  'RETURN_RESERVED',
  /** Only in earlier releases: a return had no movement unless it was refused. */
  'RETURN_REFUSED',
  'RETURN_SETTLED',
  /** A part of a payment in suspense was returned before the rest. The subject is the part. */
  'RETURN_PART_SETTLED',
  /** A store moved money between two of its accounts at the banks themselves: out of one of them, and into the other. */
  'MOVED_OUT',
  'MOVED_IN',
  /** Between the store's available balance and one of its sub-accounts. The subject is the sub-account's entry. */
  'SUB_ACCOUNT_CREDITED',
  'SUB_ACCOUNT_DEBITED',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** The accounts of a store's own money, whose sums are its balance. */
export const STATEMENT_ACCOUNTS = ['AVAILABLE', 'PENDING', 'BLOCKED'] as const;
export type StatementAccount = (typeof STATEMENT_ACCOUNTS)[number];

/**
 * The movements that change one of these accounts; all others are between the provider and someone else. A move
 * between two provider accounts does not change the store's money, and is not in its statement.
 */
export const STATEMENT_KINDS = [
  'PAYMENT',
  'SETTLEMENT',
  'REFUND_RESERVED',
  'REFUND_FAILED',
  'DISPUTE_OPENED',
  'DISPUTE_WON',
  'DISPUTE_LOST',
  'DISPUTE_FEE',
  'DISPUTE_FEE_RETURNED',
  'EXCESS_TAKEN',
  'EXCESS_RETURNED',
  'PAYOUT_RESERVED',
  'PAYOUT_FAILED',
  'REFUND_REVIVED',
  'PAYOUT_REVIVED',
  'PAYOUT_RETURNED',
  'SUB_ACCOUNT_CREDITED',
  'SUB_ACCOUNT_DEBITED',
] as const satisfies readonly MovementKind[];
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** A payment, or the part of one that is reversed, as the ledger sees it. */
export interface TakenMoney {
  readonly paidCents: number;
  readonly feeCents: number;
  /** Whether the store's share is already available. */
  readonly isSettled: boolean;
  /**
   * The part of the store's share that is pending, if only a part of the charge has settled: its provider pays installments one by
   * one. Absent if all of it is where {@link isSettled} says.
   */
  readonly pendingCents?: number;
}

/** Money that is sent out of the store's balance. */
export interface SentMoney {
  readonly amountCents: number;
  readonly feeCents: number;
}

/** The money of a payout or transfer. */
export function sentMoneyOf({
  amountCents,
  platformFeeCents,
}: {
  readonly amountCents: number;
  readonly platformFeeCents: number;
}): SentMoney {
  return { amountCents, feeCents: platformFeeCents };
}

const NOTHING: LedgerAmounts = {
  clearingCents: 0,
  pendingCents: 0,
  availableCents: 0,
  blockedCents: 0,
  outgoingCents: 0,
  platformFeesCents: 0,
  suspenseCents: 0,
  subAccountsCents: 0,
};

/** The store's share of a payment. Negative if the fee exceeds the payment. */
export function netCentsOf({ paidCents, feeCents }: Omit<TakenMoney, 'isSettled'>): number {
  return paidCents - feeCents;
}

/** A payment arrived. */
export function paymentAmounts(taken: TakenMoney): LedgerAmounts {
  const { paidCents, feeCents } = taken;
  return { ...NOTHING, clearingCents: paidCents, ...share(taken, 1), platformFeesCents: feeCents };
}

/** Pending money becomes available (contract section 4, "Settlement"). */
export function settlementAmounts(taken: Omit<TakenMoney, 'isSettled'>): LedgerAmounts {
  return { ...NOTHING, pendingCents: -netCentsOf(taken), availableCents: netCentsOf(taken) };
}

/**
 * A refund begins: the payment, or a part of it, is reserved. The platform refunds its fee, so a refund costs the
 * store nothing.
 */
export function refundReservedAmounts(taken: TakenMoney): LedgerAmounts {
  return {
    ...NOTHING,
    ...share(taken, -1),
    platformFeesCents: -taken.feeCents,
    outgoingCents: taken.paidCents,
  };
}

/** The payer has the money back. */
export function refundCompletedAmounts({ paidCents }: TakenMoney): LedgerAmounts {
  return { ...NOTHING, clearingCents: -paidCents, outgoingCents: -paidCents };
}

/** The provider refused: the refund is undone, except that the payment may have settled meanwhile. */
export function refundFailedAmounts(taken: TakenMoney): LedgerAmounts {
  return {
    ...NOTHING,
    ...share(taken, 1),
    platformFeesCents: taken.feeCents,
    outgoingCents: -taken.paidCents,
  };
}

/** A dispute is opened: the rest of the payment is blocked, including the platform's fee, until the decision. */
export function disputeOpenedAmounts(taken: TakenMoney): LedgerAmounts {
  return {
    ...NOTHING,
    ...share(taken, -1),
    platformFeesCents: -taken.feeCents,
    blockedCents: taken.paidCents,
  };
}

/** The store won: the dispute is undone, except that the payment may have settled meanwhile. */
export function disputeWonAmounts(taken: TakenMoney): LedgerAmounts {
  return {
    ...NOTHING,
    ...share(taken, 1),
    platformFeesCents: taken.feeCents,
    blockedCents: -taken.paidCents,
  };
}

/** The store lost, and the payer has the money back. */
export function disputeLostAmounts({ paidCents }: TakenMoney): LedgerAmounts {
  return { ...NOTHING, clearingCents: -paidCents, blockedCents: -paidCents };
}

/** A provider charged its fee for a dispute, or returned it (negative). It takes the store's money at once, settled or not. */
export function disputeFeeAmounts(chargedCents: number): LedgerAmounts {
  return { ...NOTHING, clearingCents: 0 - chargedCents, availableCents: 0 - chargedCents };
}

/**
 * A provider took more for a payment than it still held, or returned that (negative). Like its fee, it takes the store's
 * money at once: no part of the platform's fee belongs to it.
 */
export function excessAmounts(takenCents: number): LedgerAmounts {
  return disputeFeeAmounts(takenCents);
}

/** A payout or transfer is created: its money is reserved. */
export function payoutReservedAmounts({ amountCents, feeCents }: SentMoney): LedgerAmounts {
  return {
    ...NOTHING,
    availableCents: -(amountCents + feeCents),
    outgoingCents: amountCents,
    platformFeesCents: feeCents,
  };
}

/** The money has arrived where it was sent. */
export function payoutCompletedAmounts({ amountCents }: SentMoney): LedgerAmounts {
  return { ...NOTHING, clearingCents: -amountCents, outgoingCents: -amountCents };
}

/** It could not be sent: money and fee return to the store's balance. */
export function payoutFailedAmounts({ amountCents, feeCents }: SentMoney): LedgerAmounts {
  return {
    ...NOTHING,
    availableCents: amountCents + feeCents,
    outgoingCents: -amountCents,
    platformFeesCents: -feeCents,
  };
}

/** The provider returned a payment, or a part of it, although the refund had been booked as FAILED. */
export function refundRevivedAmounts(taken: TakenMoney): LedgerAmounts {
  return {
    ...NOTHING,
    ...share(taken, -1),
    clearingCents: -taken.paidCents,
    platformFeesCents: -taken.feeCents,
  };
}

/** The provider sent the money although the payout had been booked as FAILED. */
export function payoutRevivedAmounts({ amountCents, feeCents }: SentMoney): LedgerAmounts {
  return {
    ...NOTHING,
    clearingCents: -amountCents,
    availableCents: -(amountCents + feeCents),
    platformFeesCents: feeCents,
  };
}

/** The payee's bank sent money back. The platform keeps its fee for sending it. */
export function payoutReturnedAmounts(returnedCents: number): LedgerAmounts {
  return { ...NOTHING, clearingCents: returnedCents, availableCents: returnedCents };
}

/** An unaccepted payment is being returned: the provider owes it, and it does not belong to the store. */
export function returnReservedAmounts(paidCents: number): LedgerAmounts {
  return { ...NOTHING, clearingCents: paidCents, suspenseCents: paidCents };
}

/** The payment, or a part of it, has reached its payer: sent by the provider, or returned by hand. */
export function returnSettledAmounts(returnedCents: number): LedgerAmounts {
  return { ...NOTHING, clearingCents: -returnedCents, suspenseCents: -returnedCents };
}

/** A sub-account receives money of the store, or gives it to the store (negative). */
export function subAccountAmounts(receivedCents: number): LedgerAmounts {
  return { ...NOTHING, availableCents: 0 - receivedCents, subAccountsCents: receivedCents };
}

/** A store moved money to another of its provider accounts: one loses what the other gains. */
export function movedAmounts(amountCents: number): {
  readonly out: LedgerAmounts;
  readonly in: LedgerAmounts;
} {
  const into = { ...NOTHING, clearingCents: amountCents, availableCents: amountCents };
  return { out: { ...NOTHING, clearingCents: -amountCents, availableCents: -amountCents }, in: into };
}

/** The store's share of a payment, in the account where it lies. */
function share(taken: TakenMoney, sign: 1 | -1): Partial<LedgerAmounts> {
  const netCents = netCentsOf(taken);
  const { pendingCents = taken.isSettled ? 0 : netCents } = taken;
  return { pendingCents: sign * pendingCents + 0, availableCents: sign * (netCents - pendingCents) + 0 };
}
