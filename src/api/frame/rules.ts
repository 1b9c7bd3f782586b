/**
 * Every rule behind a 422 whose code stands for several of them, with that code and what it means to an integrator. A
 * failure tells it as `rule`; the API's reference and the guide to errors list them. A name is never changed.
 */
export const RULES = {
  UNKNOWN_PRODUCT: rule('NOT_ACCEPTABLE', 'It is no product of this store and environment.'),
  NO_ONE_OFF_PRODUCT: rule(
    'NOT_ACCEPTABLE',
    'It is no product without a cycle of this store and environment.',
  ),
  UNKNOWN_CUSTOMER: rule('NOT_ACCEPTABLE', 'It is no customer of this store and environment.'),
  PRODUCT_HAS_CYCLE: rule('NOT_ACCEPTABLE', 'A product with a cycle is sold as a subscription only.'),
  PRODUCT_WITHOUT_CYCLE: rule('NOT_ACCEPTABLE', 'A subscription needs a product with a cycle.'),
  TRIAL_WITHOUT_CYCLE: rule('NOT_ACCEPTABLE', 'Only a product with a cycle has a trial.'),
  NEVER_CHANGES: rule('NOT_ACCEPTABLE', 'The field is fixed when the object is made.'),
  MAX_REDEEMS_BELOW_USE: rule('NOT_ACCEPTABLE', 'The coupon has been used, or is held, more often.'),
  COUPON_WITH_TRIAL: rule('NOT_ACCEPTABLE', 'The first payment of a product with a trial is free.'),
  INSTALLMENTS_OF_SUBSCRIPTION: rule(
    'NOT_ACCEPTABLE',
    'Each cycle of a subscription is charged in one payment.',
  ),
  INSTALLMENT_TOO_SMALL: rule('NOT_ACCEPTABLE', 'The total divided by the installments is too small.'),
  TOTAL_TOO_LARGE: rule('NOT_ACCEPTABLE', 'The total is more than a charge may be.'),
  TOTAL_BELOW_MINIMUM: rule('NOT_ACCEPTABLE', 'The total is too small for one of the methods.'),
  BELOW_BOLETO_MINIMUM: rule('NOT_ACCEPTABLE', 'The amount is too small for a boleto.'),
  DUE_DATE_OUT_OF_RANGE: rule('NOT_ACCEPTABLE', 'The due date is before today, or more than a year ahead.'),
  STORE_WITHOUT_TAX_ID: rule(
    'NOT_ACCEPTABLE',
    'A boleto names who is paid, and the store has no CPF or CNPJ.',
  ),
  METHOD_NOT_POSSIBLE: rule(
    'NOT_ACCEPTABLE',
    'The provider accounts of the store cannot do it in this environment.',
  ),
  TXID_NOT_CARRIED: rule('NOT_ACCEPTABLE', 'The provider cannot carry the txid of a BR Code to the payee.'),
  EXPIRY_TOO_LONG: rule('NOT_ACCEPTABLE', 'The provider issues no code that can be paid for so long.'),
  CARD_NOT_OFFERED: rule('NOT_ACCEPTABLE', 'Terms for cards were sent without CARD among the methods.'),
  METHOD_NOT_OFFERED: rule('NOT_ACCEPTABLE', 'The checkout does not offer this method.'),
  INSTALLMENTS_NOT_OFFERED: rule('NOT_ACCEPTABLE', 'The checkout does not offer so many installments.'),
  ONLY_FOR_CARDS: rule('NOT_ACCEPTABLE', 'The field is for card payments.'),
  CARD_REQUIRED: rule('NOT_ACCEPTABLE', 'A card payment needs a card.'),
  PAYER_NAME_REQUIRED: rule('NOT_ACCEPTABLE', 'A boleto needs the name of its payer.'),
  PAYER_TAX_ID_REQUIRED: rule('NOT_ACCEPTABLE', 'A boleto needs the CPF or CNPJ of its payer.'),
  CUSTOMER_SENT_TWICE: rule('NOT_ACCEPTABLE', 'Both a customer and the id of one were sent.'),
  ID_OF_LINK: rule('NOT_ACCEPTABLE', 'A payment link has many payments: one of them must be named.'),
  USAGE_TOO_LARGE: rule('NOT_ACCEPTABLE', 'The next charge would be larger than a charge may be.'),
  USAGE_BELOW_ZERO: rule('NOT_ACCEPTABLE', 'More is subtracted than was added in the cycle.'),
  RANGE_REVERSED: rule('NOT_ACCEPTABLE', 'The range ends before it begins.'),
  RANGE_TOO_LONG: rule('NOT_ACCEPTABLE', 'The range has too many days.'),
  CLOCK_TOO_FAR: rule('NOT_ACCEPTABLE', 'The clock is advanced by too many years at a time.'),
  CLOCK_TOO_MANY_CYCLES: rule(
    'NOT_ACCEPTABLE',
    'Subscriptions would open too many cycles during one advance of the clock.',
  ),
  TOO_MANY_WEBHOOKS: rule('NOT_ACCEPTABLE', 'The store has as many webhooks as it may in this environment.'),
  NOT_OPEN: rule('INVALID_STATE', 'It was paid or cancelled, or has expired.'),
  NOT_PAID: rule('INVALID_STATE', 'Nothing was paid.'),
  NOT_DISPUTABLE: rule('INVALID_STATE', 'It holds no payment that could be disputed.'),
  NO_OPEN_DISPUTE: rule('INVALID_STATE', 'No dispute is open, or it was decided the other way.'),
  USED_UP: rule('INVALID_STATE', 'The coupon was used as often as it may be.'),
  RESEND_IN_PROGRESS: rule('INVALID_STATE', 'Another range of the webhook is on its way.'),
  COUPON_UNKNOWN: rule('COUPON_NOT_ACCEPTED', 'There is no coupon with this code.'),
  COUPON_INACTIVE: rule('COUPON_NOT_ACCEPTED', 'The coupon is switched off.'),
  COUPON_EXPIRED: rule('COUPON_NOT_ACCEPTED', 'The coupon was used as often as it may be.'),
  COUPON_NOT_VALID: rule('COUPON_NOT_ACCEPTED', 'It is not an active coupon of the checkout.'),
  COUPON_EXHAUSTED: rule('COUPON_NOT_ACCEPTED', 'Its uses are made, or held by payments that are under way.'),
  COUPON_HELD_BY_BOLETOS: rule('COUPON_NOT_ACCEPTED', 'Unpaid boletos hold as much of it as they may.'),
  PAYOUT_TOO_LARGE: rule('PAYOUT_LIMIT_EXCEEDED', 'It is more than the store sends at a time.'),
  DAY_LIMIT_REACHED: rule('PAYOUT_LIMIT_EXCEEDED', 'The store would send more than its limit of a day.'),
  PAYEE_LIMIT_REACHED: rule(
    'PAYOUT_LIMIT_EXCEEDED',
    'The store would send more to this PIX key than its limit of a day.',
  ),
  NOT_WAITING: rule('INVALID_STATE', 'It waits for no approval, or not any more.'),
  OWN_PAYOUT: rule('NOT_ACCEPTABLE', 'Somebody else must approve a payout than its creator.'),
  CARD_NUMBER_INVALID: rule('CARD_NOT_ACCEPTED', 'The number of the card cannot be right.'),
  CARD_HOLDER_REQUIRED: rule('CARD_NOT_ACCEPTED', 'The holder of the card is missing.'),
  CARD_EXPIRY_INVALID: rule('CARD_NOT_ACCEPTED', 'The card has expired.'),
  CARD_CVV_INVALID: rule('CARD_NOT_ACCEPTED', 'The security code cannot be right.'),
  CARD_NOT_ACCEPTED: rule('CARD_NOT_ACCEPTED', 'In dev mode only the test cards are taken.'),
  TOO_MANY_ATTEMPTS: rule('CARD_NOT_ACCEPTED', 'Too many cards were declined here within an hour.'),
} as const;

export type Rule = keyof typeof RULES;

function rule<Code extends string>(code: Code, meaning: string) {
  return { code, meaning };
}

/** What is wrong with the form of a field, and what it means to an integrator. */
export const FORM_RULES = {
  REQUIRED: 'It is missing.',
  UNKNOWN_FIELD: 'There is no such field or parameter.',
  WRONG_TYPE: 'It is of another JSON type.',
  WRONG_FORMAT: 'The text is not of the right form.',
  TOO_SMALL: 'The number is too small; the text or list too short.',
  TOO_LARGE: 'The number is too large; the text or list too long.',
  WRONG_VALUE: 'It is none of the values that are taken.',
} as const;
export type FormRule = keyof typeof FORM_RULES;
