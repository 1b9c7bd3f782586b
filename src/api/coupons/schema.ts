import { z } from 'zod';
import type { Coupon } from '../../database/entities/coupon.ts';
import {
  COUPON_DURATIONS,
  COUPON_STATUSES,
  couponStatusOf,
  DISCOUNT_KINDS,
  HUNDREDTHS_PER_PERCENT,
  MAX_DURATION_CYCLES,
} from '../../domain/coupon.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { idText, metadata, timestamp } from '../../wire/fields.ts';
import { createdRange, instantText } from '../frame/time-range.ts';

const couponId = idText('WELCOME10');

/** The maximum of the column, a Postgres integer. */
const MAX_REDEEMS = 2_147_483_647;

const CODE_RULE = 'must be 1 to 50 letters, digits, - or _, such as WELCOME10';
const PERCENTAGE_RULE = 'must be a percentage above 0 and up to 100 with at most two decimals, such as 12.5';
const FIXED_RULE = `must be an integer number of cents between 1 and ${MAX_AMOUNT_CENTS}, such as 1000`;
const REDEEMS_RULE = `must be -1 for unlimited or an integer between 1 and ${MAX_REDEEMS}, such as 100`;

/**
 * Converts a percentage to hundredths. The product is rounded because floating point is slightly off for many
 * numbers (1.15 × 100). Dividing again returns the original number only if it has at most two decimals.
 * @returns null for more than two decimals.
 */
function hundredthsOf(percentage: number): number | null {
  const hundredths = Math.round(percentage * HUNDREDTHS_PER_PERCENT);
  return hundredths / HUNDREDTHS_PER_PERCENT === percentage ? hundredths : null;
}

const percentage = z
  .number({ error: PERCENTAGE_RULE })
  .gt(0, { error: PERCENTAGE_RULE })
  .max(100, { error: PERCENTAGE_RULE })
  .refine((value) => hundredthsOf(value) !== null, { error: PERCENTAGE_RULE })
  .meta({ description: 'Percent of the total: 12.5 is 12.5 %. At most two decimals.', example: 10 });

const fixedCents = z
  .int({ error: FIXED_RULE })
  .min(1, { error: FIXED_RULE })
  .max(MAX_AMOUNT_CENTS, { error: FIXED_RULE })
  .meta({ description: 'Cents: 1000 is R$ 10.00.', example: 1000 });

const maxRedeems = z
  .int({ error: REDEEMS_RULE })
  .min(-1, { error: REDEEMS_RULE })
  .max(MAX_REDEEMS, { error: REDEEMS_RULE })
  .refine((value) => value !== 0, { error: REDEEMS_RULE })
  .meta({ description: 'How many times it may be used; -1 for no limit.', example: 100 });

const common = {
  code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,50}$/, { error: CODE_RULE })
    .meta({
      description:
        'The code that the payer enters, and the `id` of the coupon: letters, digits, `-` and `_`. Case-sensitive: `welcome10` and `WELCOME10` are different codes.',
      example: 'WELCOME10',
    }),
  maxRedeems: maxRedeems.default(-1),
  metadata: metadata.nullish(),
};

/** What the store notes about a coupon. */
export const notes = z.string().max(500).meta({ example: 'Newsletter of March' });

const validity = {
  validFrom: instantText('first').nullish().meta({
    description:
      'Payers may use it from then on. A day, such as 2026-11-27, counts from its beginning in São Paulo.',
  }),
  validUntil: instantText('after').nullish().meta({
    description:
      'Payers may use it before then. A day, such as 2026-11-30, counts through its end in São Paulo.',
  }),
};

const CYCLES_RULE = `must be an integer between 1 and ${MAX_DURATION_CYCLES}, such as 3`;

const durations = {
  duration: z.enum(COUPON_DURATIONS).default('ONCE').meta({
    description:
      'Which payments of a subscription it discounts: the first one (`ONCE`), the first `durationInCycles` (`REPEATING`) or all (`FOREVER`). They count from the end of a trial. Other payments are discounted once.',
  }),
  durationInCycles: z
    .int({ error: CYCLES_RULE })
    .min(1, { error: CYCLES_RULE })
    .max(MAX_DURATION_CYCLES, { error: CYCLES_RULE })
    .nullish()
    .meta({ description: 'Only with `REPEATING`: how many payments it discounts.', example: 3 }),
};

/** The body of a new coupon, with these fields beside those of every coupon. */
export function couponBodyWith<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.discriminatedUnion('discountKind', [
    z.strictObject({ discountKind: z.literal('PERCENTAGE'), discount: percentage, ...common, ...fields }),
    z.strictObject({ discountKind: z.literal('FIXED'), discount: fixedCents, ...common, ...fields }),
  ]);
}

/** Body of POST `/coupons/create` (contract section 5.8). */
export const createCouponBody = couponBodyWith({ notes: notes.nullish(), ...validity, ...durations });
export type CreateCouponBody = z.output<typeof createCouponBody>;

/** Body of POST `/coupons/update`. */
export const updateCouponBody = z.strictObject({
  id: couponId,
  maxRedeems: maxRedeems.optional(),
  ...validity,
  notes: notes.nullish(),
  metadata: metadata.nullish(),
});
export type UpdateCouponBody = z.output<typeof updateCouponBody>;

/** A discount as stored: hundredths of a percent, or cents. */
export function discountValueOf({ discountKind, discount }: CreateCouponBody): number {
  if (discountKind === 'FIXED') return discount;
  const hundredths = hundredthsOf(discount);
  if (hundredths === null) throw new RangeError('a percentage that the schema should have refused');
  return hundredths;
}

/** Query of GET `/coupons/get`, POST `/coupons/toggle` and `/coupons/delete`. */
export const couponQuery = z.object({ id: couponId });

const status = z.enum(COUPON_STATUSES);

/** Filters of GET `/coupons/list` (contract section 1, "Filters"). */
export const listCouponsQuery = z.object({
  id: couponId.optional(),
  status: status.optional().meta({ example: 'ACTIVE' }),
  ...createdRange,
});
export type ListCouponsQuery = z.output<typeof listCouponsQuery>;

/** A coupon as the API returns it (contract section 5.8). */
export const couponView = z
  .object({
    id: z.string().meta({ description: 'The same as `code`.' }),
    code: z.string(),
    discountKind: z.enum(DISCOUNT_KINDS),
    discount: z.number().meta({ description: 'Percent for `PERCENTAGE`, cents for `FIXED`.' }),
    duration: z.enum(COUPON_DURATIONS).meta({
      description: 'Which payments of a subscription it discounts: the first, some or all.',
    }),
    durationInCycles: z.int().nullable().meta({ description: 'Null unless `REPEATING`.' }),
    maxRedeems: z.int().meta({ description: '-1 for no limit.' }),
    redeemsCount: z.int().meta({ description: 'How many payments used it.' }),
    status: status.meta({
      description: '`EXPIRED` once `redeemsCount` has reached `maxRedeems`, or `validUntil` has passed.',
    }),
    validFrom: timestamp.nullable().meta({ description: 'Null: payers may use it at once.' }),
    validUntil: timestamp.nullable().meta({ description: 'Excluded. Null: it does not end by itself.' }),
    devMode: z.boolean(),
    notes: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Coupon' });
export type CouponView = z.output<typeof couponView>;

export const couponExample: CouponView = {
  id: 'WELCOME10',
  code: 'WELCOME10',
  discountKind: 'PERCENTAGE',
  discount: 10,
  duration: 'ONCE',
  durationInCycles: null,
  maxRedeems: 100,
  redeemsCount: 0,
  status: 'ACTIVE',
  validFrom: null,
  validUntil: null,
  devMode: true,
  notes: 'Newsletter of March',
  metadata: {},
  createdAt: '2026-03-06T14:22:08.120Z',
  updatedAt: '2026-03-06T14:22:08.120Z',
};

/** A coupon as the API returns it, with its code as the id and its percentage in percent. @param now the store's time. */
export function presentCoupon(coupon: Coupon, now: Date): CouponView {
  const { discountKind, discountValue } = coupon;
  return {
    id: coupon.code,
    code: coupon.code,
    discountKind,
    discount: discountKind === 'FIXED' ? discountValue : discountValue / HUNDREDTHS_PER_PERCENT,
    duration: coupon.duration,
    durationInCycles: coupon.durationCycles,
    maxRedeems: coupon.maxRedeems,
    redeemsCount: coupon.redeemsCount,
    status: couponStatusOf(coupon, now),
    validFrom: coupon.validFrom?.toISOString() ?? null,
    validUntil: coupon.validUntil?.toISOString() ?? null,
    devMode: coupon.devMode,
    notes: coupon.notes ?? '',
    metadata: coupon.metadata,
    createdAt: coupon.createdAt.toISOString(),
    updatedAt: coupon.updatedAt.toISOString(),
  };
}
