import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CouponDuration, CouponSwitch, DiscountKind } from '../../domain/coupon.ts';
import type { CouponId, StoreId } from '../../domain/ids.ts';

/**
 * A discount that payers of a checkout may use, unique by code per store and environment while it is not
 * deleted.
 *
 * A use is reserved while a charge with the coupon is PENDING, counted when the charge is paid, and given
 * back when it ends in another way; each happens in the statement that changes the charge. A check constraint
 * keeps both counts under the cap.
 */
export const CouponEntity = defineEntity({
  name: 'Coupon',
  tableName: 'coupons',
  properties: {
    id: p.text().$type<CouponId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    code: p.text(),
    discountKind: p.text().$type<DiscountKind>(),
    /** Hundredths of a percent, or cents. */
    discountValue: p.bigint('number'),
    duration: p.text().$type<CouponDuration>().default('ONCE'),
    /** For REPEATING; null for all others. */
    durationCycles: p.integer().strictNullable(),
    /** -1 for no cap. */
    maxRedeems: p.integer(),
    redeemsCount: p.integer(),
    reservedCount: p.integer(),
    status: p.text().$type<CouponSwitch>(),
    validFrom: p.datetime().strictNullable(),
    /** Excluded. */
    validUntil: p.datetime().strictNullable(),
    notes: p.text().strictNullable(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().strictNullable(),
  },
});
export type Coupon = InferEntity<typeof CouponEntity>;
