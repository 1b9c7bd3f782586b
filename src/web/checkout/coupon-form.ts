import { textField } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import { problemsByField } from './field-problems.ts';
import { type FieldProblem, MAX_LENGTH } from './pay-form-data.ts';

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
  const own = problemsByField(problems);
  return html`<details class="coupon__fold"${('coupon' in own || typed !== '') && html` open`}>
<summary class="coupon__summary folds">${say('checkout.iHaveACoupon')}</summary>
<p class="field__hint" data-reloads>${say('checkout.applyTheCouponFirst')}</p>
${textField({
  name: 'coupon',
  label: say('checkout.discountCoupon'),
  value: typed,
  required: false,
  maxLength: MAX_LENGTH.coupon,
  attributes: html` autocapitalize="characters" spellcheck="false"`,
  problems: own,
  beside: html`<button type="submit" class="button button--quiet" name="action" value="apply-coupon">${say('checkout.apply')}<span class="visually-hidden"> ${say('checkout.coupon')}</span></button>`,
})}
</details>`;
}
