import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import { type CouponDuration, type CouponStatus, UNLIMITED_REDEEMS } from '../../domain/coupon.ts';
import type { CouponId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { brokenRule, fieldError, together } from '../frame/errors.ts';
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
  now: Date,
): FilterQuery<Coupon> {
  return {
    ...keptBy(caller),
    ...createdWithin(created),
    ...(id !== undefined && { code: id }),
    ...(status !== undefined && inStatus(status, now)),
  };
}

/** The domain's `couponStatusOf` as a query condition. */
function inStatus(status: CouponStatus, now: Date): object {
  const isUsedUp = 'max_redeems <> -1 and redeems_count >= max_redeems';
  if (status === 'EXPIRED') return { [raw(`(${isUsedUp} or valid_until <= ?)`, [now])]: [] };
  return { status, ...notExpired(now) };
}

function notExpired(now: Date): object {
  const hasUses = '(max_redeems = -1 or redeems_count < max_redeems)';
  return { [raw(`(${hasUses} and (valid_until is null or valid_until > ?))`, [now])]: [] };
}

/**
 * Toggles a coupon in one statement, so that two parallel requests toggle it twice.
 * @returns false if it does not exist or is EXPIRED.
 */
export async function toggleCoupon(em: Em, caller: Caller, code: string, now: Date): Promise<boolean> {
  const where = { ...keptBy(caller), code, ...notExpired(now) };
  const status = raw<Coupon['status']>(`case status when 'ACTIVE' then 'INACTIVE' else 'ACTIVE' end`);
  return (await em.nativeUpdate(CouponEntity, where, { status, updatedAt: now })) === 1;
}

/**
 * @throws ApiError 409 if the code is taken, 422 if its validity ends before it starts, or if it has a number of cycles
 *   without being REPEATING, or the reverse.
 */
export async function createCoupon(request: ApiRequest<unknown, CreateCouponBody>): Promise<Coupon> {
  const { key, body, now } = request;
  const { validFrom = null, validUntil = null, duration, durationInCycles: durationCycles = null } = body;
  const wrong = [
    ...(validFrom !== null && validUntil !== null && validFrom >= validUntil ? [endsBeforeItStarts()] : []),
    ...((duration === 'REPEATING') === (durationCycles !== null) ? [] : [wrongCycles(duration)]),
  ];
  if (wrong.length > 0) throw together(wrong);
  const coupon: Coupon = {
    id: mintId<CouponId>('coupon', now),
    storeId: key.storeId,
    devMode: key.devMode,
    code: body.code,
    discountKind: body.discountKind,
    discountValue: discountValueOf(body),
    duration,
    durationCycles,
    maxRedeems: body.maxRedeems,
    redeemsCount: 0,
    reservedCount: 0,
    status: 'ACTIVE',
    validFrom,
    validUntil,
    notes: body.notes ?? null,
    metadata: body.metadata ?? {},
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  return request.transaction(async (em) => {
    if (!(await insertNew(em, CouponEntity, coupon))) throw codeTaken();
    await request.recordAction(em, coupon.code);
    return coupon;
  });
}

function codeTaken() {
  const message = 'is taken by another coupon; use another one, or delete that coupon first';
  return fieldError(409, 'COUPON_CODE_CONFLICT', 'code', message);
}

/**
 * Updates the given fields. The statement itself checks the new cap against used and reserved uses, because a
 * payment may run in parallel, and the validity as it will be, because another update may.
 * @throws ApiError 404 if the coupon does not exist, 422 if it has more uses than `maxRedeems` or its validity would end
 *   before it starts.
 */
export async function updateCoupon(request: ApiRequest<unknown, UpdateCouponBody>): Promise<Coupon> {
  const { em, key, body, now } = request;
  const { id: code, maxRedeems = UNLIMITED_REDEEMS, notes, metadata, validFrom, validUntil } = body;
  const change: Partial<Coupon> = {
    ...(body.maxRedeems !== undefined && { maxRedeems }),
    ...(notes !== undefined && { notes }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
    updatedAt: now,
  };
  const isEnough = raw('(? = -1 or redeems_count + reserved_count <= ?)', [maxRedeems, maxRedeems]);
  const where = { ...keptBy(key), code, [isEnough]: [], [isInOrder(validFrom, validUntil)]: [] };
  const changed = await em.nativeUpdate(CouponEntity, where, change);
  const coupon = await requireCoupon(em, key, code);
  if (changed === 1) {
    const fields = Object.keys(change).filter((field) => field !== 'updatedAt');
    if (fields.length > 0) await request.recordAction(em, code, { fields });
    return coupon;
  }
  const from = validFrom === undefined ? coupon.validFrom : validFrom;
  const until = validUntil === undefined ? coupon.validUntil : validUntil;
  if (from !== null && until !== null && from >= until) throw endsBeforeItStarts();
  const used = coupon.redeemsCount + coupon.reservedCount;
  const message = `must be -1, or at least ${used}: so many uses are already made or in progress`;
  throw brokenRule('MAX_REDEEMS_BELOW_USE', 'maxRedeems', message);
}

/** The validity after an update, as a condition: the given edges, and the stored ones for those that stay. */
function isInOrder(validFrom: Date | null | undefined, validUntil: Date | null | undefined) {
  const from = validFrom === undefined ? 'valid_from' : '?::timestamptz';
  const until = validUntil === undefined ? 'valid_until' : '?::timestamptz';
  const values = [validFrom, validUntil].filter((edge) => edge !== undefined);
  return raw(`coalesce(${from} < ${until}, true)`, values);
}

function wrongCycles(duration: CouponDuration) {
  const message =
    duration === 'REPEATING'
      ? 'is missing: say how many payments a REPEATING coupon discounts, such as 3'
      : `must be left out: only a REPEATING coupon has it, and this one is ${duration}`;
  return brokenRule('DURATION_CYCLES', 'durationInCycles', message);
}

function endsBeforeItStarts() {
  return brokenRule('RANGE_REVERSED', 'validUntil', 'must be later than validFrom');
}
