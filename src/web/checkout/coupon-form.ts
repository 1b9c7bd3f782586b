import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import { type FieldProblem, MAX_LENGTH } from './pay-form-data.ts';
import { describedBy, problemOf, renderProblem } from './text-field.ts';

interface CouponView {
  readonly applied: string | null;
  readonly typed: string;
  readonly problems: readonly FieldProblem[];
}

/**
 * Accepts a coupon, or shows the applied one. It is a form of its own, before the payment's: neither a card nor anything else is
 * sent with a coupon. The script applies it without a reload; without script the page says that it reloads.
 */
export function renderCouponForm(checkoutId: string, view: CouponView): Html {
  return html`<form class="coupon" method="post" action="/pay/${checkoutId}" data-coupon-form>
${view.applied === null ? renderField(view) : renderApplied(view.applied)}
<p class="field__problem" role="alert" data-coupon-failed hidden>${say('checkout.theCouponCouldNotBe')}</p>
</form>`;
}

function renderApplied(code: string): Html {
  return html`<div class="coupon-applied">
<p>${sayHtml('checkout.couponApplied', { code: html`<strong>${code}</strong>` })}</p>
<input type="hidden" name="coupon" value="${code}">
<button type="submit" class="link-button" name="action" value="remove-coupon">${say('checkout.remove')}<span class="visually-hidden"> ${say('checkout.coupon')}</span></button>
</div>`;
}

function renderField({ typed, problems }: CouponView): Html {
  const own = problemOf(problems, 'coupon');
  return html`<details class="coupon__fold"${(own !== null || typed !== '') && html` open`}>
<summary class="coupon__summary">${say('checkout.iHaveACoupon')}</summary>
<p class="field__hint" data-reloads>${say('checkout.applyTheCouponFirst')}</p>
<div class="field">
<label for="coupon">${say('checkout.discountCoupon')}</label>
<div class="coupon__row">
<input id="coupon" name="coupon" value="${typed}" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="${MAX_LENGTH.coupon}"${describedBy('coupon', false, own)}>
<button type="submit" class="button button--quiet" name="action" value="apply-coupon">${say('checkout.apply')}<span class="visually-hidden"> ${say('checkout.coupon')}</span></button>
</div>
${renderProblem('coupon', own)}
</div>
</details>`;
}
