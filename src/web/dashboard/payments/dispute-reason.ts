import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';

/** The reasons of card disputes, by Stripe's words (docs.stripe.com/api/disputes/object) and by Asaas'. */
const REASONS = new Map<string, MessageKey>([
  ['fraudulent', 'dashboard.payments.disputeReasons.fraud'],
  ['FRAUD', 'dashboard.payments.disputeReasons.fraud'],
  ['CARD_FRAUD', 'dashboard.payments.disputeReasons.fraud'],
  ['ABSENT_CARD_FRAUD', 'dashboard.payments.disputeReasons.fraud'],
  ['unrecognized', 'dashboard.payments.disputeReasons.unrecognized'],
  ['duplicate', 'dashboard.payments.disputeReasons.duplicate'],
  ['product_not_received', 'dashboard.payments.disputeReasons.notReceived'],
  ['SERVICE_NOT_RECEIVED', 'dashboard.payments.disputeReasons.notReceived'],
  ['product_unacceptable', 'dashboard.payments.disputeReasons.notAsDescribed'],
  ['SERVICE_DISAGREEMENT_OR_DEFECTIVE_PRODUCT', 'dashboard.payments.disputeReasons.notAsDescribed'],
  ['credit_not_processed', 'dashboard.payments.disputeReasons.refundMissing'],
  ['SALE_CANCELED', 'dashboard.payments.disputeReasons.refundMissing'],
  ['subscription_canceled', 'dashboard.payments.disputeReasons.subscriptionCancelled'],
  ['RECURRENCE_CANCELED', 'dashboard.payments.disputeReasons.subscriptionCancelled'],
  ['general', 'dashboard.payments.disputeReasons.other'],
]);

/** Why a payer disputes a payment, in the reader's language. What a payer or a bank has written is shown as it is. */
export function disputeReason(reason: string, say: Say): string {
  const key = REASONS.get(reason);
  return key === undefined ? reason : say(key);
}
