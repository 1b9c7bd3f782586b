import { type CheckoutItem, linkableUrl } from '../../domain/checkout.ts';
import type { ProductId } from '../../domain/ids.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';

/** The order and its price. */
export interface Order {
  readonly items: readonly CheckoutItem[];
  /** Descriptions of the products, if the store provides them. */
  readonly descriptions?: ReadonlyMap<ProductId, string>;
  readonly discountCents: number;
  readonly couponCode: string | null;
  /** Card fees that the payer pays; a part of the total. */
  readonly cardFeeCents?: number;
  readonly totalCents: number;
  /** Usage beyond the plan, charged with a subscription's cycle. */
  readonly usageCents?: number;
  /** Names the payment if the total is paid several times, or later. */
  readonly totalLabel?: string;
  /** The charges after this one. */
  readonly afterwards?: { readonly label: string; readonly text: string } | null;
}

/**
 * Items, discount and total. On a phone it is folded, so that the methods are visible without scrolling; its first line always
 * shows the total. The stylesheet shows all of it where there is room, and the script also opens it there for older browsers.
 */
export function renderOrderSummary(order: Order): Html {
  const { items, discountCents, couponCode, totalCents } = order;
  const { cardFeeCents = 0, usageCents = 0, totalLabel = say('checkout.total'), afterwards = null } = order;
  const subtotalCents = totalCents + discountCents - cardFeeCents;
  return html`<section class="order" aria-labelledby="order-heading">
<details data-open-on-desktop>
<summary class="order__summary folds"><h2 id="order-heading">${say('checkout.orderSummary')}</h2> <span class="order__glance">${sayAmount(totalCents)}</span></summary>
<ul class="items">
${items.map((item) => renderItem(item, order.descriptions?.get(item.productId)))}
</ul>
<dl class="totals">
${usageCents > 0 && html`<div><dt>${say('payer.usageBeyondThePlan')}</dt><dd>${sayAmount(usageCents)}</dd></div>`}
${discountCents + cardFeeCents > 0 && html`<div><dt>${say('payer.subtotal')}</dt><dd>${sayAmount(subtotalCents)}</dd></div>`}
${
  discountCents > 0 &&
  html`<div class="totals__discount"><dt>${say('payer.discount')}${couponCode !== null && html` (${couponCode})`}</dt><dd>−\u00a0${sayAmount(discountCents)}</dd></div>`
}
${cardFeeCents > 0 && html`<div><dt>${say('payer.cardFee')}</dt><dd>${sayAmount(cardFeeCents)}</dd></div>`}
<div class="totals__total"><dt>${totalLabel}</dt><dd>${sayAmount(totalCents)}</dd></div>
${afterwards !== null && html`<div class="totals__afterwards"><dt>${afterwards.label}</dt><dd>${afterwards.text}</dd></div>`}
</dl>
</details>
</section>`;
}

function renderItem(item: CheckoutItem, description: string | undefined): Html {
  const { name, imageUrl, quantity, unitPriceCents } = item;
  return html`<li class="item">
${renderPicture(imageUrl, name)}
<div class="item__text"><p class="item__name">${name}</p>
${description !== undefined && html`<p class="item__description">${description}</p>`}
<p class="item__quantity">${quantity === 1 ? say('checkout.1Unit') : `${quantity} × ${sayAmount(unitPriceCents)}`}</p></div>
<p class="item__price">${sayAmount(quantity * unitPriceCents)}</p>
</li>
`;
}

/**
 * The product's picture above its first letter, which shows if the picture is missing or does not load. Screen readers skip it:
 * the name follows.
 */
export function renderPicture(imageUrl: string | null, name: string): Html {
  const address = linkableUrl(imageUrl);
  const letter = [...name][0]?.toUpperCase() ?? '';
  const image =
    address !== null &&
    html`<img class="picture__image" src="${address}" alt="" data-letter="${letter}" width="56" height="56" loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
  return html`<span class="picture" aria-hidden="true">${letter}${image}</span>`;
}
