import { paymentStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import { type ClosedState, closedWordingOf } from './closed-wording.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderOrderSummary } from './order-summary.ts';
import { renderSubscriptionFacts } from './subscription-facts.ts';

/** `/pay/<id>` if no payment can be started: why, and where to see past payments. */
export function renderClosedPage(loaded: LoadedCheckout, state: ClosedState, now: Date): string {
  const { checkout, subscription } = loaded;
  const { title, text } = closedWordingOf(state, loaded, now);
  const isCancelled = subscription?.subscription.status === 'CANCELLED';
  const isPaid = state === 'PAID';
  const order = {
    items: checkout.items,
    discountCents: 0,
    couponCode: null,
    totalCents: checkout.amountCents,
  };
  return renderCheckoutLayout({
    title,
    loaded,
    stylesheet: paymentStylesheet,
    main: html`<div class="pay__main"><section class="panel state state--${isPaid && !isCancelled && !loaded.isDisputed ? 'good' : 'over'}">
<h1>${title}</h1>
<p class="state__text">${text}</p>
${renderPaidLinks(loaded, isPaid)}
</section>
${subscription !== null && renderSubscriptionFacts(subscription, loaded.store)}</div>
${!isPaid && renderOrderSummary(order)}`,
  });
}

/** The confirmation and the receipt of the payment that paid the checkout; null if none did. */
export function renderPaidLinks({ checkout, subscription }: LoadedCheckout, isPaid: boolean): Html | null {
  const { id, paidByChargeId: paidBy } = checkout;
  if (paidBy === null) return null;
  const isSubscription = subscription !== null;
  return html`<p class="actions"><a class="button${isSubscription && ' button--quiet'}" href="/pay/${id}/${paidBy}">${linkText(isPaid, isSubscription)}</a>
${!isSubscription && html`<a class="button button--quiet" href="/receipt/${paidBy}">${say('payer.seeReceipt')}</a>`}</p>`;
}

function linkText(isPaid: boolean, isSubscription: boolean): string {
  if (isSubscription) return say('checkout.seeTheFirstPayment');
  return say(isPaid ? 'checkout.seeConfirmation' : 'checkout.seeThePayment');
}
