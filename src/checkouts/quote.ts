import type { Checkout } from '../database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../database/entities/coupon.ts';
import type { Em } from '../database/orm.ts';
import { couponProblemOf, discountCentsOf } from '../domain/coupon.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/** The price of a checkout for its payer. */
export interface Quote {
  readonly coupon: Coupon | null;
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly totalCents: number;
  /** The amount to pay now: zero if a trial begins. */
  readonly dueNowCents: number;
}

/**
 * The price of the checkout with this code. A quote does not reserve the coupon; that happens when the payment
 * begins.
 * @param now the store's time.
 * @throws PaymentRefusal COUPON_NOT_VALID, COUPON_OUTSIDE_VALIDITY or COUPON_EXHAUSTED
 */
export async function quote(
  em: Em,
  checkout: Checkout,
  couponCode: string | null,
  now: Date,
): Promise<Quote> {
  const coupon = couponCode === null ? null : await findCoupon(em, checkout, couponCode, now);
  const subtotalCents = checkout.amountCents;
  const discountCents = coupon === null ? 0 : discountCentsOf(coupon, subtotalCents);
  const totalCents = subtotalCents - discountCents;
  const dueNowCents = checkout.trialDays === null ? totalCents : 0;
  return { coupon, subtotalCents, discountCents, totalCents, dueNowCents };
}

async function findCoupon(em: Em, checkout: Checkout, code: string, now: Date): Promise<Coupon> {
  const { storeId, devMode, coupons } = checkout;
  if (!coupons.includes(code)) throw new PaymentRefusal('COUPON_NOT_VALID');
  const own = { storeId, devMode, code, deletedAt: null };
  const coupon = await em.findOne(CouponEntity, own, { disableIdentityMap: true });
  const problem = couponProblemOf(coupon, now);
  if (coupon === null || problem !== null) throw new PaymentRefusal(problem ?? 'COUPON_NOT_VALID');
  return coupon;
}
