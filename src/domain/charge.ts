import type { CivilDate } from './civil-date.ts';

/** How a transparent charge is paid (spec, "POST /v2/transparents/create"). */
export type TransparentMethod = 'PIX' | 'BOLETO';

/** How the payer of a checkout may pay (contract section 5, "methods"). */
export const PAYMENT_METHODS = ['PIX', 'CARD', 'BOLETO'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** FREE is a payment of a checkout that a coupon has brought down to nothing: no provider takes part in it. */
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

/** Whether a charge has been paid, whatever became of the payment afterwards: nobody is asked for it again. */
export function wasPaid(status: ChargeStatus): boolean {
  return status === 'PAID' || status === 'UNDER_DISPUTE' || status === 'REFUNDED';
}

/** Monthly late interest in hundredths of a percent: 100 is 1 % a month (spec, "Boleto interest and fine"). */
export interface Interest {
  readonly value: number;
}

/** A single late fee: hundredths of a percent of the amount, or cents (spec, "Boleto interest and fine"). */
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
