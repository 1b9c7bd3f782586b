import type { Charge } from '../../database/entities/charge.ts';
import type { DeclineReason } from '../../domain/card.ts';
import { say } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';

/**
 * The payer's text for a declined card. Suspected fraud reads like any other decline: the reader may be the card's owner, or a
 * fraudster who must not learn what was detected.
 */
const WORDING: Readonly<Record<DeclineReason, MessageKey>> = {
  card_declined: 'checkout.theCardIssuerDidNot',
  suspected_fraud: 'checkout.theCardIssuerDidNot',
  insufficient_funds: 'checkout.theCardLacksTheLimit',
  incorrect_cvc: 'checkout.theSecurityCodeIsWrong',
  expired_card: 'checkout.theCardHasExpired',
  processing_error: 'checkout.theCardIssuerCouldNot',
  authentication_required: 'checkout.yourBankAskedYouToConfirm',
  authentication_failed: 'checkout.yourBankDidNotConfirm',
};

/** Subscriptions cannot be paid in installments. */
const NO_FUNDS_UNDIVIDED: MessageKey = 'checkout.theCardLacksTheLimitOr';

/** A charge without a card waited for its payer on the provider's page. */
const LEFT_PAGE: MessageKey = 'checkout.theTimeOnTheSecurePageIsOver';

/** Why a card payment failed, in the payer's words. @param canDivide whether installments could help. */
export function declineText(
  { failureReason: reason, cardLastFour }: Pick<Charge, 'failureReason' | 'cardLastFour'>,
  canDivide: boolean,
): string {
  if (reason === 'authentication_required' && cardLastFour === null) return say(LEFT_PAGE);
  if (reason === 'insufficient_funds' && !canDivide) return say(NO_FUNDS_UNDIVIDED);
  if (
    reason === null ||
    reason === 'pix_expired' ||
    reason === 'payment_cancelled' ||
    reason === 'debit_failed'
  )
    return say(WORDING.card_declined);
  return say(WORDING[reason]);
}
