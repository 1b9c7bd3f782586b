import { installmentAmountsCents } from '../../domain/checkout.ts';
import { formatBrl } from '../../domain/money.ts';
import { formatDate } from '../boleto/boleto-wording.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { renderLayout } from '../frame/layout.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import type { ReceiptView } from './receipt-view.ts';

const DAY_AND_TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/**
 * The page behind a paid charge's `receiptUrl` (contract section 4): who paid how much to whom, and when, on
 * one A4 page. It stays once the payment has gone back, and then says so first.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderReceiptPage(view: ReceiptView): string {
  return renderLayout({
    title: `Comprovante de ${formatBrl(view.paidAmountCents)} – ${view.merchantName}`,
    stylesheets: [cardStylesheet],
    devModeNotice: view.devMode ? 'Ambiente de teste — este pagamento não é real' : null,
    body: html`<main class="card receipt">
<header class="receipt__head">
<h1 class="receipt__title">Comprovante de pagamento</h1>
${view.reversal === null ? CONFIRMED : html`<p class="receipt__state receipt__state--reversed">${REVERSALS[view.reversal.status].state}</p>`}
</header>
${view.reversal !== null && reversalNotice(view.reversal)}
<p class="receipt__amount">${formatBrl(view.paidAmountCents)}</p>
<p class="receipt__when">Pago em <time datetime="${view.paidAt.toISOString()}">${dayAndTime(view.paidAt)}</time>, horário de Brasília</p>
${partySection('Quem recebeu', view.merchantName, view.merchantTaxId)}
${partySection('Quem pagou', view.payerName, view.payerTaxId)}
${itemsSection(view)}
<section class="receipt__part">
<h2>Pagamento</h2>
<dl>
${fact('Forma de pagamento', view.isTrial ? 'Teste grátis' : METHOD_NAMES[view.method])}
${view.card !== null && fact('Cartão', view.card)}
${view.installmentsCount > 1 && fact('Parcelas', installmentsText(view))}
${view.period !== null && fact('Período', `${formatDate(view.period.from)} a ${formatDate(view.period.until)}`)}
${view.dueDate !== null && fact('Vencimento', formatDate(view.dueDate))}
${view.paidAmountCents !== view.amountCents && fact('Valor cobrado', formatBrl(view.amountCents))}
${fact('Valor pago', formatBrl(view.paidAmountCents))}
${view.description !== null && fact('Descrição', view.description)}
${view.endToEndIdentifier !== null && fact('ID da transação Pix', html`<span class="receipt__id">${view.endToEndIdentifier}</span>`)}
${fact('Identificação da cobrança', html`<span class="receipt__id">${view.chargeId}</span>`)}
</dl>
</section>
<footer class="receipt__foot">
<p>Para conferir este comprovante, abra o endereço em que ele foi emitido:</p>
<p class="receipt__url">${view.url}</p>
<button type="button" class="button screen-only" data-print hidden>Imprimir ou salvar em PDF</button>
</footer>
</main>`,
  });
}

const CONFIRMED = html`<p class="receipt__state"><svg class="receipt__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>Pagamento confirmado</p>`;

type Reversal = NonNullable<ReceiptView['reversal']>;

const REVERSALS: Readonly<Record<Reversal['status'], { state: string; since: string; text: string }>> = {
  REFUNDED: {
    state: 'Pagamento devolvido',
    since: 'Devolvido a quem pagou em',
    text: 'Este comprovante não vale mais como prova de pagamento.',
  },
  UNDER_DISPUTE: {
    state: 'Pagamento em contestação',
    since: 'Contestado em',
    text: 'O pagamento está sendo analisado; até a decisão, este comprovante não vale como prova de pagamento.',
  },
};

function reversalNotice({ status, at }: Reversal): Html {
  const { since, text } = REVERSALS[status];
  return html`<p class="receipt__notice"><strong>${since} <time datetime="${at.toISOString()}">${dayAndTime(at)}</time>.</strong> ${text}</p>`;
}

/** `02/12/2026 às 12:00:00`. */
function dayAndTime(instant: Date): string {
  return DAY_AND_TIME.format(instant).replace(', ', ' às ');
}

function itemsSection({ items, usageCents, discountCents, amountCents }: ReceiptView): Html | null {
  if (items.length === 0) return null;
  return html`<section class="receipt__part">
<h2>Itens</h2>
<dl>
${items.map(({ name, quantity, unitPriceCents }) => fact(`${quantity} × ${name}`, formatBrl(quantity * unitPriceCents)))}
${usageCents > 0 && fact('Uso além do plano', formatBrl(usageCents))}
${
  discountCents > 0 &&
  html`${fact('Subtotal', formatBrl(amountCents + discountCents))}${fact('Desconto', `− ${formatBrl(discountCents)}`)}`
}
</dl>
</section>`;
}

/** `3x de R$ 33,33, a primeira de R$ 33,34`. */
function installmentsText({ amountCents, installmentsCount }: ReceiptView): string {
  const [first = amountCents, each = first] = installmentAmountsCents(amountCents, installmentsCount);
  const text = `${installmentsCount}x de ${formatBrl(each)}`;
  return first === each ? text : `${text}, a primeira de ${formatBrl(first)}`;
}

function partySection(title: string, name: string, taxId: string | null): Html {
  return html`<section class="receipt__part receipt__part--party">
<h2>${title}</h2>
<dl>
${fact('Nome', name)}
${/* Masked or not, only a CNPJ is written with a slash. */ taxId !== null && fact(taxId.includes('/') ? 'CNPJ' : 'CPF', taxId)}
</dl>
</section>`;
}

function fact(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
