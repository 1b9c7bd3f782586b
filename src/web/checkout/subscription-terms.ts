import type { Store } from '../../database/entities/store.ts';
import type { PaymentMethod } from '../../domain/charge.ts';
import { type CycleDiscount, cyclePriceOf } from '../../domain/cycle-price.ts';
import type { MandateAmountKind } from '../../domain/mandate.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayHtml } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import { whenMethod } from './method-picker.ts';
import { storeContact } from './store-identity.ts';
import {
  afterwardsText,
  cyclePriceText,
  everyCycle,
  nextChargeCentsOf,
  type SubscriptionPlan,
  sameDayText,
  trialText,
} from './subscription-plan.ts';

interface SubscriptionTerms {
  readonly plan: SubscriptionPlan;
  readonly methods: readonly PaymentMethod[];
  readonly dueNowCents: number;
  readonly couponCode: string | null;
  readonly store: Store;
  /** Set if paying by PIX also asks for the debits of later charges. */
  readonly mandateAmount: MandateAmountKind | null;
}

/** What is paid today, what is charged later and how, and how to cancel; shown before the button that accepts it. */
export function renderSubscriptionTerms(terms: SubscriptionTerms): Html {
  const { plan, methods, dueNowCents, store } = terms;
  const amount = sayAmount(nextChargeCentsOf(plan));
  return html`<section class="part terms" aria-labelledby="terms-heading">
<h2 class="part__title" id="terms-heading">${say('checkout.howItWorks')}</h2>
<ol class="terms__steps">
<li><p class="terms__when">${say('checkout.today2', { amount: sayAmount(dueNowCents) })}</p>
<p>${todayText(terms)}</p></li>
<li><p class="terms__when">${say('checkout.on2', { date: sayDay(plan.nextChargeOn), amount })}</p>
<p>${say('checkout.andThen', { when: sameDayText(plan) })}</p>
${plan.usageCycle !== null && html`<p>${say('checkout.usageIsChargedApart', { cycle: everyCycle(plan.usageCycle) })}</p>`}
${whenMethod(methods, ['CARD'], 'p', html`${say('checkout.theCardIsChargedAutomatically')}`)}
${whenMethod(methods, ['PIX'], 'p', html`${pixText(terms, amount)}`)}</li>
<li><p class="terms__when">${say('checkout.cancelWheneverYouWant')}</p>
<p>${cancelText(store)}</p></li>
</ol>
</section>`;
}

/** A store without a contact is not named as someone to contact. */
function cancelText(store: Store): Html {
  const contact = storeContact(store);
  const after = say('checkout.afterCancellation');
  return contact === null
    ? html`${after}`
    : html`${sayHtml('checkout.justContact', { store: contact })} ${after}`;
}

function pixText({ mandateAmount, plan }: SubscriptionTerms, amount: string): string {
  // Nothing is paid when a trial starts, so the next page asks.
  if (mandateAmount !== null && plan.trialDays !== null)
    return mandateAmount === 'FIXED'
      ? say('checkout.pixAutomatic.fixedOnNextPage', { amount })
      : say('checkout.pixAutomatic.variableOnNextPage');
  if (mandateAmount === 'FIXED') return say('checkout.pixAutomatic.fixed', { amount });
  if (mandateAmount === 'VARIABLE') return say('checkout.pixAutomatic.variable');
  return say('checkout.aNewPixCodeFor');
}

function todayText({ plan, dueNowCents, couponCode }: SubscriptionTerms): string {
  const trial = trialText(plan);
  const { discount } = plan;
  if (discount !== null && (trial !== null || discount.lastNumber !== 1)) {
    const today =
      trial === null ? say('checkout.itLastsUntil', { date: sayDay(plan.nextChargeOn) }) : `${trial}.`;
    return `${today} ${discountedText(plan, discount)}`;
  }
  if (trial !== null) return `${trial}, ${afterwardsText(plan)}.`;
  const until = sayDay(plan.nextChargeOn);
  if (couponCode === null) return say('checkout.itLastsUntil', { date: until });
  const values = { date: until, price: cyclePriceText(plan) };
  return dueNowCents === 0
    ? say('checkout.theCouponCoversOnlyThe', values)
    : say('checkout.theCouponReducesOnlyThe', values);
}

/** What each charge costs with the coupon, and what it costs afterwards. */
function discountedText(plan: SubscriptionPlan, discount: CycleDiscount): string {
  const first = { number: 1, planCents: plan.amountCents, usageCents: 0, discount };
  const amount = sayAmount(cyclePriceOf(first).amountCents);
  const price = cyclePriceText(plan);
  const count = discount.lastNumber;
  if (count === null) return say('checkout.withTheCouponEveryCharge', { amount });
  if (count === 1) return say('checkout.withTheCouponTheFirst', { amount, price });
  return say('checkout.withTheCouponTheFirstCharges', { count, amount, price });
}
