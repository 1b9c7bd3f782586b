import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckoutStatus } from '../src/domain/checkout.ts';
import type { CheckoutId } from '../src/domain/ids.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const CHECKOUT_WORKFLOW = 'checkout';

/** One workflow per checkout or payment link. */
export function checkoutWorkflowId(checkoutId: CheckoutId): string {
  return `checkout/${checkoutId}`;
}

export interface CheckoutInput {
  readonly checkoutId: CheckoutId;
  /** From when no payment is begun, in milliseconds since 1970; null for a payment link. */
  readonly expiresAtMs: number | null;
}

export interface PaymentAccepted {
  /** Whether other charges of the checkout still wait for their payer; they are then closed. */
  readonly othersOpen: boolean;
}

/** A charge has made the checkout PAID, and that is committed. May arrive more than once. */
export const paymentAcceptedSignal = defineSignal<[PaymentAccepted]>('paymentAccepted');

/** The integrator cancels the checkout. Answers with its status: PAID where a payer was first. */
export const cancelCheckoutUpdate = defineUpdate<CheckoutStatus>('cancel');

/** What an operator sees of a checkout that has been woken. */
export interface CheckoutState {
  readonly status: CheckoutStatus;
  readonly expiresAt: string | null;
  /** When it is looked at next: later than it expires where a boleto can still be paid. */
  readonly closesAt: string | null;
}

export const checkoutStateQuery = defineQuery<CheckoutState>('state');
