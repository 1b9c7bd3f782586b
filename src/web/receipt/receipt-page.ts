import { installmentAmountsCents } from '../../domain/checkout.ts';
import { formatBrl } from '../../domain/money.ts';
import { formatDate } from '../boleto/boleto-wording.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { type Phrase, say, sayHtml } from '../frame/language.ts';
import { renderLayout } from '../frame/layout.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { shownName } from '../frame/payer-texts.ts';
import { dayAndTime, RECEIPT_CHECK } from './receipt-parts.ts';
import type { ReceiptView } from './receipt-view.ts';

/**
 * The page behind a paid charge's `receiptUrl` (contract section 4): who paid how much to whom, and when, on one A4 page. It
 * remains available after a refund, which it then states first.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderReceiptPage(view: ReceiptView): string {
  return renderLayout({
    title: say('Comprovante de {amount} – {store}', {
      amount: formatBrl(view.paidAmountCents),
      store: view.merchantName,
    }),
    stylesheets: [cardStylesheet],
    accentColor: view.accentColor,
    devModeNotice: view.devMode ? say('Ambiente de teste — este pagamento não é real') : null,
    body: html`<main class="card receipt">
<header class="receipt__head">
<h1 class="receipt__title">${say('Comprovante de pagamento')}</h1>
${view.reversal === null ? confirmed() : html`<p class="receipt__state receipt__state--reversed">${say(REVERSALS[view.reversal.status].state)}</p>`}
</header>
${view.reversal !== null && reversalNotice(view.reversal)}
<p class="receipt__amount">${formatBrl(view.paidAmountCents)}</p>
<p class="receipt__when">${sayHtml('Pago em {time}, horário de Brasília', { time: dayAndTime(view.paidAt) })}</p>
${partySection(say('Quem recebeu'), view.merchantName, view.merchantTaxId)}
${partySection(say('Quem pagou'), shownName(view.payerName), view.payerTaxId)}
${itemsSection(view)}
<section class="receipt__part">
<h2>${say('Pagamento')}</h2>
<dl>
${fact(say('Forma de pagamento'), say(view.isTrial ? 'Teste grátis' : METHOD_NAMES[view.method]))}
${view.card !== null && fact(say('Cartão'), view.card)}
${view.installmentsCount > 1 && fact(say('Parcelas'), installmentsText(view))}
${view.period !== null && fact(say('Período'), say('{from} a {until}', { from: formatDate(view.period.from), until: formatDate(view.period.until) }))}
${view.dueDate !== null && fact(say('Vencimento'), formatDate(view.dueDate))}
${view.paidAmountCents !== view.amountCents && fact(say('Valor cobrado'), formatBrl(view.amountCents))}
${fact(say('Valor pago'), formatBrl(view.paidAmountCents))}
${view.refundedCents > 0 && fact(say('Devolvido a quem pagou'), formatBrl(view.refundedCents))}
${view.description !== null && fact(say('Descrição'), view.description)}
${view.endToEndIdentifier !== null && fact(say('ID da transação Pix'), html`<span class="receipt__id id">${view.endToEndIdentifier}</span>`)}
${fact(say('Identificação da cobrança'), html`<span class="receipt__id id">${view.chargeId}</span>`)}
</dl>
</section>
<footer class="receipt__foot">
<p>${say('Para conferir este comprovante, abra o endereço em que ele foi emitido:')}</p>
<p class="receipt__url id">${view.url}</p>
<button type="button" class="button screen-only" data-print hidden>${say('Imprimir ou salvar em PDF')}</button>
</footer>
</main>`,
  });
}

function confirmed(): Html {
  return html`<p class="receipt__state">${RECEIPT_CHECK}${say('Pagamento confirmado')}</p>`;
}

type Reversal = NonNullable<ReceiptView['reversal']>;

const REVERSALS: Readonly<Record<Reversal['status'], { state: Phrase; since: Phrase; text: Phrase }>> = {
  REFUNDED: {
    state: 'Pagamento devolvido',
    since: 'Devolvido a quem pagou em {time}.',
    text: 'Este comprovante não vale mais como prova de pagamento.',
  },
  UNDER_DISPUTE: {
    state: 'Pagamento em contestação',
    since: 'Contestado em {time}.',
    text: 'O pagamento está sendo analisado; até a decisão, este comprovante não vale como prova de pagamento.',
  },
};

function reversalNotice({ status, at }: Reversal): Html {
  const { since, text } = REVERSALS[status];
  return html`<p class="receipt__notice"><strong>${sayHtml(since, { time: dayAndTime(at) })}</strong> ${say(text)}</p>`;
}

function itemsSection({ items, usageCents, discountCents, amountCents }: ReceiptView): Html | null {
  if (items.length === 0) return null;
  return html`<section class="receipt__part">
<h2>${say('Itens')}</h2>
<dl>
${items.map(({ name, quantity, unitPriceCents }) => fact(`${quantity} × ${name}`, formatBrl(quantity * unitPriceCents)))}
${usageCents > 0 && fact(say('Uso além do plano'), formatBrl(usageCents))}
${
  discountCents > 0 &&
  html`${fact(say('Subtotal'), formatBrl(amountCents + discountCents))}${fact(say('Desconto'), `− ${formatBrl(discountCents)}`)}`
}
</dl>
</section>`;
}

/** `3x de R$ 33,33 (a primeira de R$ 33,34)`. */
function installmentsText({ amountCents, installmentsCount }: ReceiptView): string {
  const [first = amountCents, each = first] = installmentAmountsCents(amountCents, installmentsCount);
  const text = say('{count}x de {amount}', { count: installmentsCount, amount: formatBrl(each) });
  return first === each ? text : `${text} ${say('(a primeira de {amount})', { amount: formatBrl(first) })}`;
}

function partySection(title: string, name: string, taxId: string | null): Html {
  return html`<section class="receipt__part receipt__part--party">
<h2>${title}</h2>
<dl>
${fact(say('Nome'), name)}
${/* Masked or not, only a CNPJ is written with a slash. */ taxId !== null && fact(taxId.includes('/') ? 'CNPJ' : 'CPF', taxId)}
</dl>
</section>`;
}

function fact(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
