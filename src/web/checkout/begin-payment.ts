import { payCheckout } from '../../checkouts/pay-checkout.ts';
import type { PaymentMoment } from '../../checkouts/payment-deps.ts';
import { PaymentRefusal } from '../../checkouts/payment-refusal.ts';
import { quote } from '../../checkouts/quote.ts';
import { findOpenCharge, findWaitingCharge } from '../../checkouts/waiting-charge.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import type { PageDeps } from '../frame/page-context.ts';
import { checkoutStateOf } from './checkout-state.ts';
import { renderClosedPage } from './closed-page.ts';
import { formProblemsOf } from './form-problems.ts';
import type { KeptForm } from './kept-form.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderOpenPayment } from './open-payment.ts';
import {
  choiceOf,
  couponCodeOf,
  openedForm,
  type PayFormAction,
  readAction,
  readTyped,
  type TypedForm,
} from './pay-form-data.ts';
import { renderPayPage } from './pay-page.ts';
import type { PayerLimits } from './payer-limits.ts';
import { type FormProblem, REFUSAL_WORDING } from './refusal-wording.ts';

interface BegunPayment {
  readonly charge: Charge;
  readonly isBegunByIt: boolean;
  /** Whether a limit has counted it. It has not if it shows a payment that waits already, however often the form is sent. */
  readonly isCounted: boolean;
}

/** The result of a submitted form. */
export interface FormOutcome {
  /** The payment started by this form or an earlier one of this payer; null if the form must be shown again. */
  readonly begun: BegunPayment | null;
  /** The form to show if there is a problem, or the card is declined. */
  readonly form: KeptForm;
  /** The coupon that is applied from now on. */
  readonly couponCode: string | null;
}

/**
 * `/pay/<id>`. @param form the refused form; null if there is none. @param appliedCode a coupon that was valid, but may have been
 * used up since.
 */
export async function showPayPage(
  em: Em,
  loaded: LoadedCheckout,
  form: KeptForm | null,
  appliedCode: string | null,
  now: Date,
): Promise<string> {
  const { checkout, customer } = loaded;
  const state = checkoutStateOf(checkout, now);
  if (state !== 'OPEN') return renderClosedPage(loaded, state, now);
  const { price, problem } = await priceWith(em, loaded, appliedCode, now);
  const shown = form?.problems.length ? form.problems : problemsOf(problem);
  const open = shown.length === 0 ? await findOpenCharge(em, checkout, now) : null;
  return renderPayPage({
    notice: open && renderOpenPayment(open, now),
    loaded,
    price: price ?? { totalCents: checkout.amountCents, discountCents: 0 },
    couponCode: price === null ? null : appliedCode,
    typed: form?.typed ?? openedForm(checkout, customer),
    problems: shown.map((each) => REFUSAL_WORDING[each]),
    now,
  });
}

/** The price with this code, or why the code is no longer valid. */
async function priceWith(em: Em, { checkout }: LoadedCheckout, couponCode: string | null, now: Date) {
  if (couponCode === null) return { price: null, problem: null };
  try {
    return { price: await quote(em, checkout, couponCode, now), problem: null };
  } catch (error) {
    if (error instanceof PaymentRefusal) return { price: null, problem: error.reason };
    throw error;
  }
}

/** Runs the pressed button: pays, or shows the form again with or without a coupon. */
export async function takePayForm(
  deps: PageDeps,
  em: Em,
  loaded: LoadedCheckout,
  form: URLSearchParams,
  moment: PaymentMoment,
  limits: PayerLimits,
): Promise<FormOutcome> {
  const { checkout } = loaded;
  const action = readAction(form);
  const typed = typedFor(action, form, loaded);
  const code = couponCodeOf(checkout, typed.coupon);
  if (code !== null) await limits.tryCoupon(checkout, code);
  // The coupon stays applied unless it causes the problem.
  const { price, problem } = await priceWith(em, loaded, code, moment.now);
  const couponCode = price === null ? null : code;
  const comesBack = (problems: readonly FormProblem[]) => ({
    begun: null,
    form: { typed, problems },
    couponCode,
  });
  if (action !== 'pay') return comesBack(problemsOf(problem ?? missingCoupon(action, code)));
  const totalCents = price?.totalCents ?? checkout.amountCents;
  const problems = [...problemsOf(problem), ...formProblemsOf(form, typed, loaded, totalCents, moment.now)];
  if (problems.length > 0) return comesBack(problems);
  try {
    const begun = await pay(deps, em, loaded, form, typed, moment, limits);
    return { begun, form: { typed, problems: [] }, couponCode };
  } catch (error) {
    if (error instanceof PaymentRefusal) return comesBack([error.reason]);
    throw error;
  }
}

/** The coupon's own form has no other field, so the payment's form then starts afresh. */
function typedFor(action: PayFormAction, form: URLSearchParams, { checkout, customer }: LoadedCheckout) {
  const read = readTyped(form);
  const coupon = action === 'remove-coupon' ? '' : read.coupon;
  return form.has('method') ? { ...read, coupon } : { ...openedForm(checkout, customer), coupon };
}

function problemsOf(problem: FormProblem | null): readonly FormProblem[] {
  return problem === null ? [] : [problem];
}

function missingCoupon(action: PayFormAction, code: string | null): FormProblem | null {
  return action === 'apply-coupon' && code === null ? 'COUPON_MISSING' : null;
}

async function pay(
  deps: PageDeps,
  em: Em,
  loaded: LoadedCheckout,
  form: URLSearchParams,
  typed: TypedForm,
  moment: PaymentMoment,
  limits: PayerLimits,
): Promise<BegunPayment> {
  const { checkout } = loaded;
  if (typed.method === null) throw new PaymentRefusal('METHOD_NOT_OFFERED');
  const choice = choiceOf(form, typed, typed.method, loaded);
  const isOpen = checkoutStateOf(checkout, moment.now) === 'OPEN';
  const waiting = isOpen ? await findWaitingCharge(em, checkout, choice, moment.now) : null;
  if (waiting === null) await limits.beginCharge(checkout);
  const charge = waiting ?? (await payCheckout(deps, checkout, choice, moment));
  return {
    charge,
    isBegunByIt: charge.submissionKey === choice.submissionKey,
    isCounted: waiting === null,
  };
}
