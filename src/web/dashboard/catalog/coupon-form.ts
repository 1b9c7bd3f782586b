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
      submit: say('dashboard.catalog.createCoupon'),
      checkedByServer: true,
    });
    return page(visit, { title: say('dashboard.catalog.newCoupon'), active: 'coupons', body });
  },
});

function newCouponFields(visit: Visit, fields: Fields): Html {
  const { say } = visit;
  return html`${fields.text({
    name: 'code',
    label: say('dashboard.catalog.code'),
    hint: say('dashboard.catalog.whatPayersEnterSuchAs'),
    maxLength: 50,
  })}
${fields.select({
  name: 'discountKind',
  label: say('dashboard.kind'),
  options: [
    ['PERCENTAGE', say('dashboard.catalog.percentage')],
    ['FIXED', say('dashboard.catalog.amountInReais')],
  ],
})}
${fields.text({
  name: 'discount',
  label: say('dashboard.discount'),
  hint: say('dashboard.catalog.suchAs10Or12'),
  maxLength: 30,
})}
${limitField(visit, fields, '')}
${notesField(visit, fields, '')}`;
}

/** How often a coupon may be used. */
export function limitField({ say }: Visit, fields: Fields, value: string): Html {
  return fields.text({
    name: 'maxRedeems',
    label: say('dashboard.catalog.limitOfUsesOptional'),
    value,
    hint: say('dashboard.catalog.empty'),
    required: false,
    maxLength: 10,
  });
}

export function notesField({ say }: Visit, fields: Fields, value: string): Html {
  return fields.area({
    name: 'notes',
    label: say('dashboard.catalog.notesOptional'),
    value,
    hint: say('dashboard.catalog.onlyYourTeamSeesThem'),
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
    return seeOther(visit.link(`/coupons/${code}`), say('dashboard.catalog.theCouponWasCreated'));
  },
});

export const newCouponPages: readonly DashboardRoute[] = [show, create];
