import type { PaymentRefusalReason } from '../../payments/payment-refusal.ts';
import { ApiError, type ErrorCode, fieldError } from '../frame/errors.ts';
import { BOLETO_NEEDS_TAX_ID } from '../transparents/create-charge.ts';

type Answer = readonly [path: string | null, code: ErrorCode, message: string];

/** How `checkouts/simulate-payment` answers a payment that cannot be begun. */
const ANSWERS: Readonly<Record<PaymentRefusalReason, Answer>> = {
  NOT_OPEN: [null, 'INVALID_STATE', 'The checkout has ended and can no longer be paid'],
  METHOD_NOT_OFFERED: ['method', 'NOT_ACCEPTABLE', 'is not one of the methods of the checkout'],
  COUPON_NOT_VALID: ['coupon', 'COUPON_NOT_ACCEPTED', 'is not an active coupon of the checkout'],
  COUPON_EXHAUSTED: ['coupon', 'COUPON_NOT_ACCEPTED', 'has no use left'],
  COUPON_HELD_BY_BOLETOS: ['coupon', 'COUPON_NOT_ACCEPTED', 'is held by unpaid boletos as far as it may be'],
  INSTALLMENTS_NOT_OFFERED: [
    'installments',
    'NOT_ACCEPTABLE',
    'are more than the checkout offers for this total',
  ],
  PAYER_NAME_REQUIRED: ['payer.name', 'NOT_ACCEPTABLE', 'is required for a boleto'],
  PAYER_TAX_ID_REQUIRED: ['payer.taxId', 'NOT_ACCEPTABLE', 'is required for a boleto'],
  PAYER_TAX_ID_INVALID: ['payer.taxId', 'INVALID_TAX_ID', 'must be a CPF or CNPJ with right check digits'],
  CARD_REQUIRED: ['card', 'NOT_ACCEPTABLE', 'is required'],
  CARD_NUMBER_INVALID: [
    'card.number',
    'CARD_NOT_ACCEPTED',
    'must be a card number, such as 4242424242424242',
  ],
  CARD_HOLDER_REQUIRED: ['card', 'CARD_NOT_ACCEPTED', 'needs a holder'],
  CARD_EXPIRY_INVALID: ['card', 'CARD_NOT_ACCEPTED', 'has expired'],
  CARD_CVV_INVALID: ['card', 'CARD_NOT_ACCEPTED', 'has a wrong security code'],
  CARD_NOT_ACCEPTED: ['card.number', 'CARD_NOT_ACCEPTED', 'must be one of the test cards in dev mode'],
  TOO_MANY_ATTEMPTS: ['card', 'CARD_NOT_ACCEPTED', 'was declined too often; try again in an hour'],
  BELOW_BOLETO_MINIMUM: ['method', 'NOT_ACCEPTABLE', 'BOLETO needs a total of at least 300 cents'],
  STORE_WITHOUT_TAX_ID: ['method', 'NOT_ACCEPTABLE', BOLETO_NEEDS_TAX_ID],
  NO_PAYMENT_PROVIDER: [null, 'NO_PAYMENT_PROVIDER', 'No payment provider configured'],
};

/** The refusal as integrators are told it; the card's number is never repeated. */
export function refusalError(reason: PaymentRefusalReason): ApiError {
  const [path, code, message] = ANSWERS[reason];
  return path === null ? new ApiError(422, code, message) : fieldError(422, code, path, message);
}
