import { listCoupons } from '../../../api/coupons/routes.ts';
import { COUPON_STATUSES } from '../../../domain/coupon.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { time } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { listPage } from '../lists/list-page.ts';
import { couponBadge, couponStatusName, discountText, usesText } from './coupon-words.ts';
import { tabs } from './tabs.ts';

export const couponList = dashboardRoute({
  method: 'GET',
  path: '/coupons',
  action: 'read',
  handler(visit) {
    const { say } = visit;
    const statuses = COUPON_STATUSES.map((status) => [status, couponStatusName(status, say)] as const);
    return listPage(visit, {
      title: say('Cupons', 'Coupons'),
      active: 'coupons',
      operation: listCoupons,
      parameters: ['status'],
      headings: [
        say('Código', 'Code'),
        say('Desconto', 'Discount'),
        say('Usos', 'Uses'),
        say('Situação', 'Status'),
        say('Observações', 'Notes'),
        say('Criado', 'Created'),
      ],
      rows: (items) =>
        items.map((coupon) => ({
          href: visit.link(`/coupons/${coupon.code}`),
          cells: [
            html`<code>${coupon.code}</code>`,
            discountText(coupon),
            usesText(coupon, say),
            couponBadge(coupon, say),
            coupon.notes,
            time(visit, coupon.createdAt),
          ],
        })),
      empty: noCoupons(visit),
      above: tabs(visit, say('Quais cupons', 'Which coupons'), [['', say('Todos', 'All')], ...statuses]),
      ...(visit.can('sell') && { actions: newButton(visit) }),
    });
  },
});

function newButton(visit: Visit) {
  return html`<a class="button" href="${visit.link('/new-coupon')}">${icon('plus')}${visit.say('Novo cupom', 'New coupon')}</a>`;
}

function noCoupons(visit: Visit) {
  const { say } = visit;
  return emptyState({
    icon: 'ticket-percent',
    title: say('Nenhum cupom aqui', 'No coupons here'),
    text: say(
      'Um cupom dá desconto a quem digita o seu código no checkout.',
      'A coupon gives a discount to payers who enter its code at the checkout.',
    ),
    ...(visit.can('sell') && { action: newButton(visit) }),
  });
}
