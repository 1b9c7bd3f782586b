import type { RefundRefusal } from '../../../domain/reversal.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';

const REFUSALS: Readonly<Record<RefundRefusal, MessageKey>> = {
  TRANSACTION_NOT_REFUNDABLE: 'dashboard.payments.refusals.transactionNotRefundable',
  TRANSACTION_UNDER_DISPUTE: 'dashboard.payments.refusals.transactionUnderDispute',
  INVALID_METHOD: 'dashboard.payments.refusals.invalidMethod',
  REFUND_EXCEEDS_PAYMENT: 'dashboard.payments.refusals.refundExceedsPayment',
  INSUFFICIENT_FUNDS: 'dashboard.payments.refusals.insufficientFunds',
};

/** Why a refund was refused, as the end of a sentence. */
export function refundRefusalWords(refusal: RefundRefusal, say: Say): string {
  return say(REFUSALS[refusal]);
}
