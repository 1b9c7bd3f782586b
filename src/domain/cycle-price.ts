import { type CouponDuration, type Discount, discountCentsOf } from './coupon.ts';
import { MAX_AMOUNT_CENTS } from './money.ts';

/** What the coupon of a subscription's first payment takes off its cycles, as it was then. It never changes. */
export interface CycleDiscount extends Discount {
  /** The coupon's code. */
  readonly code: string;
  /** The last cycle with the discount; null if it has no end. */
  readonly lastNumber: number | null;
}

/** The terms of a coupon for a subscription. */
export interface CouponTerms extends Discount {
  readonly code: string;
  readonly duration: CouponDuration;
  /** For REPEATING; null for all others. */
  readonly durationCycles: number | null;
}

/** Cycles count from the first charge, so a coupon that is used in a trial discounts the charges after it. */
export function cycleDiscountOf(coupon: CouponTerms): CycleDiscount {
  const { code, discountKind, discountValue, duration, durationCycles } = coupon;
  return { code, discountKind, discountValue, lastNumber: duration === 'ONCE' ? 1 : durationCycles };
}

/** What the price of a cycle consists of. */
export interface CycleToPrice {
  readonly number: number;
  /** The plan's price per cycle. */
  readonly planCents: number;
  readonly usageCents: number;
  readonly discount: CycleDiscount | null;
}

/** The price of a cycle in cents. */
export interface CyclePrice {
  readonly discountCents: number;
  /** What is charged: 0 if a coupon covers everything. */
  readonly amountCents: number;
}

/**
 * The price of a cycle: the plan less its coupon, plus usage. A coupon discounts the plan and no usage, because nobody
 * knows the usage when the payer accepts the terms. Usage beyond the maximum of a charge is refused, but a higher plan
 * may have come after the usage: no charge exceeds the maximum.
 */
export function cyclePriceOf({ number, planCents, usageCents, discount }: CycleToPrice): CyclePrice {
  const isDiscounted = discount !== null && appliesTo(discount, number);
  const discountCents = isDiscounted ? discountCentsOf(discount, planCents) : 0;
  return { discountCents, amountCents: Math.min(planCents - discountCents + usageCents, MAX_AMOUNT_CENTS) };
}

/**
 * What a coupon takes off recurring revenue in a cycle, in cents per cycle: nothing if it discounts one cycle only,
 * because the next ones cost the full price.
 */
export function recurringDiscountCentsOf({
  number,
  planCents,
  discount,
}: Omit<CycleToPrice, 'usageCents'>): number {
  if (discount === null || discount.lastNumber === 1 || !appliesTo(discount, number)) return 0;
  return discountCentsOf(discount, planCents);
}

/** Whether a cycle has the discount. */
export function appliesTo({ lastNumber }: CycleDiscount, number: number): boolean {
  return lastNumber === null || number <= lastNumber;
}
