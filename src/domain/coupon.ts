import { roundHalfUpDivide } from './money.ts';

export const DISCOUNT_KINDS = ['PERCENTAGE', 'FIXED'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** What a coupon's switch is set to (`coupons/toggle`). */
export type CouponSwitch = 'ACTIVE' | 'INACTIVE';

/** EXPIRED once the cap is reached, or its validity is over (contract section 5). */
export const COUPON_STATUSES = ['ACTIVE', 'INACTIVE', 'EXPIRED'] as const;
export type CouponStatus = (typeof COUPON_STATUSES)[number];

/**
 * Which cycles of a subscription a coupon discounts, counted from the first one that is charged. Another payment has one
 * cycle only.
 */
export const COUPON_DURATIONS = ['ONCE', 'REPEATING', 'FOREVER'] as const;
export type CouponDuration = (typeof COUPON_DURATIONS)[number];

/** The most cycles of a REPEATING coupon: ten years of weeks. */
export const MAX_DURATION_CYCLES = 520;

/** `maxRedeems` of a coupon without a cap (contract section 5.8). */
export const UNLIMITED_REDEEMS = -1;

/** Percentages are kept in hundredths of a percent: 1250 is 12.5 %. */
export const HUNDREDTHS_PER_PERCENT = 100;

export interface Discount {
  readonly discountKind: DiscountKind;
  /** Hundredths of a percent, or cents. */
  readonly discountValue: number;
}

/** When payers may use a coupon; null for no limit. The end is excluded. */
export interface CouponValidity {
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
}

interface CouponUse extends CouponValidity {
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

/**
 * A coupon whose cap is reached, or whose validity is over, is EXPIRED, whatever its switch says. Before its validity begins, its
 * switch counts: checkouts may already name it.
 */
export function couponStatusOf(coupon: CouponUse, now: Date): CouponStatus {
  return isUsedUp(coupon) || isOver(coupon, now) ? 'EXPIRED' : coupon.status;
}

/** Whether all uses of a coupon are made. */
export function isUsedUp({
  maxRedeems,
  redeemsCount,
}: Pick<CouponUse, 'maxRedeems' | 'redeemsCount'>): boolean {
  return maxRedeems !== UNLIMITED_REDEEMS && redeemsCount >= maxRedeems;
}

/** Whether the validity of a coupon has ended. */
export function isOver({ validUntil }: Pick<CouponValidity, 'validUntil'>, now: Date): boolean {
  return validUntil !== null && now >= validUntil;
}

/** Why a payment that begins now cannot use a coupon of its checkout. */
export type CouponProblem = 'COUPON_NOT_VALID' | 'COUPON_OUTSIDE_VALIDITY' | 'COUPON_EXHAUSTED';

/** Null if a payment that begins now can use the coupon. @param coupon null for an unknown or deleted one. */
export function couponProblemOf(
  coupon: (CouponUse & { readonly reservedCount: number }) | null,
  now: Date,
): CouponProblem | null {
  if (coupon?.status !== 'ACTIVE') return 'COUPON_NOT_VALID';
  const isEarly = coupon.validFrom !== null && now < coupon.validFrom;
  if (isEarly || isOver(coupon, now)) return 'COUPON_OUTSIDE_VALIDITY';
  const { maxRedeems, redeemsCount, reservedCount } = coupon;
  return isUsedUp({ maxRedeems, redeemsCount: redeemsCount + reservedCount }) ? 'COUPON_EXHAUSTED' : null;
}
