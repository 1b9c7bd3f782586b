import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { isEmail } from '../../domain/email.ts';
import { payCheckout } from '../../payments/pay-checkout.ts';
import type { PaymentMoment } from '../../payments/payment-deps.ts';
import { PaymentRefusal } from '../../payments/payment-refusal.ts';
import { quote } from '../../payments/quote.ts';
import { findWaitingCharge } from '../../payments/waiting-charge.ts';
import type { PageDeps } from '../frame/page-context.ts';
import { checkoutStateOf } from './checkout-state.ts';
import { renderClosedPage } from './closed-page.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import {
  choiceOf,
  couponCodeOf,
  type FieldProblem,
  openedForm,
  readAction,
  readTyped,
  type TypedForm,
} from './pay-form-data.ts';
import { type PayFormView, renderPayPage } from './pay-page.ts';
import type { PayerLimits } from './payer-limits.ts';
import { COUPON_MISSING, EMAIL_INVALID, REFUSAL_WORDING } from './refusal-wording.ts';

/** What a form leads to: the payment that it, or an earlier form of this payer, began; or a page. */
export type FormOutcome =
  | { readonly charge: Charge; readonly isBegunByIt: boolean }
  | { readonly status: 200 | 422; readonly page: string };

/** `/pay/<id>` before anything was typed. */
export function showPayPage(loaded: LoadedCheckout, now: Date): string {
  const state = checkoutStateOf(loaded.checkout, now);
  if (state !== 'OPEN') return renderClosedPage(loaded, state, now);
  return renderPayPage({
    loaded,
    price: fullPrice(loaded),
    couponCode: null,
    typed: openedForm(loaded.checkout, loaded.customer),
    problem: null,
    now,
  });
}

/** Does what the pressed button says: pays, or shows the form again with or without a coupon. */
export async function takePayForm(
  deps: PageDeps,
  em: Em,
  loaded: LoadedCheckout,
  form: URLSearchParams,
  moment: PaymentMoment,
  limits: PayerLimits,
): Promise<FormOutcome> {
  const typed = readTyped(form);
  const action = readAction(form);
  const couponCode = action === 'remove-coupon' ? null : couponCodeOf(loaded.checkout, typed.coupon);
  if (couponCode !== null) await limits.tryCoupon(loaded.checkout, couponCode);
  try {
    if (action === 'pay') return await pay(deps, em, loaded, form, typed, moment, limits);
    return await changeCoupon(em, loaded, typed, action === 'apply-coupon', moment.now);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    return refused(em, loaded, typed, error, moment.now);
  }
}

async function pay(
  deps: PageDeps,
  em: Em,
  loaded: LoadedCheckout,
  form: URLSearchParams,
  typed: TypedForm,
  moment: PaymentMoment,
  limits: PayerLimits,
): Promise<FormOutcome> {
  const { checkout } = loaded;
  if (typed.method === null) throw new PaymentRefusal('METHOD_NOT_OFFERED');
  if (typed.payerEmail !== '' && !isEmail(typed.payerEmail))
    return withProblem(em, loaded, typed, EMAIL_INVALID, moment.now);
  const choice = choiceOf(form, typed, typed.method, loaded);
  const isOpen = checkoutStateOf(checkout, moment.now) === 'OPEN';
  const waiting = isOpen ? await findWaitingCharge(em, checkout, choice, moment.now) : null;
  if (waiting === null) await limits.beginCharge(checkout);
  const charge = waiting ?? (await payCheckout(deps, checkout, choice, moment));
  return { charge, isBegunByIt: charge.submissionKey === choice.submissionKey };
}

async function changeCoupon(
  em: Em,
  loaded: LoadedCheckout,
  typed: TypedForm,
  isApplied: boolean,
  now: Date,
): Promise<FormOutcome> {
  const { checkout } = loaded;
  const state = checkoutStateOf(checkout, now);
  if (state !== 'OPEN') return { status: 422, page: renderClosedPage(loaded, state, now) };
  if (!isApplied) {
    return {
      status: 200,
      page: renderPayPage({ ...withoutCoupon(loaded, { ...typed, coupon: '' }), problem: null, now }),
    };
  }
  if (typed.coupon === '') {
    return {
      status: 422,
      page: renderPayPage({ ...withoutCoupon(loaded, typed), problem: COUPON_MISSING, now }),
    };
  }
  const couponCode = couponCodeOf(checkout, typed.coupon);
  const price = await quote(em, checkout, couponCode);
  return { status: 200, page: renderPayPage({ loaded, price, couponCode, typed, problem: null, now }) };
}

/** The same form with what went wrong; where the checkout ended meanwhile, that. */
async function refused(
  em: Em,
  loaded: LoadedCheckout,
  typed: TypedForm,
  { reason }: PaymentRefusal,
  now: Date,
): Promise<FormOutcome> {
  const { checkout } = loaded;
  const state = checkoutStateOf(checkout, now);
  if (state !== 'OPEN') return { status: 422, page: renderClosedPage(loaded, state, now) };
  return withProblem(em, loaded, typed, REFUSAL_WORDING[reason], now);
}

/** A coupon that is not what is wrong stays applied. */
async function withProblem(
  em: Em,
  loaded: LoadedCheckout,
  typed: TypedForm,
  problem: FieldProblem,
  now: Date,
): Promise<FormOutcome> {
  const couponCode = problem.field === 'coupon' ? null : couponCodeOf(loaded.checkout, typed.coupon);
  const price = couponCode === null ? null : await quoteIfValid(em, loaded, couponCode);
  const view = price === null ? withoutCoupon(loaded, typed) : { loaded, price, couponCode, typed };
  return { status: 422, page: renderPayPage({ ...view, problem, now }) };
}

async function quoteIfValid(em: Em, { checkout }: LoadedCheckout, couponCode: string) {
  try {
    return await quote(em, checkout, couponCode);
  } catch (error) {
    if (error instanceof PaymentRefusal) return null;
    throw error;
  }
}

function withoutCoupon(loaded: LoadedCheckout, typed: TypedForm): Omit<PayFormView, 'problem' | 'now'> {
  return { loaded, price: fullPrice(loaded), couponCode: null, typed };
}

function fullPrice({ checkout }: LoadedCheckout) {
  return { totalCents: checkout.amountCents, discountCents: 0 };
}
