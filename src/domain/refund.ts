import type { ChargeMethod, ChargeStatus } from './charge.ts';

/**
 * REQUESTED by the integrator, PENDING once its money is set aside, COMPLETED when the payer has it back. A refund that FAILED
 * has changed nothing, and another one may follow.
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
 * Whether a charge as it is may be refunded: one that was paid by PIX or card. A boleto's payer is known by no account that
 * money could go back to. @returns null where it may be.
 */
export function refundRefusalOf(charge: {
  readonly method: ChargeMethod;
  readonly status: ChargeStatus;
}): RefundRefusal | null {
  if (charge.method === 'BOLETO') return 'INVALID_METHOD';
  if (charge.status === 'UNDER_DISPUTE') return 'TRANSACTION_UNDER_DISPUTE';
  if (charge.status !== 'PAID' || charge.method === 'FREE') return 'TRANSACTION_NOT_REFUNDABLE';
  return null;
}
