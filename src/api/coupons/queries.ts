import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import { type CouponStatus, UNLIMITED_REDEEMS } from '../../domain/coupon.ts';
import type { CouponId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { brokenRule, fieldError } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import {
  type CreateCouponBody,
  discountValueOf,
  type ListCouponsQuery,
  type UpdateCouponBody,
} from './schema.ts';

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireCoupon(em: Em, caller: Caller, code: string): Promise<Coupon> {
  return requireRow(em, CouponEntity, { ...keptBy(caller), code }, 'Coupon');
}

/** The query condition of GET `/coupons/list`. */
export function couponFilter(
  caller: Caller,
  { id, status, ...created }: ListCouponsQuery,
): FilterQuery<Coupon> {
  return {
    ...keptBy(caller),
    ...createdWithin(created),
    ...(id !== undefined && { code: id }),
    ...(status !== undefined && inStatus(status)),
  };
}

/** The domain's `couponStatusOf` as a query condition. */
function inStatus(status: CouponStatus): object {
  if (status === 'EXPIRED') return { [raw('max_redeems <> -1 and redeems_count >= max_redeems')]: [] };
  return { status, ...belowCap() };
}

function belowCap(): object {
  return { [raw('(max_redeems = -1 or redeems_count < max_redeems)')]: [] };
}

/**
 * Toggles a coupon in one statement, so that two parallel requests toggle it twice.
 * @returns false if it does not exist or is used up.
 */
export async function toggleCoupon(em: Em, caller: Caller, code: string, now: Date): Promise<boolean> {
  const where = { ...keptBy(caller), code, ...belowCap() };
  const status = raw<Coupon['status']>(`case status when 'ACTIVE' then 'INACTIVE' else 'ACTIVE' end`);
  return (await em.nativeUpdate(CouponEntity, where, { status, updatedAt: now })) === 1;
}

/** @throws ApiError 409 if the code is taken. */
export async function createCoupon({
  em,
  key,
  body,
  now,
}: ApiRequest<unknown, CreateCouponBody>): Promise<Coupon> {
  const coupon: Coupon = {
    id: mintId<CouponId>('coupon', now),
    storeId: key.storeId,
    devMode: key.devMode,
    code: body.code,
    discountKind: body.discountKind,
    discountValue: discountValueOf(body),
    maxRedeems: body.maxRedeems,
    redeemsCount: 0,
    reservedCount: 0,
    status: 'ACTIVE',
    notes: body.notes ?? null,
    metadata: body.metadata ?? {},
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  if (await insertNew(em, CouponEntity, coupon)) return coupon;
  const message = 'is taken by another coupon; use another one, or delete that coupon first';
  throw fieldError(409, 'COUPON_CODE_CONFLICT', 'code', message);
}

/**
 * Updates the given fields. The statement itself checks the new cap against used and reserved uses, because a
 * payment may run in parallel.
 * @throws ApiError 404 if the coupon does not exist, 422 if it has more uses than `maxRedeems`.
 */
export async function updateCoupon({
  em,
  key,
  body,
  now,
}: ApiRequest<unknown, UpdateCouponBody>): Promise<Coupon> {
  const { id: code, maxRedeems = UNLIMITED_REDEEMS, notes, metadata } = body;
  const change: Partial<Coupon> = {
    ...(body.maxRedeems !== undefined && { maxRedeems }),
    ...(notes !== undefined && { notes }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    updatedAt: now,
  };
  const isEnough = raw('(? = -1 or redeems_count + reserved_count <= ?)', [maxRedeems, maxRedeems]);
  const where = { ...keptBy(key), code, [isEnough]: [] };
  const changed = await em.nativeUpdate(CouponEntity, where, change);
  const coupon = await requireCoupon(em, key, code);
  if (changed === 1) return coupon;
  const used = coupon.redeemsCount + coupon.reservedCount;
  const message = `must be -1, or at least ${used}: so many uses are already made or in progress`;
  throw brokenRule('MAX_REDEEMS_BELOW_USE', 'maxRedeems', message);
}
