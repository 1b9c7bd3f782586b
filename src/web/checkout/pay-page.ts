import { amountRefusals } from '../../charges/boleto-limits.ts';
import { isCardWallet } from '../../domain/card.ts';
import { chargeMethodsOf, PAYMENT_METHODS, type PaymentMethod } from '../../domain/charge.ts';
import { linkableUrl, mayChargeAgain } from '../../domain/checkout.ts';
import { type CouponTerms, cycleDiscountOf } from '../../domain/cycle-price.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { BOLETOS_OF_ANY_KIND } from '../../providers/ports/boletos.ts';
import { payFormScript, payFormStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import { PAY_LABELS, SUBSCRIBE_LABELS } from '../frame/method-words.ts';
import { sayAmount } from '../i18n/money.ts';
import { cardFieldScripts } from './card-fields.ts';
import { cardOrderOf, cardPricesOf, headingCents } from './card-prices.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import { renderCouponForm } from './coupon-form.ts';
import { renderProblemSummary } from './field-problems.ts';
import type { CardPrices } from './installment-words.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderMethodPicker, whenMethod } from './method-picker.ts';
import { type Order, renderOrderSummary } from './order-summary.ts';
import { type FieldProblem, mintSubmissionKey, type TypedForm } from './pay-form-data.ts';
import { renderPayerFields } from './payer-fields.ts';
import {
  afterwardsText,
  cyclePriceText,
  nextChargeCentsOf,
  perCycle,
  planOf,
  type SubscriptionPlan,
  trialText,
} from './subscription-plan.ts';
import { renderSubscriptionTerms } from './subscription-terms.ts';

/** A payment form with its price. */
export interface PayFormView {
  readonly loaded: LoadedCheckout;
  readonly price: {
    readonly discountCents: number;
    readonly totalCents: number;
    readonly coupon?: CouponTerms | null;
  };
  /** The applied coupon. */
  readonly couponCode: string | null;
  readonly typed: TypedForm;
  readonly problems: readonly FieldProblem[];
  /** Shown above the form in place of problems: why the previous payment failed. */
  readonly notice?: Html | null;
  /** The date from which a subscription's next charge is calculated. */
  readonly now: Date;
}

/** The page that starts a payment (`/pay/<id>`). It works without script; with script it hides irrelevant fields. */
export function renderPayPage(view: PayFormView): string {
  const { loaded, price, problems, typed, notice = null, now } = view;
  const { checkout } = loaded;
  const { couponCode } = view;
  const plan = planOf(checkout, now, price.coupon ? cycleDiscountOf(price.coupon) : null);
  const subject =
    plan === null
      ? say('checkout.paymentOf', { amount: sayAmount(headingCents(loaded, price.totalCents)) })
      : say('checkout.subscription', { price: cyclePriceText(plan) });
  return renderCheckoutLayout({
    title: `${problems.length === 0 ? '' : say('checkout.checkTheDetails')}${subject}`,
    loaded,
    stylesheet: payFormStylesheet,
    scripts: [...(loaded.cardFields === null ? [] : cardFieldScripts(loaded.cardFields)), payFormScript],
    preview: previewOf(loaded, subject),
    main: html`${renderTitle(view, plan)}
${renderOrderSummary(orderOf(view, plan))}
<div class="pay__main">
${notice ?? renderProblemSummary(problems, asksForCardAgain(view) ? say('checkout.forYourSecurityEnterThe') : null)}
${checkout.coupons.length > 0 && renderCouponForm(checkout.id, { applied: couponCode, typed: typed.coupon, problems })}
${renderPayForm(view, plan)}
</div>`,
  });
}

/** Whether the payer has typed a card, which is never shown again. */
function asksForCardAgain({ loaded: { checkout }, typed: { method } }: PayFormView): boolean {
  return method !== null && METHOD_TRAITS[method].keepsInstrument && checkout.methods.includes(method);
}

/** Excludes coupon and payer, because everyone with the link sees the same preview. */
function previewOf({ checkout, store }: LoadedCheckout, title: string) {
  const [item] = checkout.items;
  const picture = linkableUrl(item?.imageUrl ?? null);
  return {
    title,
    description: checkout.items.map(({ name }) => name).join(', '),
    imageUrl: picture ?? store.logoUrl,
  };
}

function renderTitle({ loaded, price }: PayFormView, plan: SubscriptionPlan | null): Html {
  const { merchantName } = loaded;
  if (plan === null) {
    return html`<h1 class="pay__title"><span class="pay__to">${say('checkout.paymentTo', { store: merchantName })}</span> <span class="pay__amount">${sayAmount(headingCents(loaded, price.totalCents))}</span></h1>`;
  }
  const trial = trialText(plan);
  const amount =
    trial ?? html`${sayAmount(plan.amountCents)} <span class="pay__per">${perCycle(plan.cycle)}</span>`;
  return html`<h1 class="pay__title"><span class="pay__to">${say('checkout.subscriptionTo', { store: merchantName })}</span> <span class="pay__amount">${amount}</span>${trial !== null && html` <span class="pay__to">${afterwardsText(plan)}</span>`}</h1>`;
}

function orderOf({ loaded, price, couponCode }: PayFormView, plan: SubscriptionPlan | null): Order {
  const { checkout, descriptions } = loaded;
  const order = { items: checkout.items, descriptions, couponCode, ...price };
  if (plan === null) return { ...order, ...cardOrderOf(loaded, price.totalCents) };
  return {
    ...order,
    totalCents: dueNowCentsOf(price.totalCents, plan),
    discountCents: plan.trialDays === null ? price.discountCents : 0,
    totalLabel: say('checkout.today'),
    afterwards: {
      label: say('checkout.fromOn', { date: sayDay(plan.nextChargeOn) }),
      text: cyclePriceText({ ...plan, amountCents: nextChargeCentsOf(plan) }),
    },
  };
}

/** Like {@link Quote.dueNowCents}: zero if a trial starts. */
function dueNowCentsOf(totalCents: number, plan: SubscriptionPlan | null): number {
  return plan === null || plan.trialDays === null ? totalCents : 0;
}

function renderPayForm(view: PayFormView, plan: SubscriptionPlan | null): Html {
  const { loaded, price, couponCode, typed, problems } = view;
  const { checkout, customer, store } = loaded;
  const totalCents = dueNowCentsOf(price.totalCents, plan);
  // A subscription needs a method for later cycles even if nothing is due today.
  const isFree = totalCents === 0 && plan === null;
  const offered = chargeMethodsOf(checkout.methods);
  const methods = isFree ? [methodOfFree(offered)] : offeredMethods(loaded, totalCents);
  const chosen = methods.find((method) => method === typed.method) ?? methods[0] ?? 'PIX';
  const { devMode } = checkout;
  // The buttons of the wallets pay.
  const hasOnlyWallets = !isFree && checkout.methods.every(isCardWallet);
  const isLink = checkout.frequency === 'MULTIPLE_PAYMENTS';
  const prices = cardPricesOf(loaded, totalCents, plan);
  const card = {
    fields: loaded.cardFields,
    isOnPage: loaded.takesCardOnPage,
    keepsCard: mayChargeAgain(checkout),
    wallets: checkout.methods.filter(isCardWallet),
    takesTypedCard: checkout.methods.includes('CARD'),
  };
  return html`<form class="panel pay-form" method="post" action="/pay/${checkout.id}" data-pay-form>
<p class="alert" role="alert" data-offline hidden>${say('checkout.noInternetConnection')}</p>
${couponCode !== null && html`<input type="hidden" name="coupon" value="${couponCode}">`}
<input type="hidden" name="attempt" value="${mintSubmissionKey()}">
${/* The first button is what Enter presses, wherever the payer is. */ null}<button type="submit" class="visually-hidden" name="action" value="pay" tabindex="-1" aria-hidden="true">${say('payer.pay')}</button>
${
  isFree
    ? html`<input type="hidden" name="method" value="${chosen}">`
    : renderMethodPicker({
        ...card,
        methods,
        chosen,
        totalCents,
        prices,
        plan,
        asksForDebits: checkout.mandateAmount !== null,
        typed,
        problems,
        devMode,
      })
}
${(!isFree || METHOD_TRAITS[chosen].namesPayer) && renderPayerFields({ methods, customer, isLink, typed, problems, needs: loaded.boletoTerms?.payerNeeds ?? [], alsoNaming: alsoNamingPayer(loaded) })}
${plan !== null && renderSubscriptionTerms({ plan, methods, dueNowCents: totalCents, couponCode, store, mandateAmount: checkout.mandateAmount })}
${!hasOnlyWallets && renderPayButton(methods, totalCents, plan, prices)}
</form>`;
}

/** The methods that name the payer at this store's providers only. */
function alsoNamingPayer({ checkout, pixTerms, cardTerms }: LoadedCheckout): readonly PaymentMethod[] {
  return [
    ...(pixTerms?.namesPayer === true || checkout.mandateAmount !== null ? (['PIX'] as const) : []),
    ...(cardTerms?.namesPayer === true ? (['CARD'] as const) : []),
  ];
}

/** Hides boleto if the provider issues none of this amount; a free order offers every method. */
function offeredMethods(
  { checkout: { methods }, boletoTerms }: LoadedCheckout,
  totalCents: number,
): readonly PaymentMethod[] {
  const offered = chargeMethodsOf(methods);
  const enough = offered.filter(
    (method) =>
      totalCents >= METHOD_TRAITS[method].minCents &&
      (!METHOD_TRAITS[method].hasSlip ||
        amountRefusals(boletoTerms ?? BOLETOS_OF_ANY_KIND, totalCents).length === 0),
  );
  return enough.length > 0 ? enough : offered;
}

/** Any method works for a free order, but boleto would ask for the payer. */
function methodOfFree(methods: readonly PaymentMethod[]): PaymentMethod {
  return methods.find((method) => !METHOD_TRAITS[method].namesPayer) ?? methods[0] ?? 'PIX';
}

function renderPayButton(
  methods: readonly PaymentMethod[],
  totalCents: number,
  plan: SubscriptionPlan | null,
  prices: CardPrices,
): Html {
  const label = totalCents === 0 ? freeLabel(plan) : payLabel(methods, sayAmount(totalCents), plan, prices);
  return html`<button type="submit" class="button button--pay" name="action" value="pay" data-busy="${say('checkout.processing')}">${label}</button>`;
}

function payLabel(
  methods: readonly PaymentMethod[],
  amount: string,
  plan: SubscriptionPlan | null,
  prices: CardPrices,
): Html {
  return html`${PAYMENT_METHODS.map((method) => {
    const text = plan === null ? PAY_LABELS[method] : SUBSCRIBE_LABELS[method];
    const shown = METHOD_TRAITS[method].passesFees && prices.passesFees ? cardAmount(prices) : amount;
    return text === null ? null : whenMethod(methods, [method], 'span', html`${say(text)} ${shown}`);
  })}`;
}

/** Without script, the button does not follow the chosen number of installments, so it then names no amount. */
function cardAmount({ totals }: CardPrices): Html {
  const [totalCents] = totals;
  const only = totals.length === 1 && totalCents !== undefined ? sayAmount(totalCents) : '';
  return html`<span data-card-total>${only}</span>`;
}

function freeLabel(plan: SubscriptionPlan | null): string {
  if (plan === null) return say('checkout.completeWithoutPayment');
  return say(plan.trialDays === null ? 'checkout.subscribe' : 'checkout.startFreeTrial');
}
