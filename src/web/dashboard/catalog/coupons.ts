import { deleteCoupon, getCoupon, toggleCoupon, updateCoupon } from '../../../api/coupons/routes.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { newCouponPages, typedLimit, typedValidity, validityDaysOf } from './coupon-form.ts';
import { couponList } from './coupon-list.ts';
import { couponPage, EDIT } from './coupon-page.ts';

function pathOf({ params }: Visit): `/${string}` {
  return `/coupons/${params.code}`;
}

const save = formAction({
  path: '/coupons/:code/edit',
  action: 'sell',
  back: pathOf,
  form: { name: EDIT, page: couponPage.handler },
  async work(visit) {
    const { say, params } = visit;
    const shown = validityDaysOf(await read(visit, getCoupon, { query: { id: params.code } }));
    const notes = visit.field('notes') || null;
    const body = { id: params.code, maxRedeems: typedLimit(visit), notes, ...typedValidity(visit, shown) };
    await carryOut(visit, updateCoupon, { body });
    return seeOther(visit.link(pathOf(visit)), say('dashboard.catalog.theCouponWasSaved'));
  },
});

const toggle = formAction({
  path: '/coupons/:code/toggle',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    const { say } = visit;
    const { status } = await carryOut(visit, toggleCoupon, { query: { id: visit.params.code } });
    const done =
      status === 'ACTIVE'
        ? say('dashboard.catalog.theCouponIsSwitchedOn')
        : say('dashboard.theCouponIsSwitchedOff');
    return seeOther(visit.link(pathOf(visit)), done);
  },
});

const remove = formAction({
  path: '/coupons/:code/delete',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    await carryOut(visit, deleteCoupon, { query: { id: visit.params.code } });
    return seeOther(visit.link('/coupons'), visit.say('dashboard.catalog.theCouponWasDeleted'));
  },
});

export const couponPages: readonly DashboardRoute[] = [
  couponList,
  ...newCouponPages,
  couponPage,
  save,
  toggle,
  remove,
];
