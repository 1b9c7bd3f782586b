import type { CardWallet } from '../../domain/card.ts';
import type { CardFields, ChargeCard } from '../../providers/ports/cards.ts';
import { problemOf, type SelectOption, selectField, textField } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { WALLET_NAMES } from '../frame/method-words.ts';
import { sayAmount } from '../i18n/money.ts';
import { renderCardFields } from './card-fields.ts';
import { checkedBy, problemsByField } from './field-problems.ts';
import { type CardPrices, installmentsText } from './installment-words.ts';
import { CARD_TOTALS, type FieldProblem, MAX_LENGTH, type TypedForm } from './pay-form-data.ts';
import { REFUSAL_WORDING } from './refusal-wording.ts';

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
${!takesTypedCard && problemOf({ name: 'cardNumber', problems: problemsByField(problems) })}
</div>`;
}

/** Number and code are always empty: they are never sent back to the browser. */
function renderOwnFields(form: CardForm): Html {
  const { typed, devMode, takesTypedCard = true } = form;
  if (!takesTypedCard) return html`${renderSandboxWallets(form)}`;
  const common = { required: false, problems: problemsByField(form.problems) };
  return html`${renderSandboxWallets(form)}
${devMode && testCards()}
<div class="fields" data-typed-card>
${textField({
  ...common,
  name: 'cardNumber',
  label: html`${say('checkout.cardNumber')} <span class="card-brand" data-card-brand aria-live="polite" hidden></span>`,
  autocomplete: 'cc-number',
  maxLength: 23,
  attributes: checkedBy(
    {
      missing: say(REFUSAL_WORDING.CARD_REQUIRED.message),
      wrong: say('checkout.checkTheCardNumber'),
      kind: 'card-number',
    },
    html` inputmode="numeric" placeholder="0000 0000 0000 0000" data-card-number`,
  ),
})}
${textField({
  ...common,
  name: 'cardHolder',
  label: say('checkout.nameOnTheCard'),
  value: typed.cardHolder,
  autocomplete: 'cc-name',
  maxLength: MAX_LENGTH.cardHolder,
  attributes: checkedBy(
    { missing: say(REFUSAL_WORDING.CARD_HOLDER_REQUIRED.message) },
    html` autocapitalize="characters" spellcheck="false"`,
  ),
})}
${textField({
  ...common,
  name: 'cardExpiry',
  label: say('checkout.expiry'),
  value: typed.cardExpiry,
  isHalf: true,
  autocomplete: 'cc-exp',
  maxLength: 7,
  attributes: checkedBy(
    {
      missing: say('checkout.enterTheExpiryDateMm'),
      wrong: say(REFUSAL_WORDING.CARD_EXPIRY_INVALID.message),
      kind: 'card-expiry',
    },
    html` inputmode="numeric" placeholder="${say('checkout.mmYy')}" data-card-expiry`,
  ),
})}
${textField({
  ...common,
  name: 'cardCvv',
  label: html`CVV<span class="visually-hidden"> (${say('checkout.securityCode')})</span>`,
  hint: say('checkout.3Or4DigitsMostly'),
  isHalf: true,
  autocomplete: 'cc-csc',
  maxLength: 4,
  attributes: checkedBy(
    {
      missing: say('checkout.enterTheSecurityCode'),
      wrong: say(REFUSAL_WORDING.CARD_CVV_INVALID.message),
      kind: 'card-code',
    },
    html` inputmode="numeric" placeholder="123"`,
  ),
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
  const select = selectField({
    name: 'installments',
    label: say('payer.installments'),
    value: String(typed.installmentsCount),
    options: totals.map((total, index) => installmentsOption(prices, total, index + 1)),
    problems: problemsByField(problems),
  });
  return html`${select}${fee}`;
}

/** The script puts the total on the button, and the sentence below the choice. */
function installmentsOption(prices: CardPrices, totalCents: number, count: number): SelectOption {
  const { passesFees, priceCents } = prices;
  const attributes = passesFees
    ? html` data-total="${sayAmount(totalCents)}" data-sentence="${totalText(priceCents, totalCents)}"`
    : undefined;
  return [String(count), installmentsText(prices, count), attributes];
}

/** That the payer pays the card fee, before they pay. Without script, the options say how much. */
function renderFee({ priceCents, totals }: CardPrices, wallets: readonly CardWallet[]): Html {
  const [totalCents = priceCents] = totals;
  const price = sayAmount(priceCents);
  const text =
    totals.length > 1 ? say('checkout.cardFeeAdded', { price }) : totalText(priceCents, totalCents);
  const names = wallets.map((wallet) => WALLET_NAMES[wallet]).join(', ');
  return html`<input type="hidden" name="${CARD_TOTALS}" value="${totals.join(',')}">
<div class="field"><p class="method__text"><span data-card-sentence aria-live="polite">${text}</span>${names !== '' && ` ${say('checkout.walletsCostThePrice', { wallets: names, price })}`}</p></div>`;
}

function totalText(priceCents: number, totalCents: number): string {
  return say('checkout.cardTotalIs', {
    price: sayAmount(priceCents),
    total: sayAmount(totalCents),
    fee: sayAmount(totalCents - priceCents),
  });
}

/** The test cards of contract section 8. */
const testCards = () => html`<details class="test-cards">
<summary class="test-cards__title folds">${say('checkout.testCards')}</summary>
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
