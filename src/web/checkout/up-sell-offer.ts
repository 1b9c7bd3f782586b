import { cardText } from '../frame/card-text.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import type { LoadedPayment } from './load-payment.ts';
import { renderPicture } from './order-summary.ts';
import { mintSubmissionKey } from './pay-form-data.ts';

/** The upsell that one click buys, and the card it charges; or the upsell that was bought. */
export function renderUpSell({ charge, loaded, offer, upSell }: LoadedPayment): Html | null {
  const { id: checkoutId } = loaded.checkout;
  if (upSell !== null) {
    const [item] = upSell.items ?? [];
    return html`<section class="panel up-sell" aria-labelledby="up-sell-heading">
<h2 class="up-sell__title" id="up-sell-heading">${say('checkout.youAlsoOrdered')}</h2>
<p class="up-sell__name">${item?.name ?? ''} · ${sayAmount(upSell.amountCents)}</p>
<p class="actions"><a class="button button--quiet" href="/pay/${checkoutId}/${upSell.id}">${say(upSell.status === 'PENDING' ? 'checkout.continueWithThePayment' : 'checkout.seeThePayment')}</a></p>
</section>`;
  }
  if (offer === null) return null;
  const card = cardText(charge);
  const price = sayAmount(offer.priceCents);
  return html`<section class="panel up-sell" aria-labelledby="up-sell-heading">
<p class="up-sell__tag">${say('checkout.offerForYou')}</p>
<div class="up-sell__product">${renderPicture(offer.imageUrl, offer.name)}
<div><h2 class="up-sell__title" id="up-sell-heading">${offer.name}</h2>
${offer.description !== null && html`<p class="part__hint">${offer.description}</p>`}
<p class="up-sell__price">${price}</p></div></div>
<form method="post" action="/pay/${checkoutId}/${charge.id}/up-sell" data-pay-form>
<input type="hidden" name="attempt" value="${mintSubmissionKey()}">
<button type="submit" class="button" data-busy="${say('checkout.processing')}">${card === null ? say('checkout.addForWithPix', { price }) : say('checkout.addForOn', { price, card })}</button>
</form>
<p class="part__hint">${
    card === null
      ? say('checkout.aNewPixCodeIs')
      : say('checkout.tapTheButtonToCharge', {
          price,
          card,
        })
  }</p>
</section>`;
}
