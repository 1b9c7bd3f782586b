import type { Checkout } from '../../database/entities/checkout.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { limitTraffic, NoticeError, type PageContext, type PageDeps } from '../frame/page-context.ts';

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

/** Limits how often payers ask a provider for something, per IP address and per checkout. @throws NoticeError 429 */
export async function limitCharges(
  ctx: PageContext,
  deps: Pick<PageDeps, 'trafficLimiter'>,
  limit: 'chargesOfLink' | 'chargesOfCheckout',
  checkoutId: CheckoutId,
): Promise<void> {
  await limitTraffic(ctx, deps, 'chargesOfAddress');
  const seconds = await deps.trafficLimiter.countShared(ctx.req, [limit, checkoutId]);
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
}

/** The limits for the sender of this request. */
export function payerLimits(ctx: PageContext, deps: PageDeps): PayerLimits {
  return {
    beginCharge: ({ id, frequency }) =>
      limitCharges(ctx, deps, frequency === 'MULTIPLE_PAYMENTS' ? 'chargesOfLink' : 'chargesOfCheckout', id),
    tryCoupon: async ({ id, coupons }, code) => {
      const ofAddress = 'couponGuessesOfAddress';
      const also = ['couponGuessesOfCheckout', id] as const;
      await limitTraffic(ctx, deps, ofAddress, also);
      if (coupons.includes(code)) await deps.trafficLimiter.uncount({ request: ctx.req, ofAddress, also });
    },
  };
}
