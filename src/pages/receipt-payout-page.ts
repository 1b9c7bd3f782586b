import { formatBrl } from '../domain/money.ts';
import { cardStylesheet } from './assets.ts';
import { type Html, html } from './html.ts';
import { renderLayout } from './layout.ts';
import type { PayoutReceiptView, ReceiptFact } from './receipt-payout-view.ts';

const DAY = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' });
const TIME = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', timeStyle: 'medium' });

/**
 * The page behind the `receiptUrl` of a payout or transfer: who sent how much to whom, and when, on one A4 page.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderPayoutReceiptPage(view: PayoutReceiptView): string {
  const amount = formatBrl(view.amountCents);
  return renderLayout({
    title: `Comprovante de ${amount} – ${view.merchantName}`,
    stylesheets: [cardStylesheet],
    devModeNotice: view.devMode ? 'Ambiente de teste — esta transferência não é real' : null,
    body: html`<main class="card receipt">
<header class="receipt__head">
<h1 class="receipt__title">Comprovante de transferência</h1>
<p class="receipt__state"><svg class="receipt__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>Transferência concluída</p>
</header>
<p class="receipt__amount">${amount}</p>
<p class="receipt__when">Enviado em <time datetime="${view.sentAt.toISOString()}">${DAY.format(view.sentAt)} às ${TIME.format(view.sentAt)}</time>, horário de Brasília</p>
${partyPart('Quem recebeu', view.receiver)}
${partyPart('Quem enviou', senderFacts(view))}
<section class="receipt__part">
<h2>Transferência</h2>
<dl>
${factRow({ label: 'Forma de envio', value: 'PIX' })}
${factRow({ label: 'Valor enviado', value: amount })}
${view.description !== null && factRow({ label: 'Descrição', value: view.description })}
${factRow({ label: 'ID da transação (E2E)', value: html`<span class="receipt__id">${view.endToEndIdentifier}</span>` })}
${factRow({ label: 'Identificação do envio', value: html`<span class="receipt__id">${view.payoutId}</span>` })}
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
