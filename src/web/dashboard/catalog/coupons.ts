import { createCoupon, listCoupons, toggleCoupon } from '../../../api/coupons/routes.ts';
import type { CouponView } from '../../../api/coupons/schema.ts';
import { invalid } from '../../../api/frame/errors.ts';
import { UNLIMITED_REDEEMS } from '../../../domain/coupon.ts';
import { html } from '../../frame/html.ts';
import { badge } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { carryOut } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { listPage } from '../lists/list-page.ts';
import { amount, centsIn } from '../words.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/coupons',
  action: 'read',
  handler(visit) {
    const { say } = visit;
    const maySell = visit.can('sell');
    return listPage(visit, {
      title: say('Cupons', 'Coupons'),
      active: 'coupons',
      operation: listCoupons,
      parameters: [],
      headings: [
        say('Código', 'Code'),
        say('Desconto', 'Discount'),
        say('Usos', 'Uses'),
        say('Situação', 'Status'),
        ...(maySell ? [''] : []),
      ],
      rows: (items) =>
        items.map((coupon) => [
          html`<code>${coupon.code}</code>`,
          discountText(coupon),
          coupon.maxRedeems === UNLIMITED_REDEEMS
            ? String(coupon.redeemsCount)
            : `${coupon.redeemsCount} / ${coupon.maxRedeems}`,
          statusOf(visit, coupon),
          ...(maySell ? [toggleForm(visit, coupon)] : []),
        ]),
      empty: emptyState({
        icon: 'ticket-percent',
        title: say('Nenhum cupom ainda', 'No coupons yet'),
        text: say(
          'Um cupom dá desconto a quem digita o seu código no checkout.',
          'A coupon gives a discount to payers who enter its code at the checkout.',
        ),
      }),
      ...(maySell && { actions: newCoupon(visit) }),
    });
  },
});

function discountText({ discountKind, discount }: CouponView): string {
  return discountKind === 'FIXED' ? amount(discount) : `${discount} %`;
}

function statusOf({ say }: Visit, { status }: CouponView) {
  if (status === 'ACTIVE') return badge('good', say('Ativo', 'Active'));
  return badge('plain', status === 'EXPIRED' ? say('Esgotado', 'Used up') : say('Desligado', 'Switched off'));
}

function toggleForm(visit: Visit, { code, status }: CouponView) {
  const { say } = visit;
  const submit = status === 'INACTIVE' ? say('Ligar', 'Switch on') : say('Desligar', 'Switch off');
  return form(visit, { action: `/coupons/${code}/toggle`, submit, style: 'quiet' });
}

function newCoupon(visit: Visit) {
  const { say } = visit;
  const kinds = [
    ['PERCENTAGE', '%'],
    ['FIXED', 'R$'],
  ] as const;
  const fields = fieldsOf(visit, 'new-coupon');
  return formDialog(visit, {
    name: 'new-coupon',
    button: say('Novo cupom', 'New coupon'),
    title: say('Novo cupom', 'New coupon'),
    action: '/coupons',
    fields: html`${fields.text({ name: 'code', label: say('Código', 'Code'), maxLength: 50 })}
${fields.select({ name: 'discountKind', label: say('Tipo', 'Kind'), value: 'PERCENTAGE', options: kinds })}
${fields.text({ name: 'discount', label: say('Desconto, como 10 ou 15,00', 'Discount, such as 10 or 15,00') })}
${fields.text({ name: 'maxRedeems', label: say('Quantos usos (vazio: sem limite)', 'How many uses (empty: no limit)'), required: false })}`,
    submit: say('Criar', 'Create'),
  });
}

const create = formAction({
  path: '/coupons',
  action: 'sell',
  back: () => '/coupons',
  form: { name: 'new-coupon', page: list.handler },
  async work(visit) {
    const kind = visit.field('discountKind');
    const text = visit.field('discount');
    const discount = kind === 'FIXED' ? centsIn(text) : Number(text.replace(',', '.'));
    if (discount === null || Number.isNaN(discount)) throw invalid('discount', 'must be such as 10 or 15,00');
    const most = visit.field('maxRedeems');
    const body = {
      code: visit.field('code'),
      discountKind: kind,
      discount,
      ...(most !== '' && { maxRedeems: Number(most) }),
    };
    await carryOut(visit, createCoupon, { body });
    return seeOther(visit.link('/coupons'), visit.say('O cupom foi criado.', 'The coupon was created.'));
  },
});

const toggle = formAction({
  path: '/coupons/:code/toggle',
  action: 'sell',
  back: () => '/coupons',
  async work(visit) {
    await carryOut(visit, toggleCoupon, { query: { id: visit.params.code } });
    return seeOther(visit.link('/coupons'), visit.say('O cupom foi mudado.', 'The coupon was changed.'));
  },
});

export const couponPages: readonly DashboardRoute[] = [list, create, toggle];
