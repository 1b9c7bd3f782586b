import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import type { Em } from '../../database/orm.ts';
import type { CouponStatus } from '../../domain/coupon.ts';
import type { Caller } from '../frame/caller.ts';
import { fieldError, notFound } from '../frame/errors.ts';
import type { ListCouponsQuery } from './schema.ts';

/** The caller's own coupons: of its store and environment, and not deleted. */
function ownCoupons({ storeId, devMode }: Caller) {
  return { storeId, devMode, deletedAt: null };
}

/** @throws ApiError NOT_FOUND, the same for one that is another's, of the other environment, deleted, or never was. */
export async function requireCoupon(em: Em, caller: Caller, code: string): Promise<Coupon> {
  const where = { ...ownCoupons(caller), code };
  const coupon = await em.findOne(CouponEntity, where, { disableIdentityMap: true });
  if (coupon === null) throw notFound('Coupon');
  return coupon;
}

/** @throws ApiError 409 where the code is taken. The unique index decides between requests at once. */
export async function insertCoupon(em: Em, row: Coupon): Promise<void> {
  const insert = em.qb(CouponEntity).insert(row).onConflict().ignore().returning('id');
  if ((await insert.execute('all')).length > 0) return;
  const message = 'is taken by another coupon; use another one, or delete that coupon first';
  throw fieldError(409, 'COUPON_CODE_CONFLICT', 'code', message);
}

/** The condition of GET `/coupons/list`. */
export function couponFilter(caller: Caller, { id, status }: ListCouponsQuery): FilterQuery<Coupon> {
  return {
    ...ownCoupons(caller),
    ...(id !== undefined && { code: id }),
    ...(status !== undefined && inStatus(status)),
  };
}

/** `couponStatusOf` of the domain, as a condition. */
function inStatus(status: CouponStatus): object {
  if (status === 'EXPIRED') return { [raw('max_redeems <> -1 and redeems_count >= max_redeems')]: [] };
  return { status, ...belowCap() };
}

function belowCap(): object {
  return { [raw('(max_redeems = -1 or redeems_count < max_redeems)')]: [] };
}

/**
 * Turns a coupon on or off, in one statement: of two requests at once each turns it, and none is lost.
 * @returns false where there is none, or its cap is reached.
 */
export async function toggleCoupon(em: Em, caller: Caller, code: string, now: Date): Promise<boolean> {
  const where = { ...ownCoupons(caller), code, ...belowCap() };
  const status = raw<Coupon['status']>(`case status when 'ACTIVE' then 'INACTIVE' else 'ACTIVE' end`);
  return (await em.nativeUpdate(CouponEntity, where, { status, updatedAt: now })) === 1;
}
