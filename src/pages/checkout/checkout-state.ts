import type { Checkout } from '../../database/entities/checkout.ts';
import type { CheckoutStatus } from '../../domain/checkout.ts';

/** What the payer meets: OPEN while a payment can be begun. */
export type CheckoutState = Exclude<CheckoutStatus, 'PENDING'> | 'OPEN';

/** No payment is begun after `expiresAt`, though the workflow may take a moment longer to say so. */
export function checkoutStateOf({ status, expiresAt }: Checkout, now: Date): CheckoutState {
  if (status !== 'PENDING') return status;
  return expiresAt !== null && expiresAt <= now ? 'EXPIRED' : 'OPEN';
}
