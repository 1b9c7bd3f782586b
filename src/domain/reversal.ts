import type { ChargeStatus } from './charge.ts';
import type { TakenMoney } from './ledger.ts';

/**
 * REQUESTED by the integrator, PENDING once its money is set aside, COMPLETED when the payer has it back. A
 * refund that FAILED has changed nothing, and another one may follow.
 */
export const REFUND_STATUSES = ['REQUESTED', 'PENDING', 'COMPLETED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Who has a payment refunded: the store, by asking for it here, or its bank, where it was made there. */
export const REFUND_INITIATORS = ['STORE', 'BANK'] as const;
export type RefundInitiator = (typeof REFUND_INITIATORS)[number];

/** Why a charge is not refunded (contract section 4). The API answers with these codes. */
export const REFUND_REFUSALS = [
  'TRANSACTION_NOT_REFUNDABLE',
  'TRANSACTION_UNDER_DISPUTE',
  'INVALID_METHOD',
  'INSUFFICIENT_FUNDS',
  /** Ours, as amounts of refunds are. */
  'REFUND_EXCEEDS_PAYMENT',
] as const;
export type RefundRefusal = (typeof REFUND_REFUSALS)[number];

/**
 * Whether a charge as it is may be refunded: one that holds a payment, by a method that can return it.
 * @param ofMethod why payments by the charge's method are never refunded; null where they are.
 * @returns null where it may be.
 */
export function refundRefusalOf(status: ChargeStatus, ofMethod: RefundRefusal | null): RefundRefusal | null {
  if (ofMethod !== null) return ofMethod;
  if (status === 'UNDER_DISPUTE') return 'TRANSACTION_UNDER_DISPUTE';
  return status === 'PAID' ? null : 'TRANSACTION_NOT_REFUNDABLE';
}

/** A payment, or a part of one, and the platform's fee of it. */
export type PaymentPart = Omit<TakenMoney, 'isSettled'>;

/**
 * What the platform gives back with a part of a payment: the same part of its fee, rounded up, so that what the store
 * still has of a payment always covers what is left of it. With the last cent of the payment goes all that is left of
 * the fee, so that what goes back in parts costs what it costs at once.
 *
 * @param left what has not gone back yet.
 * @param amountCents at most what is left, in cents.
 */
export function feeOfPartCents(paid: PaymentPart, left: PaymentPart, amountCents: number): number {
  if (amountCents === left.paidCents) return left.feeCents;
  const paidCents = BigInt(paid.paidCents);
  const share = (BigInt(paid.feeCents) * BigInt(amountCents) + paidCents - 1n) / paidCents;
  return Math.min(Number(share), left.feeCents);
}

/**
 * What is back with the payer, in cents. Releases before 0032 took back all or nothing, and counted nothing.
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
 * The payer's bank or card network questions a payment, and decides in the end for the store (WON) or the
 * payer (LOST).
 */
export const DISPUTE_STATUSES = ['OPEN', 'WON', 'LOST'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
