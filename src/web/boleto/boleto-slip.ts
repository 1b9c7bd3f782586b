import { digitableLine, formatDigitableLine } from '../../domain/boleto.ts';
import { lastDayToPayWithoutAdditions } from '../../domain/last-day-to-pay.ts';
import { renderBarCode, renderQrCode } from '../frame/codes.ts';
import { type Html, html } from '../frame/html.ts';
import { inLanguage } from '../frame/language.ts';
import { shownName } from '../frame/payer-texts.ts';
import { sayAmount } from '../i18n/money.ts';
import { type BoletoPagePix, type BoletoPageView, boletoState } from './boleto-view.ts';
import { closedWording, slipDay, slipInstructions } from './boleto-wording.ts';
import { box, party, row, slipHeading } from './slip-boxes.ts';

/**
 * The boleto on paper: the payer's receipt above the cut line, and below it the part that banks process. A boleto that cannot be
 * paid has only the receipt, with the reason in place of the digitable line. It is always in Portuguese, because banks and
 * tellers rely on its terms.
 */
export function renderBoletoSlip(view: BoletoPageView): Html {
  return inLanguage('pt', () => renderSlip(view));
}

function renderSlip(view: BoletoPageView): Html {
  const state = boletoState(view);
  const { bankName } = view;
  const bankCode = view.barCode44.slice(0, 3);
  if (state !== 'PAYABLE') {
    const title = state === 'PAID' ? 'Recibo do Pagador' : 'Sem validade para pagamento';
    return html`<article class="slip slip--closed" lang="pt-BR" aria-label="Boleto para impressão">
<section class="slip__receipt">
${slipHeading(bankName, bankCode, title, closedWording(state, view).title)}
${receiptBoxes(view)}
</section>
</article>`;
  }
  const line = formatDigitableLine(digitableLine(view.barCode44));
  return html`<article class="slip" lang="pt-BR" aria-label="Boleto para impressão">
<section class="slip__receipt">
${slipHeading(bankName, bankCode, 'Recibo do Pagador', line)}
${receiptBoxes(view)}
${view.pix && printedPix(view.pix, view)}
</section>
<p class="cut-line" aria-hidden="true">Corte na linha pontilhada</p>
<section>
${slipHeading(bankName, bankCode, 'Ficha de Compensação', line)}
${compensationBoxes(view)}
</section>
</article>`;
}

function receiptBoxes(view: BoletoPageView): Html {
  return html`${row('party', [
    box('Beneficiário', party(view.merchantName, view.merchantTaxId), 'wide'),
    box('Vencimento', slipDay(view.dueDate), 'amount'),
  ])}
${row('party', [
  box('Pagador', party(shownName(view.payerName), view.payerTaxId), 'wide'),
  box('Agência / Código do Beneficiário', view.agencyAndAccount ?? '', 'amount'),
])}
${row('receipt', [
  box('Data do Documento', slipDay(view.createdOn)),
  box('Nº do Documento', view.documentNumber),
  box('Nosso Número', view.ourNumber ?? ''),
  box('(=) Valor do Documento', sayAmount(view.due.amountCents), 'amount'),
])}
${
  view.paid &&
  row('paid', [
    box('Data do Pagamento', slipDay(view.paid.on)),
    box('Valor Pago', sayAmount(view.paid.amountCents), 'amount'),
  ])
}
<div class="slip__statement">
<dl class="statement"><dt>Demonstrativo</dt><dd>${view.description ?? `Cobrança de ${view.merchantName}`}</dd></dl>
<p class="slip__authentication">Autenticação mecânica</p>
</div>`;
}

function printedPix(pix: BoletoPagePix, { due, today }: BoletoPageView): Html {
  return html`<section class="slip-pix" aria-label="Pix do boleto">
${renderQrCode(pix.qr, 'QR Code do Pix')}
<div>
<h3 class="slip-pix__title">Pague com Pix: ${sayAmount(due.totalCents)}</h3>
<p>Leia o QR Code no aplicativo do seu banco.${due.daysLate > 0 && ` Valor para pagamento em ${slipDay(today)}.`}</p>
<p class="slip-pix__label">Pix copia e cola</p>
<p class="slip-pix__code">${pix.brCode}</p>
</div>
</section>`;
}

function compensationBoxes(view: BoletoPageView): Html {
  const { due } = view;
  const payableLate = view.lastDayToPay > lastDayToPayWithoutAdditions(view.dueDate);
  // Left blank if there are no additions: only the bank can say what they are on a later day.
  const isLate = due.daysLate > 0;
  return html`${row('party', [
    box(
      'Local de Pagamento',
      `Pagável em qualquer banco${payableLate ? ', mesmo após o vencimento' : ' até o vencimento'}`,
      'wide',
    ),
    box('Vencimento', slipDay(view.dueDate), 'amount'),
  ])}
${row('party', [
  box('Beneficiário', party(view.merchantName, view.merchantTaxId), 'wide'),
  box('Agência / Código do Beneficiário', view.agencyAndAccount ?? '', 'amount'),
])}
${row('document', [
  box('Data do Documento', slipDay(view.createdOn)),
  box('Nº do Documento', view.documentNumber),
  box('Espécie Doc.', 'DM'),
  box('Aceite', 'N'),
  box('Data do Processamento', slipDay(view.createdOn)),
  box('Nosso Número', view.ourNumber ?? '', 'amount'),
])}
${row('bank', [
  box('Uso do Banco', '', 'blank'),
  box('Carteira', view.wallet ?? ''),
  box('Espécie Moeda', 'R$'),
  box('Quantidade', '', 'blank'),
  box('(x) Valor', '', 'blank'),
  box('(=) Valor do Documento', sayAmount(due.amountCents), 'amount'),
])}
<div class="slip__middle">
${row('instructions', [
  box('Instruções', html`${slipInstructions(view).map((text) => html`<p>${text}</p>`)}`, 'wide'),
])}
${row('amounts', [
  box('(−) Desconto / Abatimento', '', 'amount', 'blank'),
  box('(−) Outras Deduções', '', 'amount', 'blank'),
  box('(+) Mora / Multa', isLate ? sayAmount(due.fineCents + due.interestCents) : '', 'amount'),
  box('(+) Outros Acréscimos', '', 'amount', 'blank'),
  box('(=) Valor Cobrado', isLate ? sayAmount(due.totalCents) : '', 'amount'),
])}
</div>
${row('payer', [box('Pagador', party(shownName(view.payerName), view.payerTaxId), 'wide')])}
<div class="slip__foot">
<div class="slip__codes">${renderBarCode(view.barCode44)}</div>
<p class="slip__authentication">Autenticação mecânica – <strong>Ficha de Compensação</strong></p>
</div>`;
}
