import { digitableLine, formatDigitableLine } from '../../domain/boleto.ts';
import { lastDayToPayWithoutAdditions } from '../../domain/late-charges.ts';
import { formatBrl } from '../../domain/money.ts';
import { renderQrCode } from '../frame/codes.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDays, sayHtml } from '../frame/language.ts';
import { type BoletoPagePix, type BoletoPageView, boletoState } from './boleto-view.ts';
import { closedWording, formatDate, formatDateWithWeekday, lateTermsInWords } from './boleto-wording.ts';

/** The first part of the page on the screen: amount, due date and the two codes. It is not printed. */
export function renderBoletoSummary(view: BoletoPageView): Html {
  const state = boletoState(view);
  return html`<header class="summary screen-only">
<p class="summary__merchant">${sayHtml('Boleto de {store}', { store: html`<strong>${view.merchantName}</strong>` })}</p>
${state === 'PAYABLE' ? payableSummary(view) : closedSummary(view, closedWording(state, view), state === 'PAID')}
</header>`;
}

function payableSummary(view: BoletoPageView): Html {
  return html`<h1 class="summary__amount">${formatBrl(view.due.totalCents)}</h1>
${deadline(view)}
${view.description !== null && html`<p class="summary__description">${view.description}</p>`}
${view.due.daysLate > 0 && lateBreakdown(view)}
<div class="ways">
${view.pix && pixWay(view.pix, view)}
${boletoWay(view)}
</div>`;
}

function deadline(view: BoletoPageView): Html {
  const { today, dueDate, lastDayToPay, due } = view;
  if (due.daysLate > 0) {
    const overdue = say('Venceu em {date}, há {days}.', {
      date: formatDate(dueDate),
      days: sayDays(due.daysLate),
    });
    const last = html`<strong>${formatDateWithWeekday(lastDayToPay)}</strong>`;
    return html`<p class="summary__deadline summary__deadline--late">${overdue}
${sayHtml('Pode ser pago até {date}.', { date: last })}</p>`;
  }
  const lateTerms = lateTermsInWords(view);
  const lastDayWithoutAdditions = lastDayToPayWithoutAdditions(dueDate);
  const day = html`<strong>${formatDateWithWeekday(dueDate)}</strong>`;
  return html`<p class="summary__deadline">${sayHtml(today === dueDate ? 'Vence hoje, {date}' : 'Vencimento: {date}', { date: day })}</p>
${
  lastDayWithoutAdditions !== dueDate &&
  html`<p class="summary__note">${say('O vencimento não é dia útil: pague até {date}, sem acréscimos.', { date: formatDateWithWeekday(lastDayWithoutAdditions) })}</p>`
}
${lateTerms !== null && html`<p class="summary__note">${say('Depois disso: {terms}.', { terms: lateTerms })} ${say('Pode ser pago até {date}.', { date: formatDate(lastDayToPay) })}</p>`}`;
}

function lateBreakdown({ due, today }: BoletoPageView): Html {
  return html`<table class="breakdown">
<caption>${say('Valor para pagamento hoje, {date}', { date: formatDate(today) })}</caption>
<tbody>
<tr><th scope="row">${say('Valor do boleto')}</th><td>${formatBrl(due.amountCents)}</td></tr>
${due.fineCents > 0 && html`<tr><th scope="row">${say('Multa')}</th><td>${formatBrl(due.fineCents)}</td></tr>`}
${due.interestCents > 0 && html`<tr><th scope="row">${say('Juros de {days}', { days: sayDays(due.daysLate) })}</th><td>${formatBrl(due.interestCents)}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${say('Total hoje')}</th><td>${formatBrl(due.totalCents)}</td></tr></tfoot>
</table>`;
}

function pixWay(pix: BoletoPagePix, { due }: BoletoPageView): Html {
  return html`<section class="way way--pix" aria-labelledby="pix-title">
<h2 id="pix-title">${say('Pagar com Pix')}</h2>
<p class="way__hint">${say(due.daysLate > 0 ? 'Confirmado na hora. Abra o aplicativo do seu banco e leia o QR code, que vale para pagamento hoje.' : 'Confirmado na hora. Abra o aplicativo do seu banco e leia o QR code.')}</p>
${renderQrCode(pix.qr, say('QR code do Pix'))}
<h3 class="way__label" id="pix-code-label">${say('Pix Copia e Cola')}</h3>
<p class="code code--pix" id="pix-code" tabindex="0" aria-labelledby="pix-code-label">${pix.brCode}</p>
${copyButton({ text: pix.brCode, label: say('Copiar código Pix'), done: say('Código Pix copiado'), statusId: 'pix-copy-status' })}
</section>`;
}

function boletoWay({ barCode44 }: BoletoPageView): Html {
  const line = digitableLine(barCode44);
  return html`<section class="way" aria-labelledby="line-title">
<h2 id="line-title">${say('Pagar com código de barras')}</h2>
<p class="way__hint">${say('No aplicativo de qualquer banco, caixa eletrônico ou lotérica. A confirmação pode levar um dia útil.')}</p>
<h3 class="way__label" id="line-label">${say('Linha digitável')}</h3>
<p class="code code--line" id="line" tabindex="0" aria-labelledby="line-label">${formatDigitableLine(line)}</p>
${copyButton({ text: line, label: say('Copiar linha digitável'), done: say('Linha digitável copiada'), statusId: 'line-copy-status' })}
<button type="button" class="button button--quiet" data-print hidden>${say('Imprimir boleto')}</button>
</section>`;
}

interface CopyButton {
  readonly text: string;
  readonly label: string;
  readonly done: string;
  readonly statusId: string;
}

function copyButton({ text, label, done, statusId }: CopyButton): Html {
  return html`<button type="button" class="button" data-copy="${text}" data-copied="${say('Copiado!')}" data-copy-failed="${say('Selecione e copie o código')}" data-copy-done="${done}" data-copy-status="${statusId}" hidden>${label}</button>
<span class="visually-hidden" role="status" id="${statusId}"></span>`;
}

function closedSummary(view: BoletoPageView, wording: ReturnType<typeof closedWording>, paid: boolean): Html {
  const amountCents = view.paid?.amountCents ?? view.due.amountCents;
  return html`<h1 class="summary__state${paid ? ' summary__state--paid' : ''}">${wording.title}</h1>
<p class="summary__deadline">${wording.text}</p>
<dl class="facts">
<div><dt>${say(view.paid ? 'Valor pago' : 'Valor do boleto')}</dt><dd>${formatBrl(amountCents)}</dd></div>
<div><dt>${say('Vencimento')}</dt><dd>${formatDate(view.dueDate)}</dd></div>
${view.description !== null && html`<div><dt>${say('Descrição')}</dt><dd>${view.description}</dd></div>`}
</dl>`;
}
