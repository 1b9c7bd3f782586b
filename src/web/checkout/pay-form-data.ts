import { randomBytes } from 'node:crypto';
import { approvedTestCard, type EnteredCard } from '../../checkouts/entered-card.ts';
import type { PaymentChoice } from '../../checkouts/payment-choice.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import { isCardWallet, type TypedCard } from '../../domain/card.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../domain/charge.ts';
import { type PayerAddress, parseZipCode, STATES } from '../../domain/payer.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import type { MessageKey } from '../i18n/catalogs.ts';

/** All fields that a message may refer to; also the field's name in the form and the id of its element. */
export type FieldName =
  | 'method'
  | 'coupon'
  | 'payerName'
  | 'payerTaxId'
  | 'payerEmail'
  | 'payerStreet'
  | 'payerCity'
  | 'payerState'
  | 'payerZipCode'
  | 'cardNumber'
  | 'cardHolder'
  | 'cardExpiry'
  | 'cardCvv'
  | 'installments';

/** A problem with the submitted form, in the payer's words; `field` is null if no field can fix it. */
export interface FieldProblem {
  readonly field: FieldName | null;
  readonly message: MessageKey;
}

/** The submitted fields that the page may show again. Never includes a card's number or code. */
export interface TypedForm {
  readonly method: PaymentMethod | null;
  readonly coupon: string;
  readonly payerName: string;
  readonly payerTaxId: string;
  readonly payerEmail: string;
  readonly payerStreet: string;
  readonly payerCity: string;
  readonly payerState: string;
  readonly payerZipCode: string;
  readonly cardHolder: string;
  readonly cardExpiry: string;
  readonly installmentsCount: number;
}

/** An empty form. */
export const EMPTY_FORM: TypedForm = {
  method: null,
  coupon: '',
  payerName: '',
  payerTaxId: '',
  payerEmail: '',
  payerStreet: '',
  payerCity: '',
  payerState: '',
  payerZipCode: '',
  cardHolder: '',
  cardExpiry: '',
  installmentsCount: 1,
};

/** The pressed button. */
export type PayFormAction = 'pay' | 'apply-coupon' | 'remove-coupon';

/** The maximum lengths of texts; the inputs enforce the same. An email address has at most 254 characters (RFC 3696). */
export const MAX_LENGTH = {
  coupon: 100,
  payerName: 140,
  payerTaxId: 20,
  payerEmail: 254,
  payerStreet: 200,
  payerCity: 100,
  payerState: 2,
  payerZipCode: 9,
  cardHolder: 100,
  cardExpiry: 7,
} as const;

/** 128 random bits, new for each rendered form: submitting one form twice makes one payment. */
export function mintSubmissionKey(): string {
  return randomBytes(16).toString('hex');
}

/** The key submitted in the field `attempt`, or a new one if it is missing or invalid. */
export function readSubmissionKey(form: URLSearchParams): string {
  const key = form.get('attempt') ?? '';
  return /^[0-9a-f]{32}$/.test(key) ? key : mintSubmissionKey();
}

/** A trimmed field without control characters (Postgres rejects NUL). */
export function textOf(form: URLSearchParams, field: FieldName, maxLength: number): string {
  const text = (form.get(field) ?? '').replace(/\p{Cc}/gu, ' ').trim();
  return [...text].slice(0, maxLength).join('');
}

export function readAction(form: URLSearchParams): PayFormAction {
  const action = form.get('action');
  return action === 'apply-coupon' || action === 'remove-coupon' ? action : 'pay';
}

/** The submitted fields without the card's number and code. */
export function readTyped(form: URLSearchParams): TypedForm {
  const method = PAYMENT_METHODS.find((known) => known === form.get('method')) ?? null;
  const installments = form.get('installments') ?? '1';
  return {
    method,
    coupon: textOf(form, 'coupon', MAX_LENGTH.coupon),
    payerName: textOf(form, 'payerName', MAX_LENGTH.payerName),
    payerTaxId: textOf(form, 'payerTaxId', MAX_LENGTH.payerTaxId),
    payerEmail: textOf(form, 'payerEmail', MAX_LENGTH.payerEmail),
    payerStreet: textOf(form, 'payerStreet', MAX_LENGTH.payerStreet),
    payerCity: textOf(form, 'payerCity', MAX_LENGTH.payerCity),
    payerState: textOf(form, 'payerState', MAX_LENGTH.payerState),
    payerZipCode: textOf(form, 'payerZipCode', MAX_LENGTH.payerZipCode),
    cardHolder: textOf(form, 'cardHolder', MAX_LENGTH.cardHolder),
    cardExpiry: textOf(form, 'cardExpiry', MAX_LENGTH.cardExpiry),
    installmentsCount: /^\d{1,2}$/.test(installments) ? Number(installments) : 0,
  };
}

/** Longer than any provider's token. */
const MAX_TOKEN_LENGTH = 255;

/** The submitted card, or the token that the provider's fields put in its place. The card is to be passed to the provider. Never log or store it. */
export function readCard(
  form: URLSearchParams,
  { cardHolder, cardExpiry }: Pick<TypedForm, 'cardHolder' | 'cardExpiry'>,
): Exclude<EnteredCard, { readonly saved: unknown }> {
  const typed = (name: string) => (form.get(name) ?? '').trim();
  const token = typed('cardToken').slice(0, MAX_TOKEN_LENGTH);
  if (token !== '') return { token };
  const wallet = form.get('wallet') ?? '';
  // Only the sandbox takes it: a provider's fields know the wallet themselves.
  if (isCardWallet(wallet)) return { typed: approvedTestCard(new Date()), wallet };
  const card: TypedCard = {
    number: typed('cardNumber'),
    holderName: cardHolder,
    // Number keyboards without a slash produce `1228`.
    expiry: cardExpiry.replace(/^(\d{2})(\d{2})$/, '$1/$2'),
    cvv: typed('cardCvv'),
  };
  return { typed: card };
}

/** The code as the integrator spelled it, if the payer's input differs only in case; null if it does not match. */
export function couponCodeOf({ coupons }: Checkout, typed: string): string | null {
  if (typed === '') return null;
  const lowerCase = typed.toLowerCase();
  return (
    coupons.find((code) => code === typed) ??
    coupons.find((code) => code.toLowerCase() === lowerCase) ??
    typed
  );
}

/**
 * The form when it is first shown. On a payment link it is prefilled with the customer's data, which other payers can replace.
 */
export function openedForm({ frequency }: Checkout, customer: Customer | null): TypedForm {
  if (frequency !== 'MULTIPLE_PAYMENTS' || customer === null) return EMPTY_FORM;
  return { ...EMPTY_FORM, payerName: customer.name ?? '', payerEmail: customer.email ?? '' };
}

/**
 * The payer need not type what is on record for the checkout's customer. On a payment link this holds only for the customer
 * themselves, recognized by their name.
 */
function knownOf(frequency: Checkout['frequency'], typed: TypedForm, customer: Customer | null) {
  const isAnotherPayer = frequency === 'MULTIPLE_PAYMENTS' && typed.payerName !== customer?.name;
  return customer === null || isAnotherPayer ? { name: null, taxId: null } : customer;
}

/** Null unless every part is there and right. */
function addressOf({ payerStreet: street, payerCity: city, ...typed }: TypedForm): PayerAddress | null {
  const state = STATES.find((known) => known === typed.payerState);
  const zipCode = parseZipCode(typed.payerZipCode);
  return street && city && state && zipCode ? { street, city, state, zipCode } : null;
}

/** The name of the field with {@link shownCardCentsIn}. */
export const CARD_TOTALS = 'cardTotals';

/** What the form said that a card costs in so many installments: zero, which no card costs, if it said nothing. */
export function shownCardCentsIn(form: URLSearchParams, installmentsCount: number): number {
  const shown = (form.get(CARD_TOTALS) ?? '').split(',')[installmentsCount - 1] ?? '';
  return /^\d{1,12}$/.test(shown) ? Number(shown) : 0;
}

/** The input of {@link payCheckout}. */
export function choiceOf(
  form: URLSearchParams,
  typed: TypedForm,
  method: PaymentMethod,
  { checkout, customer }: { readonly checkout: Checkout; readonly customer: Customer | null },
): PaymentChoice {
  const known = knownOf(checkout.frequency, typed, customer);
  const takesCard = METHOD_TRAITS[method].keepsInstrument;
  return {
    submissionKey: readSubmissionKey(form),
    method,
    couponCode: couponCodeOf(checkout, typed.coupon),
    installmentsCount: takesCard ? typed.installmentsCount : 1,
    shownCardCents: shownCardCentsIn(form, typed.installmentsCount),
    card: takesCard ? readCard(form, typed) : null,
    payer: {
      name: typed.payerName || known.name,
      taxId: typed.payerTaxId || known.taxId,
      email: typed.payerEmail || null,
      cellphone: null,
      address: addressOf(typed),
    },
  };
}
