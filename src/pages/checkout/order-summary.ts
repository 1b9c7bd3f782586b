import { type CheckoutItem, linkableUrl } from '../../domain/checkout.ts';
import type { ProductId } from '../../domain/ids.ts';
import { formatBrl } from '../../domain/money.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';

/** What is bought and what it costs. */
export interface Order {
  readonly items: readonly CheckoutItem[];
  /** What the products are, where their store says so. */
  readonly descriptions?: ReadonlyMap<ProductId, string>;
  readonly discountCents: number;
  readonly couponCode: string | null;
  readonly totalCents: number;
  /** Used beyond the plan, in the cycle of a subscription. */
  readonly usageCents?: number;
  /** Where the total is paid more than once, or not yet: which of the payments it is. */
  readonly totalLabel?: string;
  /** What is charged after that. */
  readonly afterwards?: { readonly label: string; readonly text: string } | null;
}

/** As many items as a phone shows without pushing the payment out of sight; longer lists can be opened. */
const MAX_OPEN_ITEMS = 2;

/** Items, discount and total. It can be folded, so that on a phone the payment is near. */
export function renderOrderSummary(order: Order): Html {
  const { items, discountCents, couponCode, totalCents } = order;
  const { usageCents = 0, totalLabel = say('Total'), afterwards = null } = order;
  const subtotalCents = totalCents + discountCents;
  return html`<section class="order" aria-labelledby="order-heading">
<details${items.length <= MAX_OPEN_ITEMS && html` open`} data-open-on-desktop>
<summary class="order__summary"><h2 id="order-heading">${say('Resumo do pedido')}</h2> <span class="order__glance">${formatBrl(totalCents)}</span></summary>
<ul class="items">
${items.map((item) => renderItem(item, order.descriptions?.get(item.productId)))}
</ul>
<dl class="totals">
${usageCents > 0 && html`<div><dt>${say('Uso além do plano')}</dt><dd>${formatBrl(usageCents)}</dd></div>`}
${
  discountCents > 0 &&
  html`<div><dt>${say('Subtotal')}</dt><dd>${formatBrl(subtotalCents)}</dd></div>
<div class="totals__discount"><dt>${say('Desconto')}${couponCode !== null && html` (${couponCode})`}</dt><dd>− ${formatBrl(discountCents)}</dd></div>`
}
<div class="totals__total"><dt>${totalLabel}</dt><dd>${formatBrl(totalCents)}</dd></div>
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
<p class="item__quantity">${quantity === 1 ? say('1 unidade') : `${quantity} × ${formatBrl(unitPriceCents)}`}</p></div>
<p class="item__price">${formatBrl(quantity * unitPriceCents)}</p>
</li>
`;
}

/**
 * The product's picture, over its first letter, which is what is seen where there is none or it does not
 * load. It says nothing that the name beside it does not.
 */
export function renderPicture(imageUrl: string | null, name: string): Html {
  const address = linkableUrl(imageUrl);
  const letter = [...name][0]?.toUpperCase() ?? '';
  const image =
    address !== null &&
    html`<img class="picture__image" src="${address}" alt="" data-letter="${letter}" width="56" height="56" loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
  return html`<span class="picture" aria-hidden="true">${letter}${image}</span>`;
}
