import type { PaymentMethod } from '../../domain/charge.ts';
import { MIN_BOLETO_CENTS } from '../../domain/charge-deadlines.ts';
import { formatBrl } from '../../domain/money.ts';
import { payFormStylesheet } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import { renderCouponField } from './coupon-field.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderMethodPicker, whenMethod } from './method-picker.ts';
import { renderOrderSummary } from './order-summary.ts';
import { type FieldProblem, mintAttemptKey, type TypedForm } from './pay-form-data.ts';
import { renderPayerFields } from './payer-fields.ts';
import { renderProblemSummary } from './text-field.ts';

/** A payment form with what it costs. */
export interface PayFormView {
  readonly loaded: LoadedCheckout;
  readonly price: { readonly discountCents: number; readonly totalCents: number };
  /** The coupon that is applied. */
  readonly couponCode: string | null;
  readonly typed: TypedForm;
  readonly problem: FieldProblem | null;
  /** Said above the form in place of a problem: why the payment before this one failed. */
  readonly notice?: Html | null;
}

/** The page where a payment is begun (`/pay/<id>`): works without script, and shows less than all with it. */
export function renderPayPage(view: PayFormView): string {
  const { loaded, price, couponCode, problem, notice = null } = view;
  const { merchantName, checkout } = loaded;
  return renderCheckoutLayout({
    title: `${problem === null ? '' : 'Confira os dados: '}Pagamento de ${formatBrl(price.totalCents)}`,
    loaded,
    stylesheet: payFormStylesheet,
    main: html`<h1 class="pay__title"><span class="pay__to">Pagamento para ${merchantName}</span> <span class="pay__amount">${formatBrl(price.totalCents)}</span></h1>
${renderOrderSummary({ items: checkout.items, couponCode, ...price })}
<div class="pay__main">
${notice ?? renderProblemSummary(problem)}
${renderPayForm(view)}
</div>`,
  });
}

function renderPayForm({ loaded, price, couponCode, typed, problem }: PayFormView): Html {
  const { checkout, customer } = loaded;
  const { totalCents } = price;
  const isFree = totalCents === 0;
  const methods = isFree ? [methodOfFree(checkout.methods)] : offeredMethods(checkout.methods, totalCents);
  const chosen = methods.find((method) => method === typed.method) ?? methods[0] ?? 'PIX';
  const { maxInstallments, devMode } = checkout;
  return html`<form class="panel pay-form" method="post" action="/pay/${checkout.id}" data-pay-form>
<input type="hidden" name="attempt" value="${mintAttemptKey()}">
${/* The first button is what Enter presses, wherever the payer is. */ null}<button type="submit" class="visually-hidden" name="action" value="pay" tabindex="-1" aria-hidden="true">Pagar</button>
${
  isFree
    ? html`<input type="hidden" name="method" value="${chosen}">`
    : renderMethodPicker({ methods, chosen, totalCents, maxInstallments, typed, problem, devMode })
}
${(!isFree || chosen === 'BOLETO') && renderPayerFields({ methods, customer, typed, problem })}
${checkout.coupons.length > 0 && renderCouponField(couponCode, typed.coupon, problem)}
${renderPayButton(methods, totalCents)}
</form>`;
}

/** What is too little for a boleto is offered by the other methods alone. */
function offeredMethods(methods: readonly PaymentMethod[], totalCents: number): readonly PaymentMethod[] {
  const others = methods.filter((method) => method !== 'BOLETO');
  return totalCents < MIN_BOLETO_CENTS && others.length > 0 ? others : methods;
}

/** Where nothing is to pay any method does, and a boleto alone would ask for its payer. */
function methodOfFree(methods: readonly PaymentMethod[]): PaymentMethod {
  return methods.find((method) => method !== 'BOLETO') ?? 'BOLETO';
}

function renderPayButton(methods: readonly PaymentMethod[], totalCents: number): Html {
  const amount = formatBrl(totalCents);
  const label =
    totalCents === 0
      ? html`Concluir sem pagamento`
      : html`${whenMethod(methods, ['PIX'], 'span', html`Gerar PIX de ${amount}`)}${whenMethod(methods, ['CARD'], 'span', html`Pagar ${amount}`)}${whenMethod(methods, ['BOLETO'], 'span', html`Gerar boleto de ${amount}`)}`;
  return html`<button type="submit" class="button button--pay" name="action" value="pay" data-busy="Processando…">${label}</button>`;
}
