import type { Checkout } from '../../database/entities/checkout.ts';
import { limitTraffic, type PageContext, type PageDeps } from '../frame/page-context.ts';

/** What a payer may do so and so often: at their address, and all payers of a checkout together. */
export interface PayerLimits {
  /** @throws NoticeError 429 */
  beginCharge(checkout: Checkout): Promise<void>;
  /**
   * Before anything is said of a code, right or wrong: who guesses must not see that one was right either.
   * Counted before it is looked at, so that many at once are no more than one after the other; a code that the
   * checkout has is no guess, and is taken back.
   * @throws NoticeError 429
   */
  tryCoupon(checkout: Checkout, code: string): Promise<void>;
}

/** Of whoever sent this request. */
export function payerLimits(ctx: PageContext, deps: PageDeps): PayerLimits {
  return {
    beginCharge: ({ id, frequency }) => {
      const limit = frequency === 'MULTIPLE_PAYMENTS' ? 'chargesOfLink' : 'chargesOfCheckout';
      return limitTraffic(ctx, deps, 'chargesOfAddress', [limit, id]);
    },
    tryCoupon: async ({ id, coupons }, code) => {
      const ofAddress = 'couponGuessesOfAddress';
      const also = ['couponGuessesOfCheckout', id] as const;
      await limitTraffic(ctx, deps, ofAddress, also);
      if (coupons.includes(code)) await deps.trafficLimiter.uncount({ request: ctx.req, ofAddress, also });
    },
  };
}
