/** Why a payment cannot begin. Nothing has been stored then. */
export type PaymentRefusalReason =
  /** It was paid, expired or cancelled, or the upsell was already accepted. */
  | 'NOT_OPEN'
  | 'METHOD_NOT_OFFERED'
  /** No provider account of the store supports it any more. */
  | 'METHOD_NOT_POSSIBLE'
  /** Not one of the checkout's coupons, switched off, or deleted. */
  | 'COUPON_NOT_VALID'
  /** The cap is reached, or reserved by pending payments. */
  /** Before its validity begins, or after it ended. */
  | 'COUPON_OUTSIDE_VALIDITY'
  | 'COUPON_EXHAUSTED'
  /** Unpaid boletos reserve half of its remaining uses; other methods can still use it. */
  | 'COUPON_HELD_BY_BOLETOS'
  | 'INSTALLMENTS_NOT_OFFERED'
  /** The fees that the payer pays have changed since the page showed what the card costs. */
  | 'CARD_TOTAL_CHANGED'
  | 'PAYER_NAME_REQUIRED'
  | 'PAYER_TAX_ID_REQUIRED'
  | 'PAYER_TAX_ID_INVALID'
  | 'CARD_REQUIRED'
  | 'CARD_NUMBER_INVALID'
  | 'CARD_HOLDER_REQUIRED'
  | 'CARD_EXPIRY_INVALID'
  | 'CARD_CVV_INVALID'
  /** The provider does not accept the card: the sandbox accepts only test cards. */
  | 'CARD_NOT_ACCEPTED'
  /** Too many cards were declined lately: someone may be testing stolen ones. */
  | 'TOO_MANY_ATTEMPTS'
  /** The amount after the discount is below or above what the provider's boletos can have. */
  | 'BELOW_BOLETO_MINIMUM'
  | 'ABOVE_BOLETO_MAXIMUM'
  /** The provider's boletos need the payer's e-mail or address. */
  | 'PAYER_EMAIL_REQUIRED'
  | 'PAYER_ADDRESS_REQUIRED'
  /** A boleto of real money needs the payee's CPF or CNPJ, which the store has not set. */
  | 'STORE_WITHOUT_TAX_ID'
  | 'NO_PAYMENT_PROVIDER';

/** A payment that cannot begin. Pages explain it to the payer, the API to the integrator. */
export class PaymentRefusal extends Error {
  readonly reason: PaymentRefusalReason;

  constructor(reason: PaymentRefusalReason) {
    super(reason);
    this.name = 'PaymentRefusal';
    this.reason = reason;
  }
}

/** @throws PaymentRefusal */
export function refuseUnless(condition: boolean, reason: PaymentRefusalReason): asserts condition {
  if (!condition) throw new PaymentRefusal(reason);
}
