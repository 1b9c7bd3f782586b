import { listCoupons } from '../../../api/coupons/routes.ts';
import { COUPON_STATUSES } from '../../../domain/coupon.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { time } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { listPage, sortHeading } from '../lists/list-page.ts';
import { couponBadge, couponStatusName, discountText, usesText } from './coupon-words.ts';
import { statusTabs } from './status-tabs.ts';

export const couponList = dashboardRoute({
  method: 'GET',
  path: '/coupons',
  action: 'read',
  handler(visit) {
    const { say } = visit;
    const statuses = COUPON_STATUSES.map((status) => [status, couponStatusName(status, say)] as const);
    return listPage(visit, {
      title: say('dashboard.coupons'),
      active: 'coupons',
      operation: listCoupons,
      parameters: ['status'],
      headings: [
        say('dashboard.catalog.code'),
        say('dashboard.discount'),
        say('dashboard.catalog.uses'),
        say('dashboard.status'),
        say('dashboard.catalog.notes'),
        sortHeading(visit, say('dashboard.created')),
      ],
      rows: (items) =>
        items.map((coupon) => ({
          href: visit.link(`/coupons/${coupon.code}`),
          cells: [
            html`<code>${coupon.code}</code>`,
            discountText(coupon, visit.locale),
            usesText(coupon, say),
            couponBadge(coupon, say),
            coupon.notes,
            time(visit, coupon.createdAt),
          ],
        })),
      empty: noCoupons(visit),
      above: statusTabs(visit, say('dashboard.catalog.whichCoupons'), [
        ['', say('dashboard.all3')],
        ...statuses,
      ]),
      ...(visit.can('sell') && { actions: newButton(visit) }),
    });
  },
});

function newButton(visit: Visit) {
  return html`<a class="button" href="${visit.link('/new-coupon')}">${icon('plus')}${visit.say('dashboard.catalog.newCoupon')}</a>`;
}

function noCoupons(visit: Visit) {
  const { say } = visit;
  return emptyState({
    icon: 'ticket-percent',
    title: say('dashboard.catalog.noCouponsHere'),
    text: say('dashboard.catalog.aCouponGivesADiscount'),
    ...(visit.can('sell') && { action: newButton(visit) }),
  });
}
