import { CARD_WALLETS, type DeclineReason, isCardWallet } from './card.ts';
import type { CivilDate } from './civil-date.ts';

/** How the payer of a checkout may pay (contract section 5, "methods"). */
export const PAYMENT_METHODS = ['PIX', 'CARD', 'BOLETO'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** What a checkout may offer: a wallet is offered beside typed cards, or without them (contract section 5, "methods"). */
export const CHECKOUT_METHODS = [...PAYMENT_METHODS, ...CARD_WALLETS] as const;
export type CheckoutMethod = (typeof CHECKOUT_METHODS)[number];

/** The methods of the charges of a checkout, in its order: a wallet's are card charges. */
export function chargeMethodsOf(methods: readonly CheckoutMethod[]): PaymentMethod[] {
  return [...new Set(methods.map((method) => (isCardWallet(method) ? 'CARD' : method)))];
}

/** The key of the card charge that a subscription's end makes for usage; a form's is a random number. */
export const FINAL_USAGE_SUBMISSION = 'final-usage';

/** FREE is a checkout payment reduced to nothing by a coupon: no provider is involved. */
export const CHARGE_METHODS = [...PAYMENT_METHODS, 'FREE'] as const;
export type ChargeMethod = (typeof CHARGE_METHODS)[number];

/** Contract section 4. */
export const CHARGE_STATUSES = [
  'PENDING',
  'PAID',
  'EXPIRED',
  'CANCELLED',
  'UNDER_DISPUTE',
  'REFUNDED',
  'FAILED',
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/**
 * Whether a charge has been paid, even if the payment was refunded or disputed later: nobody is asked to pay it
 * again.
 */
export function wasPaid(status: ChargeStatus): boolean {
  return status === 'PAID' || status === 'UNDER_DISPUTE' || status === 'REFUNDED';
}

/**
 * Why a charge FAILED: a declined card, or for a subscription's cycle a PIX code that was not paid in time, or was
 * cancelled before it was paid.
 */
export type FailureReason = DeclineReason | 'pix_expired' | 'payment_cancelled' | 'debit_failed';

/** A charge's status, with the reason if it FAILED. */
interface Standing {
  readonly status: ChargeStatus;
  readonly failureReason: FailureReason | null;
}

/**
 * Whether a charge ended because no payment was known at its deadline. The time of the payment counts: a payment
 * made in time is still accepted (contract section 4).
 */
export function hasRunOut({ status, failureReason }: Standing): boolean {
  return status === 'EXPIRED' || (status === 'FAILED' && failureReason === 'pix_expired');
}

/** Whether a payment made in time can still make it PAID: it is open, or expired before the payment was notified. */
export function canBePaid(charge: Standing): boolean {
  return charge.status === 'PENDING' || hasRunOut(charge);
}

/** Monthly late interest in hundredths of a percent: 100 is 1 % a month (contract section 4.6). */
export interface Interest {
  readonly value: number;
}

/** A single late fee: hundredths of a percent of the amount, or cents (contract section 4.6). */
export interface Fine {
  readonly value: number;
  readonly type: 'PERCENTAGE' | 'FIXED';
}

/**
 * The amount and dates of a charge with a due date: a boleto, or a PIX charge with one (Bacen's `cobv`), which counts its late days
 * differently (domain/fine-and-interest.ts). `null` terms were not configured or were zero.
 */
export interface DueTerms {
  readonly method: ChargeMethod;
  readonly amountCents: number;
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
}

/** The parts of a payment: original + interest + fine - discount is its amount, by the provider's rules. */
export interface PaidComponents {
  readonly originalCents: number;
  readonly interestCents: number;
  readonly fineCents: number;
  /** Including abatements. */
  readonly discountCents: number;
}

/** @returns the terms of a charge with a due date, or null for any other. */
export function dueTermsOf(charge: {
  readonly method: ChargeMethod;
  readonly amountCents: number;
  readonly dueDate: CivilDate | null;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
}): DueTerms | null {
  const { method, amountCents, dueDate, interest, fine } = charge;
  return dueDate && { method, amountCents, dueDate, interest, fine };
}

/** Whether the payer's bank pays it by itself, under a mandate, without a code. */
export function isDebit({
  mandateId,
  brCode,
}: {
  readonly mandateId: string | null;
  readonly brCode: string | null;
}): boolean {
  return mandateId !== null && brCode === null;
}

/** Whether it costs more once it is late. */
export function hasLateCharges({ interest, fine }: Pick<DueTerms, 'interest' | 'fine'>): boolean {
  return (interest?.value ?? 0) > 0 || (fine?.value ?? 0) > 0;
}
