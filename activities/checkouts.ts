import {
  cancelCheckout,
  closeOpenCharges,
  type EndCheckoutDeps,
  type Expiry,
  expireCheckout,
} from '../src/checkouts/end-checkout.ts';
import type { CheckoutStatus } from '../src/domain/checkout.ts';
import type { CheckoutId } from '../src/domain/ids.ts';
import { withHeartbeats } from './heartbeats.ts';

interface Ending {
  readonly checkoutId: CheckoutId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Ends checkouts without a payment. */
export function createCheckoutActivities(deps: EndCheckoutDeps) {
  return {
    /** @see expireCheckout */
    expireCheckout: ({ checkoutId, nowMs }: Ending): Promise<Expiry> =>
      expireCheckout(deps, checkoutId, new Date(nowMs)),

    /** @see cancelCheckout */
    cancelCheckout: ({ checkoutId, nowMs }: Ending): Promise<CheckoutStatus> =>
      withHeartbeats(() => cancelCheckout(deps, checkoutId, new Date(nowMs))),

    /** Ends every charge that still waits for its payer. The checkout has ended, so no new charge can appear. */
    closeCharges: ({ checkoutId }: Pick<Ending, 'checkoutId'>): Promise<void> =>
      withHeartbeats(() => closeOpenCharges(deps, checkoutId)),
  };
}
