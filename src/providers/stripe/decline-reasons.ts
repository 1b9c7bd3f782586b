import type { DeclineReason } from '../../domain/card.ts';

/**
 * Stripe's codes (docs.stripe.com/declines/codes, docs.stripe.com/error-codes). A lost or stolen card is simply
 * declined: Stripe asks not to tell the payer.
 */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  card_velocity_exceeded: 'insufficient_funds',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  fraudulent: 'suspected_fraud',
  security_violation: 'suspected_fraud',
  processing_error: 'processing_error',
  issuer_not_available: 'processing_error',
  reenter_transaction: 'processing_error',
  try_again_later: 'processing_error',
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_failed',
};

/** The reason in Recebe's words. @param codes from the most specific one on. */
export function declineReasonOf(codes: readonly (string | null | undefined)[]): DeclineReason {
  const known = codes.find((code) => code != null && Object.hasOwn(REASONS, code));
  return (known != null && REASONS[known]) || 'card_declined';
}
