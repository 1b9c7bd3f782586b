import { roundHalfUpDivide } from './money.ts';

export const DISCOUNT_KINDS = ['PERCENTAGE', 'FIXED'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** What a coupon's switch is set to (`coupons/toggle`). */
export type CouponSwitch = 'ACTIVE' | 'INACTIVE';

/** EXPIRED once the cap is reached (contract section 5). */
export const COUPON_STATUSES = ['ACTIVE', 'INACTIVE', 'EXPIRED'] as const;
export type CouponStatus = (typeof COUPON_STATUSES)[number];

/** `maxRedeems` of a coupon without a cap (contract section 5.8). */
export const UNLIMITED_REDEEMS = -1;

/** Percentages are kept in hundredths of a percent: 1250 is 12.5 %. */
export const HUNDREDTHS_PER_PERCENT = 100;

export interface Discount {
  readonly discountKind: DiscountKind;
  /** Hundredths of a percent, or cents. */
  readonly discountValue: number;
}

interface CouponUse {
  readonly status: CouponSwitch;
  readonly maxRedeems: number;
  readonly redeemsCount: number;
}

/**
 * What a coupon takes off a total, in cents: half up to the cent, and never more than the total (contract
 * section 5).
 */
export function discountCentsOf({ discountKind, discountValue }: Discount, totalCents: number): number {
  if (discountKind === 'FIXED') return Math.min(discountValue, totalCents);
  const numerator = BigInt(totalCents) * BigInt(discountValue);
  return roundHalfUpDivide(numerator, BigInt(100 * HUNDREDTHS_PER_PERCENT));
}

/** A coupon whose cap is reached is EXPIRED, whatever its switch says. */
export function couponStatusOf({ status, maxRedeems, redeemsCount }: CouponUse): CouponStatus {
  return maxRedeems !== UNLIMITED_REDEEMS && redeemsCount >= maxRedeems ? 'EXPIRED' : status;
}
