import type { SavedCard } from '../../database/entities/saved-card.ts';
import { payFormStylesheet } from '../frame/assets.ts';
import { cardText } from '../frame/card-text.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderOrderSummary } from './order-summary.ts';
import { CARD_TOTALS } from './pay-form-data.ts';

/**
 * The page on which one click pays with a saved card. It works without script.
 * @param totalCents what the card pays: more than the price if the payer pays the card fees.
 * @param path of the page, with its secret.
 */
export function renderOneClickPage(
  loaded: LoadedCheckout,
  card: SavedCard,
  totalCents: number,
  path: string,
): string {
  const { checkout, merchantName, descriptions } = loaded;
  const { id, items, amountCents } = checkout;
  const amount = sayAmount(totalCents);
  const cardFeeCents = totalCents - amountCents;
  const order = { items, descriptions, discountCents: 0, couponCode: null, cardFeeCents, totalCents };
  const fee = { total: amount, price: sayAmount(amountCents), fee: sayAmount(cardFeeCents) };
  return renderCheckoutLayout({
    title: say('checkout.paymentOf', { amount }),
    loaded,
    stylesheet: payFormStylesheet,
    main: html`<h1 class="pay__title"><span class="pay__to">${say('checkout.paymentTo', { store: merchantName })}</span> <span class="pay__amount">${amount}</span></h1>
${renderOrderSummary(order)}
<div class="pay__main">
<form class="pay-form" method="post" action="${path}">
<p class="one-click__card"><strong>${cardText({ cardBrand: card.brand, cardLastFour: card.lastFour })}</strong></p>
${cardFeeCents > 0 && html`<p>${say('checkout.cardTotalIs', fee)}</p>`}
<p>${say('checkout.oneClick.yourBankMayAsk')}</p>
<input type="hidden" name="${CARD_TOTALS}" value="${totalCents}">
<button class="pay-form__submit" type="submit">${say('checkout.oneClick.pay', { amount })}</button>
</form>
<p><a href="/pay/${id}">${say('checkout.oneClick.anotherWay')}</a></p>
</div>`,
  });
}
