import type { ChargeStatus } from './charge.ts';

/**
 * REQUESTED by the integrator, PENDING once its money is set aside, COMPLETED when the payer has it back. A
 * refund that FAILED has changed nothing, and another one may follow.
 */
export const REFUND_STATUSES = ['REQUESTED', 'PENDING', 'COMPLETED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a charge is not refunded (contract section 4). The API answers with these codes. */
export const REFUND_REFUSALS = [
  'TRANSACTION_NOT_REFUNDABLE',
  'TRANSACTION_UNDER_DISPUTE',
  'INVALID_METHOD',
  'INSUFFICIENT_FUNDS',
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

/**
 * The payer's bank or card network questions a payment, and decides in the end for the store (WON) or the
 * payer (LOST).
 */
export const DISPUTE_STATUSES = ['OPEN', 'WON', 'LOST'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
