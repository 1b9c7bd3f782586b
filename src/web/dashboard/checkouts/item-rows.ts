import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
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
    const wrong = { productId: `items[${index}].id`, quantity: `items[${index}].quantity` };
    const own = Object.entries(wrong).flatMap(([name, path]) =>
      problems[path] === undefined ? [] : [[name, problems[path]] as const],
    );
    const common = { problems: Object.fromEntries(own), required: false };
    return html`<div class="lines__row${index >= shown && ' lines__row--extra'}">
${selectField({
  ...common,
  name: 'productId',
  id: `product-${index}`,
  label: say('dashboard.product'),
  value: id,
  options: index === 0 ? products : [['', '–'], ...products],
})}
${textField({
  ...common,
  name: 'quantity',
  id: `quantity-${index}`,
  label: say('dashboard.quantity'),
  value: quantity,
  maxLength: 7,
  attributes: html` inputmode="numeric"`,
})}</div>\n`;
  });
  return html`<fieldset class="lines"><legend>${say('dashboard.products')}</legend>
${rows}<button type="button" class="button button--quiet lines__more" data-more-lines>${say('dashboard.checkouts.addAProduct')}</button></fieldset>`;
}
