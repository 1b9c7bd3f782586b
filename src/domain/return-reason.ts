/**
 * Why a payment was not accepted, and so is returned to its payer in full (contract section 4.1):
 *
 * - `ALREADY_PAID`: the charge, its checkout or its cycle was paid before by another payment.
 * - `CANCELLED`: the charge, its checkout or its subscription was cancelled first.
 * - `PAID_LATE`: it was made after the deadline.
 * - `AMOUNT_TOO_LOW`: it was less than what was due.
 * - `RETURNED_AT_BANK`: its bank had returned it before Recebe could accept it.
 * - `NOT_PAYABLE`: the charge can no longer be paid for any other reason.
 */
export const RETURN_REASONS = [
  'ALREADY_PAID',
  'CANCELLED',
  'PAID_LATE',
  'AMOUNT_TOO_LOW',
  'RETURNED_AT_BANK',
  'NOT_PAYABLE',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];
