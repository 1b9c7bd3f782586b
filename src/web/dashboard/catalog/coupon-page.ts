import { getCoupon } from '../../../api/coupons/routes.ts';
import type { CouponView } from '../../../api/coupons/schema.ts';
import { UNLIMITED_REDEEMS } from '../../../domain/coupon.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyChip, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { limitField, notesField, validityDaysOf, validityFields } from './coupon-form.ts';
import { couponBadge, discountText, durationText, usesText, validityText } from './coupon-words.ts';

/** The name of the dialog that changes a coupon. */
export const EDIT = 'edit';

export const couponPage = dashboardRoute({
  method: 'GET',
  path: '/coupons/:code',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const coupon = await read(visit, getCoupon, { query: { id: visit.params.code } });
    const { code, notes } = coupon;
    return detailPage(visit, {
      title: code,
      active: 'coupons',
      state: couponBadge(coupon, say),
      main: html`${section(say('dashboard.catalog.validity'), html`<p>${validityText(visit, coupon)}</p>`)}
${notes !== '' && section(say('dashboard.catalog.notes'), html`<p class="texts">${notes}</p>`)}`,
      cards: [
        {
          title: say('dashboard.details'),
          rows: [
            [say('dashboard.catalog.code'), copyChip(visit, code)],
            [say('dashboard.discount'), discountText(coupon, visit.locale)],
            [say('dashboard.catalog.inSubscriptions'), durationText(coupon, say)],
            [say('dashboard.catalog.uses'), usesText(coupon, say)],
            ...validityRows(visit, coupon),
            [say('dashboard.created'), time(visit, coupon.createdAt)],
            [say('dashboard.catalog.changed'), time(visit, coupon.updatedAt)],
          ],
        },
      ],
      ...(visit.can('sell') && { actions: actionsOf(visit, coupon) }),
    });
  },
});

function actionsOf(visit: Visit, coupon: CouponView): Html {
  return html`${deleteDialog(visit, coupon)}
${coupon.status !== 'EXPIRED' && toggleForm(visit, coupon)}
${editDialog(visit, coupon)}`;
}

/** A validity ends just before its end: at 23:59 of its last day. */
function validityRows(visit: Visit, { validFrom, validUntil }: CouponView): [string, Html][] {
  const { say } = visit;
  const lastMs = validUntil === null ? null : Date.parse(validUntil) - 1;
  return [
    ...(validFrom === null
      ? []
      : [[say('dashboard.catalog.validFrom'), time(visit, validFrom)] as [string, Html]]),
    ...(lastMs === null
      ? []
      : [[say('dashboard.catalog.validUntil'), time(visit, new Date(lastMs))] as [string, Html]]),
  ];
}

function editDialog(visit: Visit, coupon: CouponView): Html {
  const { code, maxRedeems, notes } = coupon;
  const { say } = visit;
  const fields = fieldsOf(visit, EDIT);
  const limit = maxRedeems === UNLIMITED_REDEEMS ? '' : String(maxRedeems);
  return formDialog(visit, {
    name: EDIT,
    button: say('dashboard.catalog.changeLimit'),
    title: say('dashboard.catalog.limitAndNotes'),
    text: say('dashboard.catalog.codeAndDiscountCannotChange'),
    action: `/coupons/${code}/edit`,
    fields: html`${limitField(visit, fields, limit)}${validityFields(visit, fields, validityDaysOf(coupon))}${notesField(visit, fields, notes)}`,
    submit: say('dashboard.save'),
  });
}

/** Can be undone by the same button, so it asks nothing. */
function toggleForm(visit: Visit, { code, status }: CouponView): Html {
  const { say } = visit;
  const submit = status === 'INACTIVE' ? say('dashboard.switchOn') : say('dashboard.switchOff');
  return form(visit, { action: `/coupons/${code}/toggle`, submit, style: 'quiet' });
}

function deleteDialog(visit: Visit, { code }: CouponView): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'delete',
    button: say('dashboard.delete'),
    title: say('dashboard.catalog.deleteTheCoupon', { code }),
    text: say('dashboard.catalog.thisCannotBeUndone'),
    action: `/coupons/${code}/delete`,
    submit: say('dashboard.catalog.deleteCoupon'),
    isDangerous: true,
  });
}
