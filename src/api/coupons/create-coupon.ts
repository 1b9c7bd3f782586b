import type { Coupon } from '../../database/entities/coupon.ts';
import type { CouponId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import type { ApiRequest } from '../frame/request.ts';
import { insertCoupon } from './queries.ts';
import { type CreateCouponBody, discountValueOf } from './schema.ts';

/** @throws ApiError 409 where the code is taken. */
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
  await insertCoupon(em, coupon);
  return coupon;
}
