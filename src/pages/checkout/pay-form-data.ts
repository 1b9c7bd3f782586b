import { randomBytes } from 'node:crypto';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import type { TypedCard } from '../../domain/card.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../domain/charge.ts';
import type { PaymentChoice } from '../../payments/pay-checkout.ts';
import type { Phrase } from '../frame/language.ts';

/** Every field that a message may be about; also its name in the form and the id of its element. */
export type FieldName =
  | 'method'
  | 'coupon'
  | 'payerName'
  | 'payerTaxId'
  | 'payerEmail'
  | 'cardNumber'
  | 'cardHolder'
  | 'cardExpiry'
  | 'cardCvv'
  | 'installments';

/** What is wrong with what was sent, in the payer's words; `field` is null where no field can mend it. */
export interface FieldProblem {
  readonly field: FieldName | null;
  readonly message: Phrase;
}

/** What the payer typed, as the page may show it again. Number and code of a card are never among it. */
export interface TypedForm {
  readonly method: PaymentMethod | null;
  readonly coupon: string;
  readonly payerName: string;
  readonly payerTaxId: string;
  readonly payerEmail: string;
  readonly cardHolder: string;
  readonly cardExpiry: string;
  readonly installmentsCount: number;
}

/** A form before anything was typed. */
export const EMPTY_FORM: TypedForm = {
  method: null,
  coupon: '',
  payerName: '',
  payerTaxId: '',
  payerEmail: '',
  cardHolder: '',
  cardExpiry: '',
  installmentsCount: 1,
};

/** Which button was pressed. */
export type PayFormAction = 'pay' | 'apply-coupon' | 'remove-coupon';

/**
 * Longest texts that are taken; the inputs allow no more. An e-mail address has at most 254 characters (RFC
 * 3696).
 */
export const MAX_LENGTH = {
  coupon: 100,
  payerName: 140,
  payerTaxId: 20,
  payerEmail: 254,
  cardHolder: 100,
  cardExpiry: 7,
} as const;

/** 128 random bits, new for each form that is shown: sent twice, a form is one payment. */
export function mintSubmissionKey(): string {
  return randomBytes(16).toString('hex');
}

/** The key that came with a form, in its field `attempt`, or a new one where what came is none. */
export function readSubmissionKey(form: URLSearchParams): string {
  const key = form.get('attempt') ?? '';
  return /^[0-9a-f]{32}$/.test(key) ? key : mintSubmissionKey();
}

/** A field without control characters (Postgres takes no NUL) and without blanks around it. */
export function textOf(form: URLSearchParams, field: FieldName, maxLength: number): string {
  const text = (form.get(field) ?? '').replace(/\p{Cc}/gu, ' ').trim();
  return [...text].slice(0, maxLength).join('');
}

export function readAction(form: URLSearchParams): PayFormAction {
  const action = form.get('action');
  return action === 'apply-coupon' || action === 'remove-coupon' ? action : 'pay';
}

/** What the payer typed, but for number and code of their card. */
export function readTyped(form: URLSearchParams): TypedForm {
  const method = PAYMENT_METHODS.find((known) => known === form.get('method')) ?? null;
  const installments = form.get('installments') ?? '1';
  return {
    method,
    coupon: textOf(form, 'coupon', MAX_LENGTH.coupon),
    payerName: textOf(form, 'payerName', MAX_LENGTH.payerName),
    payerTaxId: textOf(form, 'payerTaxId', MAX_LENGTH.payerTaxId),
    payerEmail: textOf(form, 'payerEmail', MAX_LENGTH.payerEmail),
    cardHolder: textOf(form, 'cardHolder', MAX_LENGTH.cardHolder),
    cardExpiry: textOf(form, 'cardExpiry', MAX_LENGTH.cardExpiry),
    installmentsCount: /^\d{1,2}$/.test(installments) ? Number(installments) : 0,
  };
}

/** The card as it was typed, on its way to the provider. Never log or keep it. */
function readCard(form: URLSearchParams, { cardHolder, cardExpiry }: TypedForm): TypedCard {
  const typed = (name: string) => (form.get(name) ?? '').trim();
  return {
    number: typed('cardNumber'),
    holderName: cardHolder,
    // `1228` is how number keyboards without a slash have it typed.
    expiry: cardExpiry.replace(/^(\d{2})(\d{2})$/, '$1/$2'),
    cvv: typed('cardCvv'),
  };
}

/** The code as the integrator wrote it, where the payer typed it in other capitals; null for none. */
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
 * The form as it is opened: on a payment link with what is known of its customer, for whoever pays to type
 * over.
 */
export function openedForm({ frequency }: Checkout, customer: Customer | null): TypedForm {
  if (frequency !== 'MULTIPLE_PAYMENTS' || customer === null) return EMPTY_FORM;
  return { ...EMPTY_FORM, payerName: customer.name ?? '', payerEmail: customer.email ?? '' };
}

/**
 * What the checkout's customer has on record need not be typed; on a payment link that holds for who pays by
 * their name.
 */
function knownOf(frequency: Checkout['frequency'], typed: TypedForm, customer: Customer | null) {
  const isSomebodyElse = frequency === 'MULTIPLE_PAYMENTS' && typed.payerName !== customer?.name;
  return customer === null || isSomebodyElse ? { name: null, taxId: null } : customer;
}

/** What is asked of {@link payCheckout}. */
export function choiceOf(
  form: URLSearchParams,
  typed: TypedForm,
  method: PaymentMethod,
  { checkout, customer }: { readonly checkout: Checkout; readonly customer: Customer | null },
): PaymentChoice {
  const known = knownOf(checkout.frequency, typed, customer);
  return {
    submissionKey: readSubmissionKey(form),
    method,
    couponCode: couponCodeOf(checkout, typed.coupon),
    installmentsCount: method === 'CARD' ? typed.installmentsCount : 1,
    card: method === 'CARD' ? readCard(form, typed) : null,
    payer: {
      name: typed.payerName || known.name,
      taxId: typed.payerTaxId || known.taxId,
      email: typed.payerEmail || null,
      cellphone: null,
    },
  };
}
