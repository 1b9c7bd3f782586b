import { CouponEntity } from '../../database/entities/coupon.ts';
import { couponFilter, createCoupon } from '../coupons/queries.ts';
import { couponBodyWith, couponExample, couponView, notes, presentCoupon } from '../coupons/schema.ts';
import { presentPage } from '../frame/pagination.ts';
import { linkedListRoute, type Route, route } from '../frame/route.ts';

const example = { ...couponExample, maxRedeems: -1 };

const createBody = couponBodyWith({ notes }).transform((body) => ({ ...body, duration: 'ONCE' as const }));

/** Coupons of v2, except that `notes` are required (contract section 3.6). */
export const v1CouponRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/coupon/create',
    summary: 'Create a coupon',
    description: 'As in v2, but `notes` are required. A billing lists the coupons that its payer may use.',
    permission: 'COUPON:CREATE',
    audited: true,
    body: createBody,
    response: couponView,
    errors: ['COUPON_CODE_CONFLICT'],
    example: {
      body: { code: 'WELCOME10', discountKind: 'PERCENTAGE', discount: 10, notes: 'Newsletter of March' },
      response: example,
    },
    handler: async (request) => presentCoupon(await createCoupon(request), request.now),
  }),
  linkedListRoute({
    path: '/v1/coupon/list',
    summary: 'List coupons, newest first',
    permission: 'COUPON:READ',
    response: couponView,
    errors: [],
    example: { response: example },
    handler: (request) =>
      presentPage(request, CouponEntity, couponFilter(request.key, {}, request.now), (coupon) =>
        presentCoupon(coupon, request.now),
      ),
  }),
];
