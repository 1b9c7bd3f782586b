import type { CardWallet } from '../../domain/card.ts';
import { formatBrl } from '../../domain/money.ts';
import type { CardFields, ChargeCard } from '../../providers/ports/cards.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { WALLET_NAMES } from '../frame/method-words.ts';
import { renderCardFields } from './card-fields.ts';
import { type CardPrices, installmentsText } from './installment-words.ts';
import { CARD_TOTALS, type FieldProblem, MAX_LENGTH, type TypedForm } from './pay-form-data.ts';
import { REFUSAL_WORDING } from './refusal-wording.ts';
import { describedBy, problemOf, renderProblem, renderTextField } from './text-field.ts';

interface CardForm {
  /** The provider's own fields, which keep card data away from this server; null for ours. */
  readonly fields: CardFields | null;
  /** The payer types the card on the provider's page afterwards, so this form has only the installments. */
  readonly isOnPage: boolean;
  /** See {@link ChargeCard.keepsCard}. */
  readonly keepsCard: boolean;
  readonly wallets?: readonly CardWallet[];
  /** Whether the payer may type a card, as is usual; otherwise only a wallet can pay. */
  readonly takesTypedCard?: boolean;
  readonly totalCents: number;
  /** Absent if there is no choice of installments, and no fee to name. */
  readonly prices?: CardPrices;
  readonly typed: TypedForm;
  readonly problems: readonly FieldProblem[];
  readonly devMode: boolean;
}

/** The card's fields: the provider's, ours in the sandbox, or none if the provider asks for the card on its own page. */
export function renderCardForm(form: CardForm): Html {
  const { fields } = form;
  if (form.isOnPage)
    return html`<p class="method__text">${say('checkout.cardOnTheNextPage')}</p>
<div class="fields">${renderInstallments(form)}</div>`;
  return fields === null
    ? renderOwnFields(form)
    : html`<div class="fields">${renderCardFields({ ...form, fields })}${renderInstallments(form)}</div>`;
}

/** The wallets of the sandbox. Each button pays with a test card, as a wallet on the payer's device would. */
function renderSandboxWallets({ wallets = [], problems, takesTypedCard = true }: CardForm): Html | null {
  if (wallets.length === 0) return null;
  return html`<div class="wallets"${!takesTypedCard && html` id="cardNumber"`}>
${wallets.map((wallet) => html`<button type="submit" class="button button--wallet" name="wallet" value="${wallet}">${say('checkout.simulateWallet', { wallet: WALLET_NAMES[wallet] })}</button>\n`)}
${!takesTypedCard && renderProblem('cardNumber', problemOf(problems, 'cardNumber'))}
</div>`;
}

/** Number and code are always empty: they are never sent back to the browser. */
function renderOwnFields(form: CardForm): Html {
  const { typed, problems, devMode, takesTypedCard = true } = form;
  if (!takesTypedCard) return html`${renderSandboxWallets(form)}`;
  return html`${renderSandboxWallets(form)}
${devMode && testCards()}
<div class="fields" data-typed-card>
${renderTextField({
  name: 'cardNumber',
  label: html`${say('checkout.cardNumber')} <span class="card-brand" data-card-brand aria-live="polite" hidden></span>`,
  problems,
  check: {
    missing: say(REFUSAL_WORDING.CARD_REQUIRED.message),
    wrong: say('checkout.checkTheCardNumber'),
    kind: 'card-number',
  },
  attributes: html`type="text" inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000" data-card-number`,
})}
${renderTextField({
  name: 'cardHolder',
  label: say('checkout.nameOnTheCard'),
  value: typed.cardHolder,
  problems,
  check: { missing: say(REFUSAL_WORDING.CARD_HOLDER_REQUIRED.message) },
  attributes: html`type="text" autocomplete="cc-name" autocapitalize="characters" spellcheck="false" maxlength="${MAX_LENGTH.cardHolder}"`,
})}
${renderTextField({
  name: 'cardExpiry',
  label: say('checkout.expiry'),
  value: typed.cardExpiry,
  problems,
  width: 'half',
  check: {
    missing: say('checkout.enterTheExpiryDateMm'),
    wrong: say(REFUSAL_WORDING.CARD_EXPIRY_INVALID.message),
    kind: 'card-expiry',
  },
  attributes: html`type="text" inputmode="numeric" autocomplete="cc-exp" maxlength="7" placeholder="${say('checkout.mmYy')}" data-card-expiry`,
})}
${renderTextField({
  name: 'cardCvv',
  label: html`CVV<span class="visually-hidden"> (${say('checkout.securityCode')})</span>`,
  hint: say('checkout.3Or4DigitsMostly'),
  problems,
  width: 'half',
  check: {
    missing: say('checkout.enterTheSecurityCode'),
    wrong: say(REFUSAL_WORDING.CARD_CVV_INVALID.message),
    kind: 'card-code',
  },
  attributes: html`type="text" inputmode="numeric" autocomplete="cc-csc" maxlength="4" placeholder="123"`,
})}
${renderInstallments(form)}
</div>`;
}

function renderInstallments({
  prices,
  wallets = [],
  takesTypedCard = true,
  typed,
  problems,
}: CardForm): Html | null {
  if (!takesTypedCard || prices === undefined) return null;
  const { totals, passesFees } = prices;
  const fee = passesFees && renderFee(prices, wallets);
  if (totals.length <= 1) return html`${fee}`;
  const own = problemOf(problems, 'installments');
  return html`<div class="field field--whole">
<label for="installments">${say('payer.installments')}</label>
<select id="installments" name="installments"${describedBy('installments', false, own)}>
${totals.map((total, index) => renderOption(prices, total, index + 1, typed))}
</select>
${renderProblem('installments', own)}
</div>${fee}`;
}

/** The script puts the total on the button, and the sentence below the choice. */
function renderOption(prices: CardPrices, totalCents: number, count: number, typed: TypedForm): Html {
  const { passesFees, priceCents } = prices;
  const chosen =
    passesFees &&
    html` data-total="${formatBrl(totalCents)}" data-sentence="${totalText(priceCents, totalCents)}"`;
  return html`<option value="${count}"${chosen}${count === typed.installmentsCount && html` selected`}>${installmentsText(prices, count)}</option>\n`;
}

/** That the payer pays the card fee, before they pay. Without script, the options say how much. */
function renderFee({ priceCents, totals }: CardPrices, wallets: readonly CardWallet[]): Html {
  const [totalCents = priceCents] = totals;
  const price = formatBrl(priceCents);
  const text =
    totals.length > 1 ? say('checkout.cardFeeAdded', { price }) : totalText(priceCents, totalCents);
  const names = wallets.map((wallet) => WALLET_NAMES[wallet]).join(', ');
  return html`<input type="hidden" name="${CARD_TOTALS}" value="${totals.join(',')}">
<div class="field field--whole"><p class="method__text"><span data-card-sentence aria-live="polite">${text}</span>${names !== '' && ` ${say('checkout.walletsCostThePrice', { wallets: names, price })}`}</p></div>`;
}

function totalText(priceCents: number, totalCents: number): string {
  return say('checkout.cardTotalIs', {
    price: formatBrl(priceCents),
    total: formatBrl(totalCents),
    fee: formatBrl(totalCents - priceCents),
  });
}

/** The test cards of contract section 8. */
const testCards = () => html`<details class="test-cards">
<summary class="test-cards__title">${say('checkout.testCards')}</summary>
<p class="test-cards__text">${say('checkout.anyFutureExpiryDateAnd')}</p>
<dl>
<div class="test-cards__card"><dt class="test-cards__number">4242 4242 4242 4242</dt><dd>${say('checkout.approved')}</dd></div>
<div class="test-cards__card"><dt class="test-cards__number">4000 0025 0000 3155</dt><dd>${say('checkout.confirmedAtTheBank')}</dd></div>
<div class="test-cards__card"><dt class="test-cards__number">4000 0000 0000 0002</dt><dd>${say('checkout.declined')}</dd></div>
<div class="test-cards__card"><dt class="test-cards__number">4000 0000 0000 9995</dt><dd>${say('checkout.noFunds')}</dd></div>
<div class="test-cards__card"><dt class="test-cards__number">4000 0000 0000 0127</dt><dd>${say('checkout.wrongSecurityCode')}</dd></div>
<div class="test-cards__card"><dt class="test-cards__number">4000 0000 0000 0069</dt><dd>${say('checkout.expiredCard')}</dd></div>
</dl>
</details>`;
