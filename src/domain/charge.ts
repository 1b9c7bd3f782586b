import type { DeclineReason } from './card.ts';
import type { CivilDate } from './civil-date.ts';

/** How a transparent charge is paid (contract section 4.2). */
export type TransparentMethod = 'PIX' | 'BOLETO';

/** How the payer of a checkout may pay (contract section 5, "methods"). */
export const PAYMENT_METHODS = ['PIX', 'CARD', 'BOLETO'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/**
 * FREE is a payment of a checkout that a coupon has brought down to nothing: no provider takes part in it.
 */
export type ChargeMethod = PaymentMethod | 'FREE';

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
 * Whether a charge has been paid, whatever became of the payment afterwards: nobody is asked for it again.
 */
export function wasPaid(status: ChargeStatus): boolean {
  return status === 'PAID' || status === 'UNDER_DISPUTE' || status === 'REFUNDED';
}

/**
 * Why a charge FAILED: a card's decline, or of a subscription's cycle a PIX code that nobody paid in time, or
 * one that was cancelled before its payer came.
 */
export type FailureReason = DeclineReason | 'pix_expired' | 'payment_cancelled';

/** How a charge stands, and where it FAILED, why. */
interface Standing {
  readonly status: ChargeStatus;
  readonly failureReason: FailureReason | null;
}

/**
 * Whether a charge has ended because nobody had paid it by its deadline, as far as was known then. What
 * counts is when the payer paid: a payment that was made in time is accepted all the same (contract section
 * 4).
 */
export function hasRunOut({ status, failureReason }: Standing): boolean {
  return status === 'EXPIRED' || (status === 'FAILED' && failureReason === 'pix_expired');
}

/**
 * Whether a payment that was made in time still makes it PAID: it is open, or had run out before the payment
 * was heard of.
 */
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

/** What a boleto asks for and until when; `null` terms were not configured or were zero. */
export interface BoletoTerms {
  readonly amountCents: number;
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
}

/** @returns what a boleto asks for, or null for a charge that has no due date. */
export function boletoTermsOf(charge: {
  readonly amountCents: number;
  readonly dueDate: CivilDate | null;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
}): BoletoTerms | null {
  const { amountCents, dueDate, interest, fine } = charge;
  return dueDate && { amountCents, dueDate, interest, fine };
}
