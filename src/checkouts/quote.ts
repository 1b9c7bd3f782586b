import type { Checkout } from '../database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../database/entities/coupon.ts';
import type { Em } from '../database/orm.ts';
import { discountCentsOf } from '../domain/coupon.ts';
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
 * @throws PaymentRefusal COUPON_NOT_VALID or COUPON_EXHAUSTED
 */
export async function quote(em: Em, checkout: Checkout, couponCode: string | null): Promise<Quote> {
  const coupon = couponCode === null ? null : await findCoupon(em, checkout, couponCode);
  const subtotalCents = checkout.amountCents;
  const discountCents = coupon === null ? 0 : discountCentsOf(coupon, subtotalCents);
  const totalCents = subtotalCents - discountCents;
  const dueNowCents = checkout.trialDays === null ? totalCents : 0;
  return { coupon, subtotalCents, discountCents, totalCents, dueNowCents };
}

async function findCoupon(em: Em, checkout: Checkout, code: string): Promise<Coupon> {
  const { storeId, devMode, coupons } = checkout;
  if (!coupons.includes(code)) throw new PaymentRefusal('COUPON_NOT_VALID');
  const own = { storeId, devMode, code, deletedAt: null };
  const coupon = await em.findOne(CouponEntity, own, { disableIdentityMap: true });
  if (coupon?.status !== 'ACTIVE') throw new PaymentRefusal('COUPON_NOT_VALID');
  const { maxRedeems, redeemsCount, reservedCount } = coupon;
  if (maxRedeems !== -1 && redeemsCount + reservedCount >= maxRedeems)
    throw new PaymentRefusal('COUPON_EXHAUSTED');
  return coupon;
}
