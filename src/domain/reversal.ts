import type { ChargeStatus } from './charge.ts';
import type { TakenMoney } from './ledger.ts';

/**
 * REQUESTED by the integrator, PENDING once its money is reserved, COMPLETED when the payer has the money. A FAILED
 * refund has no effect, and another one may follow.
 */
export const REFUND_STATUSES = ['REQUESTED', 'PENDING', 'COMPLETED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Who initiated a refund: the store through Recebe, or its bank. */
export const REFUND_INITIATORS = ['STORE', 'BANK'] as const;
export type RefundInitiator = (typeof REFUND_INITIATORS)[number];

/** Why a charge is not refunded (contract section 4). The API answers with these codes. */
export const REFUND_REFUSALS = [
  'TRANSACTION_NOT_REFUNDABLE',
  'TRANSACTION_UNDER_DISPUTE',
  'INVALID_METHOD',
  'INSUFFICIENT_FUNDS',
  /** Recebe's own, like amounts of refunds. */
  'REFUND_EXCEEDS_PAYMENT',
] as const;
export type RefundRefusal = (typeof REFUND_REFUSALS)[number];

/**
 * Whether a charge may be refunded: it holds a payment, and its method supports refunds.
 * @param ofMethod why payments by the charge's method are never refunded; null if they can be.
 * @returns null if it may be refunded.
 */
export function refundRefusalOf(status: ChargeStatus, ofMethod: RefundRefusal | null): RefundRefusal | null {
  if (ofMethod !== null) return ofMethod;
  if (status === 'UNDER_DISPUTE') return 'TRANSACTION_UNDER_DISPUTE';
  return status === 'PAID' ? null : 'TRANSACTION_NOT_REFUNDABLE';
}

/** A payment, or a part of one, and its platform fee. */
export type PaymentPart = Omit<TakenMoney, 'isSettled' | 'pendingCents'>;

/**
 * The fee refunded with a part of a payment: the same share of the fee, rounded up, so that the store's money
 * always covers the rest of the payment. The last part refunds the rest of the fee, so that partial refunds cost as
 * much as a full one.
 *
 * @param left what is not refunded yet.
 * @param amountCents at most what is left, in cents.
 */
export function feeOfPartCents(paid: PaymentPart, left: PaymentPart, amountCents: number): number {
  if (amountCents === left.paidCents) return left.feeCents;
  const paidCents = BigInt(paid.paidCents);
  const share = (BigInt(paid.feeCents) * BigInt(amountCents) + paidCents - 1n) / paidCents;
  return Math.min(Number(share), left.feeCents);
}

/**
 * The amount that the payer has received back, in cents. Releases before 0032 refunded all or nothing, and stored
 * no amount.
 */
export function refundedCentsOf({
  status,
  paidAmountCents,
  refundedCents,
}: {
  readonly status: ChargeStatus;
  readonly paidAmountCents: number | null;
  readonly refundedCents: number;
}): number {
  return status === 'REFUNDED' ? (paidAmountCents ?? 0) : refundedCents;
}

/**
 * The payer's bank or card network disputes a payment, and finally decides for the store (WON) or the payer (LOST).
 * Before that, a card's issuer may ask about a payment: an INQUIRY moves no money, and ends as INQUIRY_CLOSED or as a
 * dispute that is OPEN.
 */
export const DISPUTE_STATUSES = ['INQUIRY', 'INQUIRY_CLOSED', 'OPEN', 'WON', 'LOST'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The statuses of an inquiry. No money has moved. */
export const INQUIRY_STATUSES = ['INQUIRY', 'INQUIRY_CLOSED'] as const satisfies readonly DisputeStatus[];
export type InquiryStatus = (typeof INQUIRY_STATUSES)[number];

export function isInquiry(status: DisputeStatus): status is InquiryStatus {
  return (INQUIRY_STATUSES as readonly DisputeStatus[]).includes(status);
}

/** Whether an undecided dispute or inquiry waits for the store's evidence, or for the decision of the payer's bank. */
export const DISPUTE_STAGES = ['NEEDS_RESPONSE', 'UNDER_REVIEW'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];
