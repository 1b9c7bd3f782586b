import { type Html, html } from '../../frame/html.ts';
import type { Problems } from '../frame/form.ts';
import type { Visit } from '../frame/visit.ts';

/** A product and how many of it, as typed. */
export interface TypedItem {
  readonly id: string;
  readonly quantity: string;
}

/** Without JavaScript all rows are shown; with it, one more at each click. */
const ROWS = 8;

/** The submitted rows that name a product. */
export function typedItems({ form }: Visit): TypedItem[] {
  const quantities = form.getAll('quantity');
  return form
    .getAll('productId')
    .map((id, index) => ({ id, quantity: (quantities[index] ?? '').trim() }))
    .filter(({ id }) => id !== '');
}

/** Rows to choose products and quantities. @param products id and label of each product offered. */
export function itemRows(
  { say }: Visit,
  products: readonly (readonly [id: string, label: string])[],
  typed: readonly TypedItem[],
  problems: Problems,
): Html {
  const shown = Math.max(1, typed.length);
  const rows = Array.from({ length: Math.max(ROWS, shown) }, (_, index) => {
    const { id, quantity } = typed[index] ?? { id: '', quantity: '1' };
    const problem = problems[`items[${index}].id`] ?? problems[`items[${index}].quantity`];
    const describedBy =
      problem !== undefined && html` aria-describedby="item-${index}-problem" aria-invalid="true"`;
    return html`<div class="lines__row${index >= shown && ' lines__row--extra'}">
<div class="field"><label for="product-${index}">${say('dashboard.product')}</label>
<select id="product-${index}" name="productId"${describedBy}>${index > 0 && html`<option value="">–</option>`}${products.map(
      ([value, label]) => html`<option value="${value}"${value === id && html` selected`}>${label}</option>`,
    )}</select></div>
<div class="field"><label for="quantity-${index}">${say('dashboard.quantity')}</label>
<input id="quantity-${index}" name="quantity" value="${quantity}" inputmode="numeric" autocomplete="off" maxlength="7"${describedBy}></div>
${problem !== undefined && html`<p class="field__problem" id="item-${index}-problem">${problem}</p>`}</div>\n`;
  });
  return html`<fieldset class="lines"><legend>${say('dashboard.products')}</legend>
${rows}<button type="button" class="button button--quiet lines__more" data-more-lines>${say('dashboard.checkouts.addAProduct')}</button></fieldset>`;
}
