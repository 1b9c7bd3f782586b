import { CouponEntity } from '../../database/entities/coupon.ts';
import { isUsedUp } from '../../domain/coupon.ts';
import { brokenRule } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deleteRow } from '../frame/rows.ts';
import { couponFilter, createCoupon, requireCoupon, toggleCoupon, updateCoupon } from './queries.ts';
import {
  couponExample,
  couponQuery,
  couponView,
  createCouponBody,
  listCouponsQuery,
  presentCoupon,
  updateCouponBody,
} from './schema.ts';

const create = route({
  method: 'POST',
  path: '/coupons/create',
  summary: 'Create a coupon',
  description: `A checkout names the coupons that its payer may use. A use counts when the payment is made.`,
  permission: 'COUPON:CREATE',
  audited: true,
  body: createCouponBody,
  response: couponView,
  errors: ['COUPON_CODE_CONFLICT', 'NOT_ACCEPTABLE'],
  example: {
    body: {
      code: couponExample.code,
      discountKind: 'PERCENTAGE',
      discount: couponExample.discount,
      maxRedeems: couponExample.maxRedeems,
      notes: 'Newsletter of March',
    },
    response: couponExample,
  },
  handler: async (request) => presentCoupon(await createCoupon(request), request.now),
});

const update = route({
  method: 'POST',
  path: '/coupons/update',
  summary: 'Update a coupon',
  description: `Given fields replace stored ones; omitted fields stay unchanged. \`metadata\` is replaced as a whole; null empties it and
\`notes\`, \`validFrom\` and \`validUntil\`. An \`EXPIRED\` coupon becomes \`ACTIVE\` again with a higher \`maxRedeems\` or a later \`validUntil\`. Code and discount cannot change, because payers rely
on them.`,
  permission: 'COUPON:UPDATE',
  audited: true,
  body: updateCouponBody,
  response: couponView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE'],
  example: {
    body: { id: couponExample.code, maxRedeems: couponExample.maxRedeems },
    response: couponExample,
  },
  handler: (request) =>
    // One transaction, so that the response shows this request's own result.
    request.transaction(async () => presentCoupon(await updateCoupon(request), request.now)),
});

const list = listRoute({
  path: '/coupons/list',
  summary: 'List coupons',
  permission: 'COUPON:READ',
  query: listCouponsQuery,
  response: couponView,
  errors: [],
  example: { response: couponExample },
  handler: (request) =>
    presentPage(request, CouponEntity, couponFilter(request.key, request.query, request.now), (coupon) =>
      presentCoupon(coupon, request.now),
    ),
});

const get = route({
  method: 'GET',
  path: '/coupons/get',
  summary: 'Get a coupon',
  permission: 'COUPON:READ',
  query: couponQuery,
  response: couponView,
  errors: ['NOT_FOUND'],
  example: { response: couponExample },
  async handler({ em, key, query, now }) {
    return presentCoupon(await requireCoupon(em, key, query.id), now);
  },
});

const toggle = route({
  method: 'POST',
  path: '/coupons/toggle',
  alias: 'PATCH',
  summary: 'Turn a coupon on or off',
  description: '`ACTIVE` becomes `INACTIVE` and the reverse. An `EXPIRED` coupon stays unchanged.',
  permission: 'COUPON:UPDATE',
  audited: true,
  query: couponQuery,
  response: couponView,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { response: { ...couponExample, status: 'INACTIVE' } },
  handler(request) {
    const { key, query, now } = request;
    // One transaction, so that the response shows this request's result and not that of the next one.
    return request.transaction(async (em) => {
      const toggled = await toggleCoupon(em, key, query.id, now);
      const coupon = await requireCoupon(em, key, query.id);
      if (toggled) {
        await request.recordAction(em, coupon.code);
        return presentCoupon(coupon, now);
      }
      if (isUsedUp(coupon))
        throw brokenRule('USED_UP', 'id', 'the coupon is EXPIRED: it was used maxRedeems times');
      throw brokenRule('VALIDITY_OVER', 'id', 'the coupon is EXPIRED: its validUntil has passed');
    });
  },
});

const remove = route({
  method: 'POST',
  path: '/coupons/delete',
  alias: 'DELETE',
  summary: 'Delete a coupon',
  description:
    'The coupon can no longer be used, and its code is free for a new coupon. Payments made with it stay unchanged.',
  permission: 'COUPON:DELETE',
  audited: true,
  query: couponQuery,
  response: couponView,
  errors: ['NOT_FOUND'],
  example: { response: couponExample },
  handler(request) {
    const { key, query, now } = request;
    return request.transaction(async (em) => {
      const coupon = await requireCoupon(em, key, query.id);
      const deleted = await deleteRow(em, CouponEntity, coupon, now, 'Coupon');
      await request.recordAction(em, coupon.code);
      return presentCoupon(deleted, now);
    });
  },
});

export const couponRoutes: readonly Route[] = [create, update, list, get, toggle, remove];

export {
  create as createCoupon,
  get as getCoupon,
  list as listCoupons,
  remove as deleteCoupon,
  toggle as toggleCoupon,
  update as updateCoupon,
};
