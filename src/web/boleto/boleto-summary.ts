import { digitableLine, formatDigitableLine } from '../../domain/boleto.ts';
import { lastDayToPayWithoutAdditions } from '../../domain/last-day-to-pay.ts';
import { renderBarCode, renderQrCode } from '../frame/codes.ts';
import { fact } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { pageLocale, say, sayDay, sayDays, sayHtml } from '../frame/language.ts';
import { renderLogo } from '../frame/store-logo.ts';
import { weekdayText } from '../i18n/dates.ts';
import { sayAmount } from '../i18n/money.ts';
import { type BoletoPagePix, type BoletoPageView, boletoState } from './boleto-view.ts';
import { closedWording, lateTermsInWords } from './boleto-wording.ts';

/** The first part of the page on the screen: amount, due date and the two codes. It is not printed, unless the slip is the provider's. */
export function renderBoletoSummary(view: BoletoPageView): Html {
  const state = boletoState(view);
  return html`<header class="${view.voucher === null ? 'summary screen-only' : 'summary'}">
${renderLogo(view.logoFile)}
<p class="summary__merchant">${sayHtml('boleto.boletoOf2', { store: html`<strong>${view.merchantName}</strong>` })}</p>
${state === 'PAYABLE' ? payableSummary(view) : closedSummary(view, closedWording(state, view), state === 'PAID')}
</header>`;
}

function payableSummary(view: BoletoPageView): Html {
  return html`<h1 class="summary__amount">${sayAmount(view.due.totalCents)}</h1>
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
    const overdue = say('boleto.itWasDueOnAgo', {
      date: sayDay(dueDate),
      days: sayDays(due.daysLate),
    });
    const last = html`<strong>${weekdayText(pageLocale(), lastDayToPay)}</strong>`;
    return html`<p class="summary__deadline summary__deadline--late">${overdue}
${sayHtml('boleto.itCanBePaidUntil', { date: last })}</p>`;
  }
  const lateTerms = lateTermsInWords(view);
  const lastDayWithoutAdditions = lastDayToPayWithoutAdditions(dueDate);
  const day = html`<strong>${weekdayText(pageLocale(), dueDate)}</strong>`;
  return html`<p class="summary__deadline">${sayHtml(today === dueDate ? 'boleto.dueToday' : 'boleto.dueOn', { date: day })}</p>
${
  lastDayWithoutAdditions !== dueDate &&
  html`<p class="summary__note">${say('boleto.theDueDateIsNot', { date: weekdayText(pageLocale(), lastDayWithoutAdditions) })}</p>`
}
${lateTerms !== null && html`<p class="summary__note">${say('boleto.afterThat', { terms: lateTerms })} ${say('boleto.itCanBePaidUntil', { date: sayDay(lastDayToPay) })}</p>`}`;
}

function lateBreakdown({ due, today }: BoletoPageView): Html {
  return html`<table class="breakdown">
<caption>${say('boleto.toBePaidToday', { date: sayDay(today) })}</caption>
<tbody>
<tr><th scope="row">${say('boleto.amountOfTheBoleto')}</th><td>${sayAmount(due.amountCents)}</td></tr>
${due.fineCents > 0 && html`<tr><th scope="row">${say('boleto.fine')}</th><td>${sayAmount(due.fineCents)}</td></tr>`}
${due.interestCents > 0 && html`<tr><th scope="row">${say('boleto.interestOf', { days: sayDays(due.daysLate) })}</th><td>${sayAmount(due.interestCents)}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${say('boleto.totalToday')}</th><td>${sayAmount(due.totalCents)}</td></tr></tfoot>
</table>`;
}

function pixWay(pix: BoletoPagePix, { due }: BoletoPageView): Html {
  return html`<section class="way way--pix" aria-labelledby="pix-title">
<h2 id="pix-title">${say('payer.payWithPix')}</h2>
<p class="way__hint">${say(due.daysLate > 0 ? 'boleto.confirmedAtOnce' : 'payer.confirmedAtOnce')}</p>
${renderQrCode(pix.qr, say('payer.qrCodeOfThePix'))}
<h3 class="way__label" id="pix-code-label">${say('payer.pixCopiaEColaCode')}</h3>
<p class="code code--pix" id="pix-code" tabindex="0" aria-labelledby="pix-code-label">${pix.brCode}</p>
${copyButton({ text: pix.brCode, label: say('payer.copyPixCode'), done: say('boleto.pixCodeCopied'), statusId: 'pix-copy-status' })}
</section>`;
}

function boletoWay({ barCode44, voucher, bankName }: BoletoPageView): Html {
  const line = digitableLine(barCode44);
  return html`<section class="way" aria-labelledby="line-title">
<h2 id="line-title">${say('payer.payByBarCode')}</h2>
<p class="way__hint">${say('payer.inTheAppOfAny')}</p>
<h3 class="way__label" id="line-label">${say('payer.digitableLine')}</h3>
<p class="code code--line" id="line" tabindex="0" aria-labelledby="line-label">${formatDigitableLine(line)}</p>
${copyButton({ text: line, label: say('payer.copyDigitableLine'), done: say('boleto.digitableLineCopied'), statusId: 'line-copy-status' })}
${
  voucher === null
    ? html`<button type="button" class="button button--quiet" data-print hidden>${say('boleto.printBoleto')}</button>`
    : html`<div class="way__bar-code">${renderBarCode(barCode44)}</div>
<a class="button button--quiet" href="${voucher.url}" rel="noopener noreferrer">${say(voucher.isPdf ? 'boleto.downloadTheBoleto' : 'boleto.openTheBoletoOf', { bank: bankName })}</a>`
}
</section>`;
}

interface CopyButton {
  readonly text: string;
  readonly label: string;
  readonly done: string;
  readonly statusId: string;
}

function copyButton({ text, label, done, statusId }: CopyButton): Html {
  return html`<button type="button" class="button" data-copy="${text}" data-copied="${say('payer.copied')}" data-copy-failed="${say('payer.selectAndCopyTheCode')}" data-copy-done="${done}" data-copy-status="${statusId}" hidden>${label}</button>
<span class="visually-hidden" role="status" id="${statusId}"></span>`;
}

function closedSummary(view: BoletoPageView, wording: ReturnType<typeof closedWording>, paid: boolean): Html {
  const amountCents = view.paid?.amountCents ?? view.due.amountCents;
  return html`<h1 class="summary__state${paid ? ' summary__state--paid' : ''}">${wording.title}</h1>
<p class="summary__deadline">${wording.text}</p>
<dl class="facts">
${fact(say(view.paid ? 'payer.amountPaid' : 'boleto.amountOfTheBoleto'), sayAmount(amountCents))}
${fact(say('payer.dueDate'), sayDay(view.dueDate))}
${view.description !== null && fact(say('payer.description'), view.description)}
</dl>`;
}
