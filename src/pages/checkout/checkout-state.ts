import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { type ChargeStatus, hasRunOut } from '../../domain/charge.ts';
import type { CheckoutStatus } from '../../domain/checkout.ts';

/** What the payer meets: OPEN while a payment can be begun. */
export type CheckoutState = Exclude<CheckoutStatus, 'PENDING'> | 'OPEN';

/** No payment is begun after `expiresAt`, though the workflow may take a moment longer to say so. */
export function checkoutStateOf({ status, expiresAt }: Checkout, now: Date): CheckoutState {
  if (status !== 'PENDING') return status;
  return expiresAt !== null && expiresAt <= now ? 'EXPIRED' : 'OPEN';
}

/**
 * How a payment stands, as its payer sees it: to the store a code of a subscription's cycle that nobody paid
 * is a failed attempt, to its payer it is a code that has run out.
 */
export function payerStatus(charge: Pick<Charge, 'status' | 'failureReason'>): ChargeStatus {
  if (hasRunOut(charge)) return 'EXPIRED';
  return charge.failureReason === 'payment_cancelled' ? 'CANCELLED' : charge.status;
}
