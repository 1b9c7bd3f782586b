import { createCoupon } from '../../../api/coupons/routes.ts';
import type { CouponView } from '../../../api/coupons/schema.ts';
import { saoPauloDateOf } from '../../../domain/civil-date.ts';
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
${fields.select({
  name: 'duration',
  label: say('dashboard.catalog.inSubscriptions'),
  options: [
    ['ONCE', say('dashboard.catalog.firstPaymentOnly')],
    ['REPEATING', say('dashboard.catalog.someFirstPayments')],
    ['FOREVER', say('dashboard.catalog.everyPayment')],
  ],
})}
${fields.text({
  name: 'durationInCycles',
  label: say('dashboard.catalog.howManyPayments'),
  hint: say('dashboard.catalog.onlyIfItDiscountsSome'),
  required: false,
  maxLength: 3,
})}
${limitField(visit, fields, '')}
${validityFields(visit, fields, { firstDay: '', lastDay: '' })}
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

/** The days of a coupon's validity as its form shows them: both included, empty for no limit. */
export interface ValidityDays {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** The days in São Paulo on which a coupon is valid. An end within a day is shown as that day. */
export function validityDaysOf({ validFrom, validUntil }: CouponView): ValidityDays {
  const lastMs = validUntil === null ? null : Date.parse(validUntil) - 1;
  return {
    firstDay: validFrom === null ? '' : saoPauloDateOf(new Date(validFrom)),
    lastDay: lastMs === null ? '' : saoPauloDateOf(new Date(lastMs)),
  };
}

export function validityFields({ say }: Visit, fields: Fields, { firstDay, lastDay }: ValidityDays): Html {
  return html`${fields.text({
    name: 'validFrom',
    label: say('dashboard.catalog.firstDayOptional'),
    type: 'date',
    value: firstDay,
    required: false,
  })}
${fields.text({
  name: 'validUntil',
  label: say('dashboard.catalog.lastDayOptional'),
  hint: say('dashboard.catalog.throughTheEndOfThisDay'),
  type: 'date',
  value: lastDay,
  required: false,
})}`;
}

/** The submitted days that differ from the shown ones, so that saving other fields keeps a validity that begins within a day. */
export function typedValidity(visit: Visit, shown: ValidityDays) {
  const [firstDay, lastDay] = [visit.field('validFrom'), visit.field('validUntil')];
  return {
    ...(firstDay !== shown.firstDay && { validFrom: firstDay || null }),
    ...(lastDay !== shown.lastDay && { validUntil: lastDay || null }),
  };
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

/** How long it discounts subscriptions, as the API takes it. NaN, which it refuses, for anything but digits. */
function typedDuration(visit: Visit) {
  const text = visit.field('durationInCycles');
  const durationInCycles = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return { duration: visit.field('duration') || 'ONCE', ...(text !== '' && { durationInCycles }) };
}

/** The discount as the API takes it: cents, or percent with a comma or a point. */
function typedDiscount(visit: Visit): number | null {
  const text = visit.field('discount').replace(/%$/, '').trimEnd();
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
    const validity = typedValidity(visit, { firstDay: '', lastDay: '' });
    const body = { ...order, ...typedDuration(visit), ...validity, ...(notes !== '' && { notes }) };
    await orProblems(
      carryOut(visit, createCoupon, { body }),
      say,
      unclear === null ? {} : { discount: unclear },
    );
    return seeOther(visit.link(`/coupons/${code}`), say('dashboard.catalog.theCouponWasCreated'));
  },
});

export const newCouponPages: readonly DashboardRoute[] = [show, create];
