import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import { type FieldProblem, MAX_LENGTH } from './pay-form-data.ts';
import { describedBy, renderProblem } from './text-field.ts';

/** Accepts a coupon, or shows the applied one. Both buttons submit the payment form and show it again. */
export function renderCouponField(applied: string | null, typed: string, problem: FieldProblem | null): Html {
  if (applied !== null) {
    return html`<div class="part coupon-applied">
<p>${sayHtml('Cupom {code} aplicado', { code: html`<strong>${applied}</strong>` })}</p>
<input type="hidden" name="coupon" value="${applied}">
<button type="submit" class="link-button" name="action" value="remove-coupon" formnovalidate>${say('Remover')}<span class="visually-hidden"> ${say('cupom')}</span></button>
</div>`;
  }
  const own = problem?.field === 'coupon' ? problem : null;
  return html`<div class="part field coupon">
<label for="coupon">${say('Cupom de desconto')}</label>
<div class="coupon__row">
<input id="coupon" name="coupon" value="${typed}" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="${MAX_LENGTH.coupon}" data-enter="apply-coupon"${describedBy('coupon', false, own)}>
<button type="submit" class="button button--quiet" name="action" value="apply-coupon" id="apply-coupon" formnovalidate>${say('Aplicar')}<span class="visually-hidden"> ${say('cupom')}</span></button>
</div>
${renderProblem('coupon', own)}
</div>`;
}
