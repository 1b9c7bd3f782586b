import { formatBrl } from '../../domain/money.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { renderLayout } from '../frame/layout.ts';
import type { PayoutReceiptView, ReceiptFact } from './receipt-payout-view.ts';

const DAY = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' });
const TIME = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', timeStyle: 'medium' });

/** The mark of what is done. */
const CHECK = html`<svg class="receipt__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>`;

/** What the receipt is called, how it stands, and what the time beside the amount means. */
const WORDING = {
  COMPLETE: {
    title: 'Comprovante de transferência',
    state: 'Transferência concluída',
    when: 'Enviado em',
    amount: 'Valor enviado',
  },
  PENDING: {
    title: 'Transferência em processamento',
    state: 'Em processamento: o banco ainda não confirmou. Esta página muda quando ele responder.',
    when: 'Pedido em',
    amount: 'Valor',
  },
  FAILED: {
    title: 'Transferência não concluída',
    state: 'Não foi concluída: o valor voltou para o saldo de quem enviou.',
    when: 'Encerrado em',
    amount: 'Valor',
  },
} as const;

/**
 * The page behind the `receiptUrl` of a payout or transfer: who sends how much to whom, and how it stands or
 * has ended, on one A4 page. Only what has arrived is called a receipt.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderPayoutReceiptPage(view: PayoutReceiptView): string {
  const amount = formatBrl(view.amountCents);
  const { title, state, when, amount: amountLabel } = WORDING[view.status];
  return renderLayout({
    title: `${title} de ${amount} – ${view.merchantName}`,
    stylesheets: [cardStylesheet],
    devModeNotice: view.devMode ? 'Ambiente de teste — esta transferência não é real' : null,
    body: html`<main class="card receipt">
<header class="receipt__head">
<h1 class="receipt__title">${title}</h1>
<p class="receipt__state${view.status === 'FAILED' && ' receipt__state--reversed'}">${view.status === 'COMPLETE' && CHECK}${state}</p>
</header>
<p class="receipt__amount">${amount}</p>
<p class="receipt__when">${when} <time datetime="${view.at.toISOString()}">${DAY.format(view.at)} às ${TIME.format(view.at)}</time>, horário de Brasília</p>
${partyPart(view.status === 'COMPLETE' ? 'Quem recebeu' : 'Para quem', view.receiver)}
${partyPart(view.status === 'COMPLETE' ? 'Quem enviou' : 'De quem', senderFacts(view))}
<section class="receipt__part">
<h2>Transferência</h2>
<dl>
${factRow({ label: 'Forma de envio', value: 'Pix' })}
${factRow({ label: amountLabel, value: amount })}
${view.description !== null && factRow({ label: 'Descrição', value: view.description })}
${view.endToEndIdentifier !== null && factRow({ label: 'ID da transação (E2E)', value: html`<span class="receipt__id">${view.endToEndIdentifier}</span>` })}
${factRow({ label: 'Identificação do envio', value: html`<span class="receipt__id">${view.payoutId}</span>` })}
</dl>
</section>
<footer class="receipt__foot">
<p>Para conferir, abra o endereço desta página:</p>
<p class="receipt__url">${view.url}</p>
<button type="button" class="button screen-only" data-print hidden>Imprimir ou salvar em PDF</button>
</footer>
</main>`,
  });
}

function senderFacts({ merchantName, merchantTaxId }: PayoutReceiptView): ReceiptFact[] {
  const name = { label: 'Nome', value: merchantName };
  if (merchantTaxId === null) return [name];
  return [name, { label: merchantTaxId.includes('/') ? 'CNPJ' : 'CPF', value: merchantTaxId }];
}

function partyPart(title: string, facts: readonly ReceiptFact[]): Html {
  return html`<section class="receipt__part receipt__part--party">
<h2>${title}</h2>
<dl>
${facts.map(factRow)}
</dl>
</section>`;
}

function factRow({ label, value }: { readonly label: string; readonly value: string | Html }): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
