import type { Coupon } from '../../database/entities/coupon.ts';
import { couponStatusOf, HUNDREDTHS_PER_PERCENT } from '../../domain/coupon.ts';
import type { CouponView } from './schema.ts';

/** A coupon as integrators see it: they know it by its code, and a percentage as a number of percent. */
export function presentCoupon(coupon: Coupon): CouponView {
  const { discountKind, discountValue } = coupon;
  return {
    id: coupon.code,
    code: coupon.code,
    discountKind,
    discount: discountKind === 'FIXED' ? discountValue : discountValue / HUNDREDTHS_PER_PERCENT,
    maxRedeems: coupon.maxRedeems,
    redeemsCount: coupon.redeemsCount,
    status: couponStatusOf(coupon),
    devMode: coupon.devMode,
    notes: coupon.notes ?? '',
    metadata: coupon.metadata,
    createdAt: coupon.createdAt.toISOString(),
    updatedAt: coupon.updatedAt.toISOString(),
  };
}
