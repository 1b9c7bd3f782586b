/** Why a payment cannot be begun. Nothing has been stored then. */
export type PaymentRefusalReason =
  /** Paid, expired or cancelled, or the upsell was taken already. */
  | 'NOT_OPEN'
  | 'METHOD_NOT_OFFERED'
  /** No provider account of the store can do it, or none can any more. */
  | 'METHOD_NOT_POSSIBLE'
  /** Not one of the checkout's coupons, switched off, or deleted. */
  | 'COUPON_NOT_VALID'
  /** The cap is reached, or held by payments that are under way. */
  | 'COUPON_EXHAUSTED'
  /** Half of what is left of it is held by boletos that nobody has paid; by other methods it can be used. */
  | 'COUPON_HELD_BY_BOLETOS'
  | 'INSTALLMENTS_NOT_OFFERED'
  | 'PAYER_NAME_REQUIRED'
  | 'PAYER_TAX_ID_REQUIRED'
  | 'PAYER_TAX_ID_INVALID'
  | 'CARD_REQUIRED'
  | 'CARD_NUMBER_INVALID'
  | 'CARD_HOLDER_REQUIRED'
  | 'CARD_EXPIRY_INVALID'
  | 'CARD_CVV_INVALID'
  /** The provider takes no such card: the sandbox none but the test cards. */
  | 'CARD_NOT_ACCEPTED'
  /** Too many cards were declined lately: somebody may be trying out stolen ones. */
  | 'TOO_MANY_ATTEMPTS'
  /** What is left after the discount is too little for a boleto. */
  | 'BELOW_BOLETO_MINIMUM'
  /** A boleto of real money names who is paid by their CPF or CNPJ, and the store has none on record. */
  | 'STORE_WITHOUT_TAX_ID'
  | 'NO_PAYMENT_PROVIDER';

/** A payment that cannot be begun; pages say it in the payer's words, the API in the integrator's. */
export class PaymentRefusal extends Error {
  readonly reason: PaymentRefusalReason;

  constructor(reason: PaymentRefusalReason) {
    super(reason);
    this.name = 'PaymentRefusal';
    this.reason = reason;
  }
}
