import type { ProductCycle } from '../../domain/cycle.ts';
import {
  type Fields,
  fieldsOf,
  idOf,
  instantOfSeconds,
  listOf,
  metadataOf,
  numberOf,
  textOf,
} from '../foreign.ts';
import type { Problem } from '../rows.ts';
import type { SourcedRow } from '../source.ts';

/** How often Recebe can charge, by Stripe's interval and count. */
const CYCLES: Readonly<Record<string, ProductCycle>> = {
  'week 1': 'WEEKLY',
  'month 1': 'MONTHLY',
  'month 3': 'QUARTERLY',
  'month 6': 'SEMIANNUALLY',
  'month 12': 'ANNUALLY',
  'year 1': 'ANNUALLY',
};

/** What a price or an older plan charges. */
export interface StripePrice {
  /** Null for a one-off price. */
  readonly cycle: ProductCycle | null;
  readonly unitCents: number | null;
  readonly problems: readonly Problem[];
}

/** Reads a price, or a plan of older accounts, which has its interval itself. */
export function readPrice(price: Fields): StripePrice {
  const problems: Problem[] = [];
  const isPlan = price.interval !== undefined;
  const recurring = isPlan ? price : fieldsOf(price.recurring);
  const interval = textOf(recurring.interval);
  const every = `${interval} ${numberOf(recurring.interval_count) ?? 1}`;
  const cycle = interval === null ? null : (CYCLES[every] ?? null);
  if (interval !== null && cycle === null)
    problems.push({
      field: 'cycle',
      problem: `must be a week, or 1, 3, 6 or 12 months, and is every ${every.split(' ').reverse().join(' ')}s`,
    });
  if (textOf(price.currency)?.toLowerCase() !== 'brl')
    problems.push({ field: 'currency', problem: 'must be BRL: Recebe charges reais only' });
  if (price.billing_scheme === 'tiered')
    problems.push({ field: 'price', problem: 'must be one price per unit, and has tiers' });
  if (recurring.usage_type === 'metered')
    problems.push({
      field: 'price',
      problem:
        'must not be metered: create a product for the usage and record it with subscriptions/record-usage',
    });
  const unitCents = numberOf(price.unit_amount ?? price.amount);
  if (unitCents === null && problems.length === 0)
    problems.push({ field: 'price', problem: 'must be whole cents' });
  return { cycle, unitCents, problems };
}

/** A product here is a price there: both say what is charged, and how often. */
export function priceRow(price: Fields, product: Fields): SourcedRow {
  const id = idOf(price) ?? '';
  const { cycle, unitCents, problems } = readPrice(price);
  const name = textOf(product.name) ?? textOf(price.nickname) ?? id;
  const nickname = textOf(price.nickname);
  const fields = {
    name: nickname === null || nickname === name ? name : `${name} (${nickname})`,
    price: unitCents ?? undefined,
    cycle,
    description: textOf(product.description),
    imageUrl: textOf(listOf(product.images)[0]),
    archived: price.active === false || product.active === false,
  };
  return { kind: 'product', place: 'prices', id, fields, problems };
}

const DURATIONS: Readonly<Record<string, string>> = {
  once: 'ONCE',
  repeating: 'REPEATING',
  forever: 'FOREVER',
};

/** @param isDeleted Stripe lists it no more, but a subscription still has it. */
export function couponRow(coupon: Fields, isDeleted: boolean): SourcedRow {
  const id = idOf(coupon) ?? '';
  const percent = numberOf(coupon.percent_off);
  const isBrl = percent !== null || textOf(coupon.currency)?.toLowerCase() === 'brl';
  const redeemBy = instantOfSeconds(coupon.redeem_by);
  const fields = {
    code: id,
    discountKind: percent === null ? 'FIXED' : 'PERCENTAGE',
    discount: percent ?? numberOf(coupon.amount_off) ?? undefined,
    duration: DURATIONS[textOf(coupon.duration) ?? ''],
    durationInCycles: numberOf(coupon.duration_in_months),
    maxRedeems: numberOf(coupon.max_redemptions) ?? -1,
    redeemed: numberOf(coupon.times_redeemed) ?? 0,
    isActive: !isDeleted && coupon.valid !== false,
    validUntil: redeemBy?.toISOString() ?? null,
    metadata: metadataOf(coupon.metadata),
  };
  const problems = isBrl ? [] : [{ field: 'currency', problem: 'must be BRL: Recebe charges reais only' }];
  if (redeemBy === null && coupon.redeem_by != null)
    problems.push({ field: 'redeem_by', problem: 'must be an instant before 2200, in seconds' });
  return { kind: 'coupon', place: 'coupons', id, fields, problems };
}
