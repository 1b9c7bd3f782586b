import type { AttentionKind } from '../../../domain/attention.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';

/** The texts for `src/domain/attention.ts`, whose own are for operators on the command line. */
const WORDS: Readonly<Record<AttentionKind, readonly [what: MessageKey, why: MessageKey]>> = {
  RETURN_REFUSED: ['dashboard.attention.returnRefused.what', 'dashboard.attention.returnRefused.why'],
  NO_PROVIDER: ['dashboard.attention.noProvider.what', 'dashboard.attention.noProvider.why'],
  CYCLE_CODE_REFUSED: [
    'dashboard.attention.cycleCodeRefused.what',
    'dashboard.attention.cycleCodeRefused.why',
  ],
  CERTIFICATE_ENDS: ['dashboard.attention.certificateEnds.what', 'dashboard.attention.certificateEnds.why'],
  KEY_EXPIRES: ['dashboard.attention.keyExpires.what', 'dashboard.attention.keyExpires.why'],
  PROVIDER_REFUSES: ['dashboard.attention.providerRefuses.what', 'dashboard.attention.providerRefuses.why'],
  PROVIDER_AWAY: ['dashboard.attention.providerAway.what', 'dashboard.attention.providerAway.why'],
  UNKNOWN_PAYMENT: ['dashboard.attention.unknownPayment.what', 'dashboard.attention.unknownPayment.why'],
  PAYMENT_NOT_FOUND: ['dashboard.attention.paymentNotFound.what', 'dashboard.attention.paymentNotFound.why'],
  UNREADABLE_PAYMENT: [
    'dashboard.attention.unreadablePayment.what',
    'dashboard.attention.unreadablePayment.why',
  ],
  PAYOUT_MISMATCH: ['dashboard.attention.payoutMismatch.what', 'dashboard.attention.payoutMismatch.why'],
  PAYOUT_IN_DOUBT: ['dashboard.attention.payoutInDoubt.what', 'dashboard.attention.payoutInDoubt.why'],
  PAYOUT_REVIVED: ['dashboard.attention.payoutRevived.what', 'dashboard.attention.payoutRevived.why'],
  PAYOUT_UNDONE: ['dashboard.attention.payoutUndone.what', 'dashboard.attention.payoutUndone.why'],
  REFUND_REVIVED: ['dashboard.attention.refundRevived.what', 'dashboard.attention.refundRevived.why'],
  PAYMENT_TAKEN_TWICE: [
    'dashboard.attention.paymentTakenTwice.what',
    'dashboard.attention.paymentTakenTwice.why',
  ],
  REFUND_REQUESTED: ['dashboard.attention.refundRequested.what', 'dashboard.attention.refundRequested.why'],
  EVIDENCE_NOT_SENT: ['dashboard.attention.evidenceNotSent.what', 'dashboard.attention.evidenceNotSent.why'],
  CARD_NOT_ERASED: ['dashboard.attention.cardNotErased.what', 'dashboard.attention.cardNotErased.why'],
  NFSE_REJECTED: ['dashboard.attention.nfseRejected.what', 'dashboard.attention.nfseRejected.why'],
  NFSE_NOT_CANCELLED: [
    'dashboard.attention.nfseNotCancelled.what',
    'dashboard.attention.nfseNotCancelled.why',
  ],
  SENT_NOT_LISTED: ['dashboard.attention.sentNotListed.what', 'dashboard.attention.sentNotListed.why'],
  UNKNOWN_TRANSFER: ['dashboard.attention.unknownTransfer.what', 'dashboard.attention.unknownTransfer.why'],
  NEGATIVE_BALANCE: ['dashboard.attention.negativeBalance.what', 'dashboard.attention.negativeBalance.why'],
  BANK_DIFFERENCE: ['dashboard.attention.bankDifference.what', 'dashboard.attention.bankDifference.why'],
  LEDGER_DRIFT: ['dashboard.attention.ledgerDrift.what', 'dashboard.attention.ledgerDrift.why'],
  AUDIT_LOG_BROKEN: ['dashboard.attention.auditLogBroken.what', 'dashboard.attention.auditLogBroken.why'],
  CHARGE_OVERDUE: ['dashboard.attention.chargeOverdue.what', 'dashboard.attention.chargeOverdue.why'],
  CHECKOUT_OVERDUE: ['dashboard.attention.checkoutOverdue.what', 'dashboard.attention.checkoutOverdue.why'],
  SUBSCRIPTION_OVERDUE: [
    'dashboard.attention.subscriptionOverdue.what',
    'dashboard.attention.subscriptionOverdue.why',
  ],
  DEBIT_OVERDUE: ['dashboard.attention.debitOverdue.what', 'dashboard.attention.debitOverdue.why'],
  REFUND_OVERDUE: ['dashboard.attention.refundOverdue.what', 'dashboard.attention.refundOverdue.why'],
  RETURN_OVERDUE: ['dashboard.attention.returnOverdue.what', 'dashboard.attention.returnOverdue.why'],
  PAYOUT_OVERDUE: ['dashboard.attention.payoutOverdue.what', 'dashboard.attention.payoutOverdue.why'],
  DELIVERY_OVERDUE: ['dashboard.attention.deliveryOverdue.what', 'dashboard.attention.deliveryOverdue.why'],
  RESEND_OVERDUE: ['dashboard.attention.resendOverdue.what', 'dashboard.attention.resendOverdue.why'],
  SETTLEMENT_OVERDUE: [
    'dashboard.attention.settlementOverdue.what',
    'dashboard.attention.settlementOverdue.why',
  ],
  NOTICE_OVERDUE: ['dashboard.attention.noticeOverdue.what', 'dashboard.attention.noticeOverdue.why'],
};

/** What happened and why, in the reader's language. */
export function attentionWords(
  kind: AttentionKind,
  say: Say,
): { readonly what: string; readonly why: string } {
  const [what, why] = WORDS[kind];
  return { what: say(what), why: say(why) };
}
