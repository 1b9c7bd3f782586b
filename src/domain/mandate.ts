/** UNKNOWN: a status of a later version of the provider, which ends nothing. */
export const MANDATE_STATUSES = ['PENDING', 'ACTIVE', 'REJECTED', 'EXPIRED', 'CANCELLED', 'UNKNOWN'] as const;
export type MandateStatus = (typeof MANDATE_STATUSES)[number];

/** Who ended a mandate. */
export const MANDATE_ENDERS = ['PAYER', 'PAYER_BANK', 'RECEIVER', 'RECEIVER_BANK'] as const;
export type MandateEnder = (typeof MANDATE_ENDERS)[number];

/** FIXED: every debit is of one amount. VARIABLE: each names its own. */
export const MANDATE_AMOUNT_KINDS = ['FIXED', 'VARIABLE'] as const;
export type MandateAmountKind = (typeof MANDATE_AMOUNT_KINDS)[number];

/**
 * What happens to a subscription whose payer ends the authorization. CODE: a code per cycle, as without one. CANCEL: it ends, as at
 * AbacatePay.
 */
export const MANDATE_ENDS = ['CANCEL', 'CODE'] as const;
export type MandateEnd = (typeof MANDATE_ENDS)[number];

/** The reason of a subscription that ended with its authorization: AbacatePay's word. */
export const AUTHORIZATION_REFUSED = 'pix_automatic_authorization_refused';

export function hasMandateEnded(status: MandateStatus): boolean {
  return status === 'REJECTED' || status === 'EXPIRED' || status === 'CANCELLED';
}
