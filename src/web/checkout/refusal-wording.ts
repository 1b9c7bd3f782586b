import type { PaymentRefusalReason } from '../../checkouts/payment-refusal.ts';
import type { FieldProblem } from './pay-form-data.ts';

/**
 * Why a form is shown again: a reason of the application, or one of the page only. The page requires a valid email address so
 * that the merchant can write to it, its coupon button may be pressed without a code, and a provider's card fields need script.
 */
export type FormProblem =
  | PaymentRefusalReason
  | 'EMAIL_INVALID'
  | 'STREET_MISSING'
  | 'CITY_MISSING'
  | 'STATE_MISSING'
  | 'ZIP_CODE_WRONG'
  | 'COUPON_MISSING'
  | 'CARD_FIELDS_EMPTY'
  /** Only wallets are offered, and none was used. */
  | 'WALLET_NOT_USED';

/** The payer's text if a payment could not start, and the field it refers to. Nothing was charged. */
export const REFUSAL_WORDING: Readonly<Record<FormProblem, FieldProblem>> = {
  NOT_OPEN: { field: null, message: 'checkout.thisOrderNoLongerAccepts' },
  METHOD_NOT_OFFERED: { field: 'method', message: 'checkout.chooseAPaymentMethod' },
  METHOD_NOT_POSSIBLE: {
    field: 'method',
    message: 'checkout.thisPaymentMethodIsNot',
  },
  COUPON_NOT_VALID: { field: 'coupon', message: 'checkout.thisCouponDoesNotExist' },
  COUPON_OUTSIDE_VALIDITY: { field: 'coupon', message: 'checkout.thisCouponIsNotValidToday' },
  COUPON_EXHAUSTED: {
    field: 'coupon',
    message: 'checkout.thisCouponIsUsedUp',
  },
  COUPON_HELD_BY_BOLETOS: {
    field: 'method',
    message: 'checkout.thisCouponIsReservedBy',
  },
  INSTALLMENTS_NOT_OFFERED: { field: 'installments', message: 'checkout.chooseOneOfTheInstallment' },
  CARD_TOTAL_CHANGED: { field: null, message: 'checkout.theCardTotalChanged' },
  PAYER_NAME_REQUIRED: { field: 'payerName', message: 'checkout.enterThePayersName' },
  PAYER_TAX_ID_REQUIRED: {
    field: 'payerTaxId',
    message: 'checkout.enterThePayersTaxId',
  },
  PAYER_TAX_ID_INVALID: { field: 'payerTaxId', message: 'checkout.checkTheCpfOrCnpj' },
  CARD_REQUIRED: { field: 'cardNumber', message: 'checkout.enterTheCardNumber' },
  CARD_FIELDS_EMPTY: { field: 'cardNumber', message: 'checkout.cardNeedsScript' },
  WALLET_NOT_USED: { field: 'cardNumber', message: 'checkout.payThroughAWallet' },
  CARD_NUMBER_INVALID: {
    field: 'cardNumber',
    message: 'checkout.checkTheCardNumberADigit',
  },
  CARD_HOLDER_REQUIRED: { field: 'cardHolder', message: 'checkout.enterTheNameAsIt' },
  CARD_EXPIRY_INVALID: {
    field: 'cardExpiry',
    message: 'checkout.checkTheExpiryDate',
  },
  CARD_CVV_INVALID: { field: 'cardCvv', message: 'checkout.checkTheSecurityCode' },
  CARD_NOT_ACCEPTED: { field: 'cardNumber', message: 'checkout.thisCardIsNotAccepted' },
  TOO_MANY_ATTEMPTS: {
    field: 'method',
    message: 'checkout.thereWereTooManyCard',
  },
  BELOW_BOLETO_MINIMUM: {
    field: 'method',
    message: 'checkout.theAmountIsTooSmall',
  },
  ABOVE_BOLETO_MAXIMUM: {
    field: 'method',
    message: 'checkout.theAmountIsTooLarge',
  },
  PAYER_EMAIL_REQUIRED: { field: 'payerEmail', message: 'checkout.toPayByBoletoEnterTheEmail' },
  PAYER_ADDRESS_REQUIRED: { field: 'payerStreet', message: 'checkout.toPayByBoletoEnterTheAddress' },
  STORE_WITHOUT_TAX_ID: {
    field: 'method',
    message: 'checkout.thisStoreDoesNotAccept',
  },
  NO_PAYMENT_PROVIDER: {
    field: null,
    message: 'checkout.thisStoreDoesNotAcceptPayments',
  },
  EMAIL_INVALID: {
    field: 'payerEmail',
    message: 'checkout.checkTheEMailAddress',
  },
  STREET_MISSING: { field: 'payerStreet', message: 'checkout.enterTheStreet' },
  CITY_MISSING: { field: 'payerCity', message: 'checkout.enterTheCity' },
  STATE_MISSING: { field: 'payerState', message: 'checkout.chooseTheState' },
  ZIP_CODE_WRONG: { field: 'payerZipCode', message: 'checkout.checkTheZipCode' },
  COUPON_MISSING: { field: 'coupon', message: 'checkout.typeTheCodeOfThe' },
};

export function isFormProblem(text: string): text is FormProblem {
  return Object.hasOwn(REFUSAL_WORDING, text);
}
