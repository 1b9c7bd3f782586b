import { formatBrl } from '../../domain/money.ts';
import type { PayoutStatus } from '../../domain/payout.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { type Phrase, say, sayHtml } from '../frame/language.ts';
import { renderLayout } from '../frame/layout.ts';
import { dayAndTime, RECEIPT_CHECK } from './receipt-parts.ts';
import type { PayoutReceiptView, ReceiptFact } from './receipt-payout-view.ts';

/** The page's title, the status, and the label of the time beside the amount. */
const WORDING = {
  COMPLETE: {
    title: 'Comprovante de transferência',
    state: 'Transferência concluída',
    when: 'Enviado em {time}, horário de Brasília',
    amount: 'Valor enviado',
  },
  PENDING: {
    title: 'Transferência em processamento',
    state: 'Em processamento: o banco ainda não confirmou. Esta página muda quando ele responder.',
    when: 'Pedido em {time}, horário de Brasília',
    amount: 'Valor',
  },
  FAILED: {
    title: 'Transferência não concluída',
    state: 'Não foi concluída: o valor voltou para o saldo de quem enviou.',
    when: 'Encerrado em {time}, horário de Brasília',
    amount: 'Valor',
  },
  REFUNDED: {
    title: 'Transferência devolvida',
    state: 'Foi concluída e depois devolvida: o valor voltou para o saldo de quem enviou.',
    when: 'Enviado em {time}, horário de Brasília',
    amount: 'Valor enviado',
  },
} as const satisfies Record<PayoutStatus, Record<string, Phrase>>;

const WAITS: Phrase = 'Aguarda a aprovação de quem envia: nada foi enviado ainda.';

/**
 * The page behind the `receiptUrl` of a payout or transfer: who sends how much to whom, and its status, on one A4 page. Only a
 * completed one is called a receipt.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 */
export function renderPayoutReceiptPage(view: PayoutReceiptView): string {
  const amount = formatBrl(view.amountCents);
  const { title, state, when, amount: amountLabel } = WORDING[view.status];
  return renderLayout({
    title: say('{title} de {amount} – {store}', { title: say(title), amount, store: view.merchantName }),
    stylesheets: [cardStylesheet],
    accentColor: view.accentColor,
    devModeNotice: view.devMode ? say('Ambiente de teste — esta transferência não é real') : null,
    body: html`<main class="card receipt">
<header class="receipt__head">
<h1 class="receipt__title">${say(title)}</h1>
<p class="receipt__state${(view.status === 'FAILED' || view.status === 'REFUNDED') && ' receipt__state--reversed'}">${view.status === 'COMPLETE' && RECEIPT_CHECK}${say(view.waitsForApproval ? WAITS : state)}</p>
</header>
<p class="receipt__amount">${amount}</p>
<p class="receipt__when">${sayHtml(when, { time: dayAndTime(view.at) })}</p>
${partyPart(say(view.status === 'COMPLETE' ? 'Quem recebeu' : 'Para quem'), view.receiver)}
${partyPart(say(view.status === 'COMPLETE' ? 'Quem enviou' : 'De quem'), senderFacts(view))}
<section class="receipt__part">
<h2>${say('Transferência')}</h2>
<dl>
${factRow({ label: say('Forma de envio'), value: say('Pix') })}
${factRow({ label: say(amountLabel), value: amount })}
${view.returnedCents > 0 && factRow({ label: say('Valor devolvido'), value: formatBrl(view.returnedCents) })}
${view.description !== null && factRow({ label: say('Descrição'), value: view.description })}
${view.endToEndIdentifier !== null && factRow({ label: say('ID da transação Pix'), value: html`<span class="receipt__id id">${view.endToEndIdentifier}</span>` })}
${factRow({ label: say('Identificação do envio'), value: html`<span class="receipt__id id">${view.payoutId}</span>` })}
</dl>
</section>
<footer class="receipt__foot">
<p>${say('Para conferir, abra o endereço desta página:')}</p>
<p class="receipt__url id">${view.url}</p>
<button type="button" class="button screen-only" data-print hidden>${say('Imprimir ou salvar em PDF')}</button>
</footer>
</main>`,
  });
}

function senderFacts({ merchantName, merchantTaxId }: PayoutReceiptView): ReceiptFact[] {
  const name = { label: say('Nome'), value: merchantName };
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
