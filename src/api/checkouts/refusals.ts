import type { PaymentRefusalReason } from '../../checkouts/payment-refusal.ts';
import { type ApiError, brokenRule, fieldError } from '../frame/errors.ts';
import { noPaymentProvider } from '../frame/require-provider.ts';
import { BOLETO_NEEDS_TAX_ID } from '../transparents/create-charge.ts';

type Answer = readonly [path: string | null, message: string];

/**
 * Refusals with an error code of their own, and one that only a page can cause. All others are rules with the same name.
 */
type WithCode = 'PAYER_TAX_ID_INVALID' | 'NO_PAYMENT_PROVIDER' | 'CARD_TOTAL_CHANGED';

/** How `checkouts/simulate-payment` describes a payment that cannot start. */
const ANSWERS: Readonly<Record<Exclude<PaymentRefusalReason, WithCode>, Answer>> = {
  NOT_OPEN: [null, 'The checkout has ended and can no longer be paid'],
  METHOD_NOT_POSSIBLE: ['method', 'is not possible with the provider accounts of this store'],
  METHOD_NOT_OFFERED: ['method', 'is not one of the methods of the checkout'],
  COUPON_NOT_VALID: ['coupon', 'is not an active coupon of the checkout'],
  COUPON_OUTSIDE_VALIDITY: ['coupon', 'is not valid yet, or no longer valid'],
  COUPON_EXHAUSTED: ['coupon', 'has no use left'],
  COUPON_HELD_BY_BOLETOS: ['coupon', 'is reserved by unpaid boletos up to their limit'],
  INSTALLMENTS_NOT_OFFERED: ['installments', 'are more than the checkout offers for this total'],
  PAYER_NAME_REQUIRED: ['payer.name', 'is required for this payment'],
  PAYER_TAX_ID_REQUIRED: ['payer.taxId', 'is required for this payment'],
  CARD_REQUIRED: ['card', 'is required'],
  CARD_NUMBER_INVALID: ['card.number', 'must be a card number, such as 4242 4242 4242 4242'],
  CARD_HOLDER_REQUIRED: ['card', 'needs a holder'],
  CARD_EXPIRY_INVALID: ['card', 'has expired'],
  CARD_CVV_INVALID: ['card', 'has a wrong security code'],
  CARD_NOT_ACCEPTED: ['card.number', 'must be one of the test cards in dev mode'],
  TOO_MANY_ATTEMPTS: ['card', 'was declined too often; try again in an hour'],
  BELOW_BOLETO_MINIMUM: ['method', 'BOLETO needs a higher total'],
  ABOVE_BOLETO_MAXIMUM: ['method', 'BOLETO needs a lower total at this provider'],
  PAYER_EMAIL_REQUIRED: ['payer.email', 'is required for a boleto at this provider'],
  PAYER_ADDRESS_REQUIRED: ['payer', 'has no address, which a boleto at this provider needs'],
  STORE_WITHOUT_TAX_ID: ['method', BOLETO_NEEDS_TAX_ID],
};

/** The refusal as an API error. Never repeats the card number. */
export function refusalError(reason: PaymentRefusalReason): ApiError {
  if (reason === 'NO_PAYMENT_PROVIDER') return noPaymentProvider();
  if (reason === 'CARD_TOTAL_CHANGED') throw new Error('no page showed the payer a total');
  if (reason === 'PAYER_TAX_ID_INVALID')
    return fieldError(422, 'INVALID_TAX_ID', 'payer.taxId', 'must be a CPF or CNPJ with right check digits');
  const [path, message] = ANSWERS[reason];
  return brokenRule(reason, path, message);
}
