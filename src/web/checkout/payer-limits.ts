import type { Checkout } from '../../database/entities/checkout.ts';
import { limitTraffic, type PageContext, type PageDeps } from '../frame/page-context.ts';

/** Rate limits for payers: per IP address, and per checkout for all its payers together. */
export interface PayerLimits {
  /** @throws NoticeError 429 */
  beginCharge(checkout: Checkout): Promise<void>;
  /**
   * Call this before revealing whether a code is valid, so that guessing cannot succeed beyond the limit. It counts before the
   * lookup, so concurrent guesses do not get more attempts. A valid code is refunded.
   * @throws NoticeError 429
   */
  tryCoupon(checkout: Checkout, code: string): Promise<void>;
}

/** The limits for the sender of this request. */
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
