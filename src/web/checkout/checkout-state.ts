import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { type ChargeStatus, hasRunOut } from '../../domain/charge.ts';
import type { CheckoutStatus } from '../../domain/checkout.ts';

/** The checkout as the payer sees it: OPEN while a payment can be started. */
export type CheckoutState = Exclude<CheckoutStatus, 'PENDING'> | 'OPEN';

/** No payment can start after `expiresAt`, although the workflow may mark the checkout a moment later. */
export function checkoutStateOf({ status, expiresAt }: Checkout, now: Date): CheckoutState {
  if (status !== 'PENDING') return status;
  return expiresAt !== null && expiresAt <= now ? 'EXPIRED' : 'OPEN';
}

/**
 * The status as the payer sees it. An unpaid code of a subscription's cycle is a failed attempt for the store, but an expired
 * code for its payer.
 */
export function payerStatus(charge: Pick<Charge, 'status' | 'failureReason'>): ChargeStatus {
  if (hasRunOut(charge)) return 'EXPIRED';
  return charge.failureReason === 'payment_cancelled' ? 'CANCELLED' : charge.status;
}
