import type { PayoutStatus } from '../../domain/payout.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { fact } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import { renderPayerPage } from '../frame/payer-page.ts';
import { renderLogo } from '../frame/store-logo.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import { dayAndZonedTime, RECEIPT_CHECK } from './receipt-parts.ts';
import type { PayoutReceiptView, ReceiptFact } from './receipt-payout-view.ts';

/** The page's title, the status, and the label of the time beside the amount. */
const WORDING = {
  COMPLETE: {
    title: 'receipt.receiptOfTransfer',
    state: 'receipt.transferCompleted',
    when: 'receipt.sentOn',
    amount: 'receipt.amountSent',
  },
  PENDING: {
    title: 'receipt.transferUnderWay',
    state: 'receipt.inProgress',
    when: 'receipt.requestedOn',
    amount: 'receipt.amount',
  },
  FAILED: {
    title: 'receipt.transferNotCompleted',
    state: 'receipt.itWasNotCompleted',
    when: 'receipt.endedOn',
    amount: 'receipt.amount',
  },
  REFUNDED: {
    title: 'receipt.transferSentBack',
    state: 'receipt.itWasCompletedAndThen',
    when: 'receipt.sentOn',
    amount: 'receipt.amountSent',
  },
} as const satisfies Record<PayoutStatus, Record<string, MessageKey>>;

const WAITS: MessageKey = 'receipt.waitingForTheSendersApproval';

/**
 * The page behind the `receiptUrl` of a payout or transfer: who sends how much to whom, and its status, on one A4 page. Only a
 * completed one is called a receipt.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderPayoutReceiptPage(view: PayoutReceiptView): string {
  const amount = sayAmount(view.amountCents);
  const { title, state, when, amount: amountLabel } = WORDING[view.status];
  return renderPayerPage({
    title: say('receipt.of', { title: say(title), amount, store: view.merchantName }),
    stylesheets: [cardStylesheet],
    accentColor: view.accentColor,
    devModeNotice: view.devMode ? say('receipt.testEnvironmentThisTransferIs') : null,
    body: html`<main class="card receipt">
${renderLogo(view.logoFile)}
<header class="receipt__head">
<h1 class="receipt__title">${say(title)}</h1>
<p class="receipt__state${(view.status === 'FAILED' || view.status === 'REFUNDED') && ' receipt__state--reversed'}">${view.status === 'COMPLETE' && RECEIPT_CHECK}${say(view.waitsForApproval ? WAITS : state)}</p>
</header>
<p class="receipt__amount">${amount}</p>
<p class="receipt__when">${sayHtml(when, { time: dayAndZonedTime(view.at) })}</p>
${partyPart(say(view.status === 'COMPLETE' ? 'receipt.payee' : 'receipt.to2'), view.receiver)}
${partyPart(say(view.status === 'COMPLETE' ? 'receipt.sender' : 'receipt.from'), senderFacts(view))}
<section class="receipt__part">
<h2>${say('receipt.transfer')}</h2>
<dl class="facts">
${fact(say('receipt.sentBy'), say('payer.pix'))}
${fact(say(amountLabel), amount)}
${view.returnedCents > 0 && fact(say('receipt.amountSentBack'), sayAmount(view.returnedCents))}
${view.description !== null && fact(say('payer.description'), view.description)}
${view.endToEndIdentifier !== null && fact(say('receipt.idOfThePixTransaction'), html`<span class="receipt__id id">${view.endToEndIdentifier}</span>`)}
${fact(say('receipt.transferId'), html`<span class="receipt__id id">${view.payoutId}</span>`)}
</dl>
</section>
<footer class="receipt__foot">
<p>${say('receipt.toVerifyItOpenThe')}</p>
<p class="receipt__url id">${view.url}</p>
<button type="button" class="button screen-only" data-print hidden>${say('receipt.printOrSaveAsPdf')}</button>
</footer>
</main>`,
  });
}

function senderFacts({ merchantName, merchantTaxId }: PayoutReceiptView): ReceiptFact[] {
  const name = { label: say('receipt.name'), value: merchantName };
  if (merchantTaxId === null) return [name];
  return [name, { label: merchantTaxId.includes('/') ? 'CNPJ' : 'CPF', value: merchantTaxId }];
}

function partyPart(title: string, facts: readonly ReceiptFact[]): Html {
  return html`<section class="receipt__part receipt__part--party">
<h2>${title}</h2>
<dl class="facts">
${facts.map(({ label, value }) => fact(label, value))}
</dl>
</section>`;
}
