/**
 * Every rule behind a 422 whose code covers several rules, with that code and its meaning for an integrator.
 * A failure returns it as `rule`; the API reference and the guide to errors list it. Names must never change.
 */
export const RULES = {
  UNKNOWN_PRODUCT: rule('NOT_ACCEPTABLE', 'The product does not exist in this store and environment.'),
  PRODUCT_ARCHIVED: rule('NOT_ACCEPTABLE', 'The product is archived; restore it to sell it again.'),
  NO_ONE_OFF_PRODUCT: rule(
    'NOT_ACCEPTABLE',
    'No one-off product (without a cycle) with this id exists in this store and environment.',
  ),
  UNKNOWN_SUB_ACCOUNT: rule(
    'NOT_ACCEPTABLE',
    'The sub-account does not exist in this store and environment.',
  ),
  SPLITS_EXCEED_PAYMENT: rule(
    'NOT_ACCEPTABLE',
    "The splits are more than the amount less the platform's fee.",
  ),
  OWN_TAX_ID: rule(
    'NOT_ACCEPTABLE',
    "A sub-account belongs to a third party: its tax id is not the store's own.",
  ),
  UNKNOWN_CUSTOMER: rule('NOT_ACCEPTABLE', 'The customer does not exist in this store and environment.'),
  PRODUCT_HAS_CYCLE: rule('NOT_ACCEPTABLE', 'A product with a cycle can be sold only as a subscription.'),
  PRODUCT_WITHOUT_CYCLE: rule('NOT_ACCEPTABLE', 'A subscription needs a product with a cycle.'),
  ADD_ON_NEEDS_SAME_CYCLE: rule('NOT_ACCEPTABLE', 'An add-on needs the same cycle as the plan.'),
  ADD_ON_IS_PLAN: rule('NOT_ACCEPTABLE', "The plan's own product cannot be an add-on."),
  ADD_ON_TWICE: rule('NOT_ACCEPTABLE', 'Each product can be an add-on once: change its quantity instead.'),
  ADD_ONS_OF_OTHER_CYCLE: rule(
    'NOT_ACCEPTABLE',
    'The new plan has another cycle than the add-ons: the change needs to name its add-ons.',
  ),
  TRIAL_WITHOUT_CYCLE: rule('NOT_ACCEPTABLE', 'Only a product with a cycle can have a trial.'),
  FINAL_USAGE_WITHOUT_CYCLE: rule(
    'NOT_ACCEPTABLE',
    'Only a product with a cycle can charge usage when a subscription is cancelled.',
  ),
  USAGE_CYCLE_NOT_WITHIN_CYCLE: rule(
    'NOT_ACCEPTABLE',
    'Usage is charged in shorter periods than the cycle of the product, of which the cycle has a whole number.',
  ),
  USAGE_PRICE_WITH_CYCLE: rule('NOT_ACCEPTABLE', 'Only a product without a cycle can have a price of usage.'),
  NEVER_CHANGES: rule('NOT_ACCEPTABLE', 'The field cannot change after the object is created.'),
  MAX_REDEEMS_BELOW_USE: rule(
    'NOT_ACCEPTABLE',
    'The new limit is lower than the number of uses already made or reserved.',
  ),
  PAUSE_END_OUT_OF_RANGE: rule(
    'NOT_ACCEPTABLE',
    'The end of the pause is in the past, or more than two years ahead.',
  ),
  TRIAL_END_OUT_OF_RANGE: rule(
    'NOT_ACCEPTABLE',
    'The end of the trial is in the past, or more than two years ahead.',
  ),
  NOT_IN_TRIAL: rule('NOT_ACCEPTABLE', 'The subscription is not in its trial, or is paused.'),
  CHANGE_NOT_POSSIBLE_NOW: rule(
    'NOT_ACCEPTABLE',
    'A cycle is unpaid, the subscription is paused, or its cancellation is scheduled.',
  ),
  PRORATION_NEEDS_SAME_CYCLE: rule(
    'NOT_ACCEPTABLE',
    'The product has another cycle than the current plan, so there is no difference to charge.',
  ),
  TOO_MANY_REQUESTED_ATTEMPTS: rule(
    'NOT_ACCEPTABLE',
    'The open cycle was already attempted ten times on request.',
  ),
  DURATION_CYCLES: rule(
    'NOT_ACCEPTABLE',
    'A `REPEATING` coupon needs `durationInCycles`, and no other coupon has it.',
  ),
  INSTALLMENTS_OF_SUBSCRIPTION: rule(
    'NOT_ACCEPTABLE',
    'A subscription cannot be split into card installments.',
  ),
  INSTALLMENT_TOO_SMALL: rule('NOT_ACCEPTABLE', 'Each installment would be too small.'),
  CARD_FEES_UNKNOWN: rule(
    'NOT_ACCEPTABLE',
    'The payer cannot pay the card fees, because the account that takes the cards does not say them.',
  ),
  TOTAL_TOO_LARGE: rule('NOT_ACCEPTABLE', 'The total exceeds the maximum amount of a charge.'),
  TOTAL_BELOW_MINIMUM: rule(
    'NOT_ACCEPTABLE',
    'The total is below the minimum of one of the payment methods.',
  ),
  BELOW_BOLETO_MINIMUM: rule('NOT_ACCEPTABLE', 'The amount is below the minimum for a boleto.'),
  ABOVE_BOLETO_MAXIMUM: rule('NOT_ACCEPTABLE', "The amount is above the maximum of the provider's boletos."),
  DUE_DATE_OUT_OF_RANGE: rule(
    'NOT_ACCEPTABLE',
    'The due date is in the past, more than a year ahead, or outside the limits of the provider.',
  ),
  DUE_DATE_NOT_POSSIBLE: rule(
    'NOT_ACCEPTABLE',
    "The provider's Pix charges have no due date; boletos have one.",
  ),
  LATE_CHARGES_NOT_POSSIBLE: rule('NOT_ACCEPTABLE', "The provider's boletos have no interest or no fine."),
  STORE_WITHOUT_TAX_ID: rule(
    'NOT_ACCEPTABLE',
    'A boleto shows the CPF or CNPJ of the store, and the store has none.',
  ),
  METHOD_NOT_POSSIBLE: rule(
    'NOT_ACCEPTABLE',
    'The provider accounts of the store do not support this in this environment.',
  ),
  MANDATE_NOT_POSSIBLE: rule(
    'NOT_ACCEPTABLE',
    'The bank of the store offers no Pix Automático, or not to this store, or not without a payment; or Pix is not among the methods, or the payer has no tax id, or was asked ten times within a day.',
  ),
  TXID_NOT_CARRIED: rule('NOT_ACCEPTABLE', 'The provider cannot pass the txid of a BR Code on to the payee.'),
  EXPIRY_TOO_LONG: rule('NOT_ACCEPTABLE', 'The provider does not issue codes with such a long expiry.'),
  CARD_NOT_OFFERED: rule('NOT_ACCEPTABLE', 'Card options were sent, but CARD is not among the methods.'),
  METHOD_NOT_OFFERED: rule('NOT_ACCEPTABLE', 'The checkout does not offer this method.'),
  INSTALLMENTS_NOT_OFFERED: rule('NOT_ACCEPTABLE', 'The checkout does not offer this many installments.'),
  ONLY_FOR_CARDS: rule('NOT_ACCEPTABLE', 'The field is only for card payments.'),
  CARD_REQUIRED: rule('NOT_ACCEPTABLE', 'A card payment needs a card.'),
  PAYER_NAME_REQUIRED: rule(
    'NOT_ACCEPTABLE',
    'A boleto, a code that asks for debits, or the provider needs the name of the payer.',
  ),
  PAYER_TAX_ID_REQUIRED: rule('NOT_ACCEPTABLE', 'A boleto needs the CPF or CNPJ of its payer.'),
  PAYER_EMAIL_REQUIRED: rule(
    'NOT_ACCEPTABLE',
    "The provider's boletos need the e-mail address of their payer.",
  ),
  PAYER_ADDRESS_REQUIRED: rule('NOT_ACCEPTABLE', "The provider's boletos need the address of their payer."),
  CUSTOMER_SENT_TWICE: rule(
    'NOT_ACCEPTABLE',
    'The request has both a customer and a customer id; send one of them.',
  ),
  ID_OF_LINK: rule('NOT_ACCEPTABLE', 'A payment link has many payments; send the id of one payment.'),
  USAGE_TOO_LARGE: rule('NOT_ACCEPTABLE', 'The next charge would exceed the maximum amount.'),
  USAGE_BELOW_ZERO: rule('NOT_ACCEPTABLE', 'The usage of the cycle would become negative.'),
  RANGE_REVERSED: rule('NOT_ACCEPTABLE', 'The range ends before it starts.'),
  RANGE_TOO_LONG: rule('NOT_ACCEPTABLE', 'The range has too many days.'),
  CLOCK_TOO_FAR: rule('NOT_ACCEPTABLE', 'The clock cannot advance by so many years at once.'),
  CLOCK_TOO_MANY_CYCLES: rule(
    'NOT_ACCEPTABLE',
    'Subscriptions would open too many cycles during one advance of the clock.',
  ),
  TOO_MANY_WEBHOOKS: rule(
    'NOT_ACCEPTABLE',
    'The store has reached the maximum number of webhooks in this environment.',
  ),
  NOT_OPEN: rule('INVALID_STATE', 'The object was already paid or cancelled, or has expired.'),
  NOT_PAID: rule('INVALID_STATE', 'Nothing was paid.'),
  NOT_DISPUTABLE: rule('INVALID_STATE', 'The object has no payment that can be disputed.'),
  NO_OPEN_DISPUTE: rule('INVALID_STATE', 'No dispute is open, or it was already decided differently.'),
  USED_UP: rule('INVALID_STATE', 'The coupon has reached its maximum number of uses.'),
  VALIDITY_OVER: rule('INVALID_STATE', 'The validity of the coupon is over.'),
  RESEND_IN_PROGRESS: rule('INVALID_STATE', 'Another bulk resend of this webhook is still running.'),
  NFSE_NOT_SET_UP: rule('INVALID_STATE', 'The store has not entered its data for NFS-e.'),
  NOTHING_TO_DECLARE: rule(
    'INVALID_STATE',
    'The invoice is void, its payment was refunded, or it charges nothing for a service.',
  ),
  NFSE_NOT_AUTHORIZED: rule('INVALID_STATE', 'The NFS-e is not authorised.'),
  NFSE_UNKNOWN_ATTEMPT: rule(
    'NOT_ACCEPTABLE',
    'The DPS was not issued that often, or a rejection does not say which attempt it is about.',
  ),
  NFSE_OTHER_ACCESS_KEY: rule(
    'NOT_ACCEPTABLE',
    'The access key has the tax id of another store, or belongs to another NFS-e.',
  ),
  COUPON_UNKNOWN: rule('COUPON_NOT_ACCEPTED', 'No coupon has this code.'),
  COUPON_INACTIVE: rule('COUPON_NOT_ACCEPTED', 'The coupon is inactive.'),
  COUPON_EXPIRED: rule('COUPON_NOT_ACCEPTED', 'The coupon has reached its maximum number of uses.'),
  COUPON_OUTSIDE_VALIDITY: rule(
    'COUPON_NOT_ACCEPTED',
    'The validity of the coupon has not begun, or is over.',
  ),
  COUPON_NOT_VALID: rule('COUPON_NOT_ACCEPTED', 'The coupon is not an active coupon of this checkout.'),
  COUPON_EXHAUSTED: rule(
    'COUPON_NOT_ACCEPTED',
    'All uses of the coupon are redeemed or reserved by payments in progress.',
  ),
  COUPON_HELD_BY_BOLETOS: rule(
    'COUPON_NOT_ACCEPTED',
    'Unpaid boletos already reserve as many uses of the coupon as they may.',
  ),
  PAYOUT_TOO_LARGE: rule('PAYOUT_LIMIT_EXCEEDED', "The amount exceeds the store's limit for one payout."),
  DAY_LIMIT_REACHED: rule('PAYOUT_LIMIT_EXCEEDED', "The payout would exceed the store's daily limit."),
  PAYEE_LIMIT_REACHED: rule(
    'PAYOUT_LIMIT_EXCEEDED',
    "The payout would exceed the store's daily limit for this Pix key.",
  ),
  NOT_WAITING: rule('INVALID_STATE', 'The payout is not waiting for approval.'),
  OWN_PAYOUT: rule('NOT_ACCEPTABLE', 'The creator of a payout cannot approve it.'),
  CARD_NUMBER_INVALID: rule('CARD_NOT_ACCEPTED', 'The card number is invalid.'),
  CARD_HOLDER_REQUIRED: rule('CARD_NOT_ACCEPTED', 'The cardholder name is missing.'),
  CARD_EXPIRY_INVALID: rule('CARD_NOT_ACCEPTED', 'The card has expired.'),
  CARD_CVV_INVALID: rule('CARD_NOT_ACCEPTED', 'The security code is invalid.'),
  CARD_NOT_ACCEPTED: rule('CARD_NOT_ACCEPTED', 'Dev mode accepts only the test cards.'),
  CARD_TOKEN_USED: rule('CARD_NOT_ACCEPTED', 'The token has already paid, or tried to pay, another charge.'),
  CARD_TOKEN_EXPIRED: rule('CARD_NOT_ACCEPTED', 'The token is older than 60 seconds.'),
  CARD_OF_OTHER_ACCOUNT: rule(
    'CARD_NOT_ACCEPTED',
    'The card was saved at a provider account that no longer takes the cards of the store.',
  ),
  TOO_MANY_ATTEMPTS: rule(
    'CARD_NOT_ACCEPTED',
    'Too many cards were declined for this checkout within an hour.',
  ),
} as const;

export type Rule = keyof typeof RULES;

function rule<Code extends string>(code: Code, meaning: string) {
  return { code, meaning };
}

/** Kinds of format errors, with their meaning for an integrator. */
export const FORM_RULES = {
  REQUIRED: 'The field is missing.',
  UNKNOWN_FIELD: 'The field or parameter does not exist.',
  WRONG_TYPE: 'The value has the wrong JSON type.',
  WRONG_FORMAT: 'The text has the wrong format.',
  TOO_SMALL: 'The number is too small; the text or list too short.',
  TOO_LARGE: 'The number is too large; the text or list too long.',
  WRONG_VALUE: 'The value is not one of the accepted values.',
} as const;
export type FormRule = keyof typeof FORM_RULES;
