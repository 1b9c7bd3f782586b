import type { CardWallet } from '../../domain/card.ts';
import type { PaymentMethod } from '../../domain/charge.ts';
import type { CardFields } from '../../providers/ports/cards.ts';
import { problemOf } from '../frame/fields.ts';
import { type Html, html, trustedMarkup } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { METHOD_NAMES, WALLET_NAMES } from '../frame/method-words.ts';
import { renderCardForm } from './card-form.ts';
import { problemsByField } from './field-problems.ts';
import { type CardPrices, cardNote } from './installment-words.ts';
import type { FieldProblem, TypedForm } from './pay-form-data.ts';
import { everyCycle, type SubscriptionPlan } from './subscription-plan.ts';

type ByMethod<Value> = Readonly<Record<PaymentMethod, Value>>;

const ICONS: ByMethod<Html> = {
  PIX: trustedMarkup(
    '<path d="m12 3 4.5 4.5L12 12 7.5 7.5zM21 12l-4.5 4.5L12 12l4.5-4.5zM12 21l-4.5-4.5L12 12l4.5 4.5zM3 12l4.5-4.5L12 12l-4.5 4.5z"/>',
  ),
  CARD: trustedMarkup('<rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="M2.5 10h19M6 15h4"/>'),
  BOLETO: trustedMarkup('<path d="M3 5v14M6.5 5v14M9 5v14M13 5v14M15.5 5v14M18 5v14M21 5v14"/>'),
};

interface MethodPicker {
  /** See `renderCardForm`. */
  readonly fields: CardFields | null;
  readonly isOnPage: boolean;
  readonly keepsCard: boolean;
  readonly wallets: readonly CardWallet[];
  readonly takesTypedCard: boolean;
  readonly methods: readonly PaymentMethod[];
  readonly chosen: PaymentMethod;
  readonly totalCents: number;
  readonly prices: CardPrices;
  /** Set for a subscription's checkout. */
  readonly plan: SubscriptionPlan | null;
  /** Whether a payer by PIX is asked to authorize the debits of later charges. */
  readonly asksForDebits: boolean;
  readonly typed: TypedForm;
  readonly problems: readonly FieldProblem[];
  readonly devMode: boolean;
}

/**
 * The methods, each with its fields below it. The stylesheet shows the fields of the chosen method; browsers that cannot do that
 * show all. A single method needs no choice.
 */
export function renderMethodPicker(picker: MethodPicker): Html {
  const { methods, chosen, problems } = picker;
  const [only] = methods;
  if (methods.length === 1 && only !== undefined) {
    return html`<section class="part" aria-labelledby="method-heading">
<h2 id="method-heading" class="part__title method__only">${icon(only)} ${nameOf(only, picker)}</h2>
<input type="hidden" name="method" value="${only}">
${PANELS[only](picker)}
</section>`;
  }
  return html`<fieldset class="part methods" id="method">
<legend><h2 class="methods__title">${say('payer.paymentMethod')}</h2></legend>
${problemOf({ name: 'method', problems: problemsByField(problems) })}
${methods.map(
  (method) => html`<div class="method">
<input type="radio" class="method__radio" id="method-${method}" name="method" value="${method}"${method === chosen && html` checked`}>
<label class="method__label" for="method-${method}">${icon(method)}<span class="method__name">${nameOf(method, picker)}</span> <span class="method__note">${NOTES[method](picker)}</span></label>
<fieldset class="method__panel" data-panel="${method}" aria-label="${nameOf(method, picker)}">
${PANELS[method](picker)}
</fieldset>
</div>
`,
)}
</fieldset>`;
}

function nameOf(method: PaymentMethod, picker: MethodPicker): string {
  return NAMES[method](picker);
}

const NAMES: ByMethod<(picker: MethodPicker) => string> = {
  PIX: () => say(METHOD_NAMES.PIX),
  BOLETO: () => say(METHOD_NAMES.BOLETO),
  // Also names the wallets that pay in the place of a card, or beside it.
  CARD: ({ wallets, takesTypedCard }) =>
    [
      ...(takesTypedCard ? [say(METHOD_NAMES.CARD)] : []),
      ...wallets.map((wallet) => WALLET_NAMES[wallet]),
    ].join(', '),
};

/** Content for payers who chose one of these methods; null if none of them is offered. The stylesheet uses `data-when`. */
export function whenMethod(
  offered: readonly PaymentMethod[],
  methods: readonly PaymentMethod[],
  element: 'p' | 'div' | 'span',
  content: Html,
  className = '',
): Html | null {
  if (!offered.some((method) => methods.includes(method))) return null;
  const condition = offered.length > 1 && html` data-when="${methods.join(' ')}"`;
  const attributes = html` class="${className}"${condition}`;
  if (element === 'p') return html`<p${attributes}>${content}</p>`;
  return element === 'div'
    ? html`<div${attributes}>${content}</div>`
    : html`<span${attributes}>${content}</span>`;
}

/** The part of the form that belongs to one method: what happens next, or what to fill in. */
const PANELS: ByMethod<(picker: MethodPicker) => Html> = {
  CARD: renderCardForm,
  PIX: ({ plan, totalCents, asksForDebits }) =>
    plan !== null && totalCents === 0
      ? html`<p class="method__text">${say(asksForDebits ? 'checkout.pixAutomatic.nothingToPay' : 'checkout.thereIsNothingToPay')}</p>`
      : html`<p class="method__text">${say('checkout.youGetAQrCode')}</p>`,
  BOLETO: () => html`<p class="method__text">${say('checkout.youGetABoletoTo')}</p>`,
};

const NOTES: ByMethod<(picker: MethodPicker) => string> = {
  CARD: ({ plan, prices, takesTypedCard }) => {
    if (plan !== null) return say('checkout.chargedAutomatically');
    return takesTypedCard ? cardNote(prices) : say('checkout.inOnePayment');
  },
  PIX: ({ plan }) =>
    plan === null
      ? say('checkout.approvedAtOnce')
      : say('checkout.oneCode', { cycle: everyCycle(plan.cycle) }),
  BOLETO: ({ plan }) =>
    plan === null
      ? say('checkout.upTo1BusinessDay')
      : say('checkout.oneCode', { cycle: everyCycle(plan.cycle) }),
};

function icon(method: PaymentMethod): Html {
  return html`<svg class="method__icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[method]}</svg>`;
}
