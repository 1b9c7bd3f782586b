import { totalCentsOf } from '../../domain/checkout.ts';
import { withOther } from '../checkout/installment-words.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { fact } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayHtml } from '../frame/language.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { renderPayerPage } from '../frame/payer-page.ts';
import { shownName } from '../frame/payer-texts.ts';
import { renderLogo } from '../frame/store-logo.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import { dayAndTime, dayAndZonedTime, RECEIPT_CHECK } from './receipt-parts.ts';
import type { ReceiptView } from './receipt-view.ts';

/**
 * The page behind a paid charge's `receiptUrl` (contract section 4): who paid how much to whom, and when, on one A4 page. It
 * remains available after a refund, which it then states first.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderReceiptPage(view: ReceiptView): string {
  return renderPayerPage({
    title: say('receipt.receiptOf', {
      amount: sayAmount(view.paidAmountCents),
      store: view.merchantName,
    }),
    stylesheets: [cardStylesheet],
    accentColor: view.accentColor,
    devModeNotice: view.devMode ? say('receipt.testEnvironmentThisPaymentIs') : null,
    body: html`<main class="card receipt">
${renderLogo(view.logoFile)}
<header class="receipt__head">
<h1 class="receipt__title">${say('receipt.receiptOfPayment')}</h1>
${view.reversal === null ? confirmed() : html`<p class="receipt__state receipt__state--reversed">${say(REVERSALS[view.reversal.status].state)}</p>`}
</header>
${view.reversal !== null && reversalNotice(view.reversal)}
<p class="receipt__amount">${sayAmount(view.paidAmountCents)}</p>
<p class="receipt__when">${sayHtml('receipt.paidOn', { time: dayAndZonedTime(view.paidAt) })}</p>
${partySection(say('receipt.payee'), view.merchantName, view.merchantTaxId)}
${partySection(say('receipt.payer2'), shownName(view.payerName), view.payerTaxId)}
${itemsSection(view)}
<section class="receipt__part">
<h2>${say('payer.payment')}</h2>
<dl class="facts">
${fact(say('payer.paymentMethod'), say(view.isTrial ? 'payer.freeTrial' : METHOD_NAMES[view.method]))}
${view.card !== null && fact(say('receipt.card'), view.card)}
${view.installmentCents.length > 1 && fact(say('payer.installments'), installmentsText(view))}
${view.period !== null && fact(say('receipt.time'), say('receipt.to', { from: sayDay(view.period.from), until: sayDay(view.period.until) }))}
${view.dueDate !== null && fact(say('payer.dueDate'), sayDay(view.dueDate))}
${view.paidAmountCents !== view.amountCents && fact(say('receipt.amountCharged'), sayAmount(view.amountCents))}
${fact(say('payer.amountPaid'), sayAmount(view.paidAmountCents))}
${view.refundedCents > 0 && fact(say('receipt.refundedToThePayer'), sayAmount(view.refundedCents))}
${view.description !== null && fact(say('payer.description'), view.description)}
${view.endToEndIdentifier !== null && fact(say('receipt.idOfThePixTransaction'), html`<span class="receipt__id id">${view.endToEndIdentifier}</span>`)}
${fact(say('receipt.chargeId2'), html`<span class="receipt__id id">${view.chargeId}</span>`)}
</dl>
</section>
<footer class="receipt__foot">
<p>${say('receipt.toVerifyThisReceiptOpen')}</p>
<p class="receipt__url id">${view.url}</p>
<button type="button" class="button screen-only" data-print hidden>${say('receipt.printOrSaveAsPdf')}</button>
</footer>
</main>`,
  });
}

function confirmed(): Html {
  return html`<p class="receipt__state">${RECEIPT_CHECK}${say('payer.paymentConfirmed')}</p>`;
}

type Reversal = NonNullable<ReceiptView['reversal']>;

const REVERSALS: Readonly<
  Record<Reversal['status'], { state: MessageKey; since: MessageKey; text: MessageKey }>
> = {
  REFUNDED: {
    state: 'payer.paymentSentBack',
    since: 'receipt.refundedToThePayerOn',
    text: 'receipt.thisReceiptIsNoLonger',
  },
  UNDER_DISPUTE: {
    state: 'payer.paymentUnderDispute',
    since: 'receipt.disputedOn',
    text: 'receipt.thePaymentIsUnderReview',
  },
};

function reversalNotice({ status, at }: Reversal): Html {
  const { since, text } = REVERSALS[status];
  return html`<p class="receipt__notice"><strong>${sayHtml(since, { time: dayAndTime(at) })}</strong> ${say(text)}</p>`;
}

function itemsSection({
  items,
  usageCents,
  discountCents,
  cardFeeCents,
  amountCents,
  isTrial,
}: ReceiptView): Html | null {
  if (items.length === 0) return null;
  return html`<section class="receipt__part">
<h2>${say('receipt.items')}</h2>
<dl class="facts">
${items.map(({ name, quantity, unitPriceCents }) => fact(`${quantity} × ${name}`, sayAmount(quantity * unitPriceCents)))}
${usageCents > 0 && fact(say('payer.usageBeyondThePlan'), sayAmount(usageCents))}
${discountCents + cardFeeCents > 0 && !isTrial && fact(say('payer.subtotal'), sayAmount(amountCents + discountCents - cardFeeCents))}
${discountCents > 0 && fact(say('payer.discount'), `−\u00a0${sayAmount(discountCents)}`)}
${cardFeeCents > 0 && fact(say('payer.cardFee'), sayAmount(cardFeeCents))}
${isTrial && fact(say('payer.freeTrial'), `−\u00a0${sayAmount(totalCentsOf(items) - discountCents)}`)}
</dl>
</section>`;
}

/** `3x de R$ 33,33 (a primeira de R$ 33,34)`. */
function installmentsText({ installmentCents }: ReceiptView): string {
  const amount = sayAmount(Math.min(...installmentCents));
  return withOther(say('receipt.countAmount', { count: installmentCents.length, amount }), installmentCents);
}

function partySection(title: string, name: string, taxId: string | null): Html {
  return html`<section class="receipt__part receipt__part--party">
<h2>${title}</h2>
<dl class="facts">
${fact(say('receipt.name'), name)}
${/* Masked or not, only a CNPJ is written with a slash. */ taxId !== null && fact(taxId.includes('/') ? 'CNPJ' : 'CPF', taxId)}
</dl>
</section>`;
}
