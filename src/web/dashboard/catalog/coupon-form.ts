import { createCoupon } from '../../../api/coupons/routes.ts';
import { UNLIMITED_REDEEMS } from '../../../domain/coupon.ts';
import { type Html, html } from '../../frame/html.ts';
import { type Fields, fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut } from '../frame/operation.ts';
import { orProblems } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amountProblem, centsIn } from '../words.ts';

const NEW = 'new-coupon';

const show = dashboardRoute({
  method: 'GET',
  path: '/new-coupon',
  action: 'sell',
  async handler(visit) {
    const { say } = visit;
    const body = form(visit, {
      action: '/coupons',
      fields: newCouponFields(visit, fieldsOf(visit, NEW)),
      submit: say('Criar cupom', 'Create coupon'),
      checkedByServer: true,
    });
    return page(visit, { title: say('Novo cupom', 'New coupon'), active: 'coupons', body });
  },
});

function newCouponFields(visit: Visit, fields: Fields): Html {
  const { say } = visit;
  return html`${fields.text({
    name: 'code',
    label: say('Código', 'Code'),
    hint: say(
      'O que o pagador digita, como BEMVINDO10. Maiúsculas contam.',
      'What payers enter, such as WELCOME10. Capitals count.',
    ),
    maxLength: 50,
  })}
${fields.select({
  name: 'discountKind',
  label: say('Tipo', 'Kind'),
  options: [
    ['PERCENTAGE', say('Percentual', 'Percentage')],
    ['FIXED', say('Valor em reais', 'Amount in reais')],
  ],
})}
${fields.text({
  name: 'discount',
  label: say('Desconto', 'Discount'),
  hint: say(
    'Como 10 ou 12,5 para um percentual, ou 15,00 para um valor.',
    'Such as 10 or 12,5 for a percentage, or 15,00 for an amount.',
  ),
  maxLength: 30,
})}
${limitField(visit, fields, '')}
${notesField(visit, fields, '')}`;
}

/** How often a coupon may be used. */
export function limitField({ say }: Visit, fields: Fields, value: string): Html {
  return fields.text({
    name: 'maxRedeems',
    label: say('Limite de usos (opcional)', 'Limit of uses (optional)'),
    value,
    hint: say(
      'Vazio: sem limite. Um uso conta quando o pagamento é feito.',
      'Empty: no limit. A use counts when the payment is made.',
    ),
    required: false,
    maxLength: 10,
  });
}

export function notesField({ say }: Visit, fields: Fields, value: string): Html {
  return fields.area({
    name: 'notes',
    label: say('Observações (opcional)', 'Notes (optional)'),
    value,
    hint: say('Só a equipe as vê.', 'Only your team sees them.'),
    required: false,
    maxLength: 500,
  });
}

/** The submitted limit as the API takes it: NaN, which it refuses, for anything but digits. */
export function typedLimit(visit: Visit): number {
  const text = visit.field('maxRedeems');
  if (text === '') return UNLIMITED_REDEEMS;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** The discount as the API takes it: cents, or percent with a comma or a point. */
function typedDiscount(visit: Visit): number | null {
  const text = visit.field('discount').replace(/\s*%$/, '');
  if (visit.field('discountKind') === 'FIXED') return centsIn(text);
  return /^\d{1,3}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

const create = formAction({
  path: '/coupons',
  action: 'sell',
  back: () => '/new-coupon',
  form: { name: NEW, page: show.handler },
  async work(visit) {
    const { say } = visit;
    const code = visit.field('code');
    const kind = visit.field('discountKind');
    const order = { code, discountKind: kind, discount: typedDiscount(visit), maxRedeems: typedLimit(visit) };
    const notes = visit.field('notes');
    const unclear = kind === 'FIXED' ? amountProblem(visit.field('discount'), say) : null;
    const body = { ...order, ...(notes !== '' && { notes }) };
    await orProblems(
      carryOut(visit, createCoupon, { body }),
      say,
      unclear === null ? {} : { discount: unclear },
    );
    return seeOther(visit.link(`/coupons/${code}`), say('O cupom foi criado.', 'The coupon was created.'));
  },
});

export const newCouponPages: readonly DashboardRoute[] = [show, create];
