import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckoutStatus } from '../src/domain/checkout.ts';
import type { CheckoutId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const CHECKOUT_WORKFLOW = 'checkout';

/** One workflow per checkout or payment link. */
export function checkoutWorkflowId(checkoutId: CheckoutId): string {
  return `checkout/${checkoutId}`;
}

export interface CheckoutInput {
  readonly checkoutId: CheckoutId;
  /** When the checkout stops accepting new payments, in milliseconds since 1970; null for a payment link. */
  readonly expiresAtMs: number | null;
}

export interface PaymentAccepted {
  /** Whether other charges of the checkout still wait for a payer and must be closed. */
  readonly othersOpen: boolean;
}

/** A charge has made the checkout PAID, in a committed transaction. The signal may arrive more than once. */
export const paymentAcceptedSignal = defineSignal<[PaymentAccepted]>('paymentAccepted');

/** The integrator cancels the checkout. Returns its status: PAID if a payer was first. */
export const cancelCheckoutUpdate = defineUpdate<CheckoutStatus>('cancel');

/** What the query `state` returns once the run has left its start delay. */
export interface CheckoutState {
  readonly status: CheckoutStatus;
  readonly expiresAt: string | null;
  /** When the run checks the checkout next. This is later than its expiry if a boleto can still be paid. */
  readonly closesAt: string | null;
}

export const checkoutStateQuery = defineQuery<CheckoutState>('state');
