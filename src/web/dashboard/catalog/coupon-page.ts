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
import { limitField, notesField } from './coupon-form.ts';
import { couponBadge, discountText, usesText, validityText } from './coupon-words.ts';

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
      main: html`${section(say('Validade', 'Validity'), html`<p>${validityText(coupon, say)}</p>`)}
${notes !== '' && section(say('Observações', 'Notes'), html`<p class="texts">${notes}</p>`)}`,
      cards: [
        {
          title: say('Dados', 'Details'),
          rows: [
            [say('Código', 'Code'), copyChip(visit, code)],
            [say('Desconto', 'Discount'), discountText(coupon)],
            [say('Situação', 'Status'), couponBadge(coupon, say)],
            [say('Usos', 'Uses'), usesText(coupon, say)],
            [say('Criado', 'Created'), time(visit, coupon.createdAt)],
            [say('Mudado', 'Changed'), time(visit, coupon.updatedAt)],
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

function editDialog(visit: Visit, { code, maxRedeems, notes }: CouponView): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, EDIT);
  const limit = maxRedeems === UNLIMITED_REDEEMS ? '' : String(maxRedeems);
  return formDialog(visit, {
    name: EDIT,
    button: say('Mudar limite', 'Change limit'),
    title: say('Limite e observações', 'Limit and notes'),
    text: say(
      'Código e desconto não mudam: quem já recebeu o cupom conta com eles.',
      'Code and discount cannot change, because payers rely on them.',
    ),
    action: `/coupons/${code}/edit`,
    fields: html`${limitField(visit, fields, limit)}${notesField(visit, fields, notes)}`,
    submit: say('Salvar', 'Save'),
  });
}

/** Can be undone by the same button, so it asks nothing. */
function toggleForm(visit: Visit, { code, status }: CouponView): Html {
  const { say } = visit;
  const submit = status === 'INACTIVE' ? say('Ligar', 'Switch on') : say('Desligar', 'Switch off');
  return form(visit, { action: `/coupons/${code}/toggle`, submit, style: 'quiet' });
}

function deleteDialog(visit: Visit, { code }: CouponView): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'delete',
    button: say('Apagar', 'Delete'),
    style: 'quiet',
    title: say(`Apagar o cupom ${code}?`, `Delete the coupon ${code}?`),
    text: say(
      'Isto não pode ser desfeito. Ninguém mais poderá usá-lo, e o código fica livre para outro cupom. Pagamentos feitos com ele não mudam.',
      'This cannot be undone. Nobody can use it any more, and its code is free for another coupon. Payments made with it do not change.',
    ),
    action: `/coupons/${code}/delete`,
    submit: say('Apagar cupom', 'Delete coupon'),
    isDangerous: true,
  });
}
