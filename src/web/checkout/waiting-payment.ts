import type { Charge } from '../../database/entities/charge.ts';
import { digitableLine, formatDigitableLine } from '../../domain/boleto.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { chargeDueCents } from '../../domain/fine-and-interest.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { qrCodeSvgPath } from '../../wire/qr-code.ts';
import { boletoPathFrom } from '../boleto/boleto-page-view.ts';
import { renderQrCode } from '../frame/codes.ts';
import { type Html, html } from '../frame/html.ts';
import { pageLocale, say, sayHtml } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { clockText, timeText, weekdayText } from '../i18n/dates.ts';
import { sayAmount } from '../i18n/money.ts';
import type { LoadedPayment } from './load-payment.ts';

/** A countdown longer than an hour would be useless. */
const COUNTDOWN_SECONDS = 60 * 60;
/** Nobody leaves a page open longer. */
const DAY_SECONDS = 24 * 60 * 60;

/** An unpaid PIX: its code as a picture for another device, and as text for this one. */
export function renderPixPayment(
  { charge }: LoadedPayment,
  brCode: string,
  now: Date,
  otherWay: Html | null,
): Html {
  return html`<section class="panel wait">
<h1 class="wait__title">${say('checkout.payWithPix', { amount: sayAmount(charge.amountCents) })}</h1>
${renderDeadline(charge.expiresAt, now)}
<p class="wait__over" role="status" data-after-deadline hidden>${say('checkout.thisCodeHasExpired')}</p>
${renderLiveStatus(charge, say('checkout.waitingForThePayment'))}
<div class="pix" data-until-deadline>
${renderCopyCode(brCode, say('payer.pixCopiaEColaCode'), 'pix')}
<div class="pix__qr">${renderQrCode(qrCodeSvgPath(brCode), say('payer.qrCodeOfThePix'))}</div>
<div class="pix__how">
<h2 class="wait__subtitle">${say('checkout.howToPay')}</h2>
<ol class="steps">
<li>${say('checkout.openYourBanksAppAnd')}</li>
<li>${say('checkout.scanTheQrCodeOr')}</li>
<li>${say('checkout.checkTheAmountAndConfirm')}</li>
${charge.mandateId !== null && html`<li>${say('checkout.pixAutomatic.consent')}</li>`}
</ol>
</div>
</div>
${otherWay}
</section>`;
}

/** A debit that the payer's bank makes by itself. */
export function renderDebit({ charge }: LoadedPayment): Html {
  const amount = sayAmount(charge.amountCents);
  return html`<section class="panel wait">
<h1 class="wait__title">${say('checkout.pixAutomatic.title')}</h1>
<p>${say('checkout.pixAutomatic.debited', { amount })}</p>
${renderLiveStatus(charge, say('checkout.waitingForThePayment'))}
</section>`;
}

/** Shows a countdown in the last hour; the code disappears when it ends. */
function renderDeadline(expiresAt: Date, now: Date): Html {
  const secondsLeft = Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
  const isSoon = secondsLeft < DAY_SECONDS;
  return html`<p class="wait__deadline">${sayHtml('checkout.thisCodeIsValidUntil', { time: html`<time datetime="${expiresAt.toISOString()}">${deadlineText(expiresAt, now)}</time>` })}${isSoon && renderCountdown(secondsLeft)}</p>`;
}

/** The script shows it. Where it does so at once, its digits keep the place. */
function renderCountdown(secondsLeft: number): Html {
  const isShown = secondsLeft <= COUNTDOWN_SECONDS;
  return html`<span class="${isShown && 'keeps-place'}" data-countdown="${secondsLeft}" data-countdown-from="${COUNTDOWN_SECONDS}" hidden> · ${say('checkout.left')} <span role="timer" aria-label="${say('checkout.timeLeft')}">${isShown && '00:00'}</span></span>`;
}

/** `21:35`, or on another day `03/12/2026, 21:35`. */
export function deadlineText(expiresAt: Date, now: Date): string {
  const isToday = saoPauloDateOf(expiresAt) === saoPauloDateOf(now);
  return isToday ? clockText(pageLocale(), expiresAt) : timeText(pageLocale(), expiresAt);
}

/** An unpaid boleto: its PIX code, if it has one, beside its bar code. The slip is on its own page. */
export function renderBoletoPayment(
  { charge, boletoPix }: LoadedPayment,
  barCode: string,
  now: Date,
  otherWay: Html | null,
): Html {
  return html`<section class="panel wait">
<h1 class="wait__title">${say('checkout.payTheBoletoOf', { amount: sayAmount(chargeDueCents(charge, saoPauloDateOf(now))) })}</h1>
${charge.dueDate !== null && html`<p class="wait__deadline">${say('checkout.dueOn', { date: weekdayText(pageLocale(), charge.dueDate) })}</p>`}
${renderLiveStatus(charge, say('checkout.waitingForThePaymentOncePaid'))}
<div class="ways">
${boletoPix !== null && renderPixWay(boletoPix)}
${renderBarCodeWay(charge, barCode)}
</div>
<p class="wait__note">${say('checkout.youCanCloseThisPage')}</p>
${otherWay}
</section>`;
}

function renderPixWay(brCode: string): Html {
  return html`<section class="way" aria-labelledby="pix-way">
<h2 class="wait__subtitle" id="pix-way">${say('payer.payWithPix')}</h2>
<p class="wait__note">${say('payer.confirmedAtOnce')}</p>
<div class="pix__qr">${renderQrCode(qrCodeSvgPath(brCode), say('payer.qrCodeOfThePix'))}</div>
${renderCopyCode(brCode, say('payer.pixCopiaEColaCode'), 'pix')}
</section>`;
}

function renderBarCodeWay(charge: Charge, barCode: string): Html {
  return html`<section class="way" aria-labelledby="line-way">
<h2 class="wait__subtitle" id="line-way">${say('payer.payByBarCode')}</h2>
<p class="wait__note">${say('payer.inTheAppOfAny')}</p>
${renderCopyCode(formatDigitableLine(digitableLine(barCode)), say('payer.digitableLine'), 'line')}
<p class="actions"><a class="button button--quiet" href="${boletoPathFrom(charge)}">${say('checkout.viewAndPrintTheBoleto')}</a></p>
</section>`;
}

/** Payers wait for a PIX or a card; a boleto is confirmed a day later, so its page polls less often. */
const POLL_MS = 2_000;
const BOLETO_POLL_MS = 5_000;

/** Shows the status; the script polls it and reloads the page when it changes. */
export function renderLiveStatus({ checkoutId, id, status, method }: Charge, text: string): Html {
  const path = `/pay/${checkoutId ?? ''}/${id}/status`;
  const pollMs = METHOD_TRAITS[method].hasDueDate ? BOLETO_POLL_MS : POLL_MS;
  return html`<p class="live" role="status" data-live-status="${path}" data-poll-ms="${pollMs}" data-status="${status}" data-changed="${say('checkout.thereIsAnAnswer')}" data-offline="${say('checkout.noInternetConnectionTheConfirmationAppears')}"><span class="live__dot" aria-hidden="true"></span><span data-live-text>${text}</span></p>`;
}

const COPY_LABELS = {
  pix: 'payer.copyPixCode',
  line: 'payer.copyDigitableLine',
} as const satisfies Record<string, MessageKey>;

/** A code with its copy button; without script a tap selects all of it. */
export function renderCopyCode(code: string, label: string, kind: 'pix' | 'line'): Html {
  const codeId = `${kind}-code`;
  return html`<div class="copy">
<p class="copy__label" id="${codeId}-label">${label}</p>
<p class="code copy__code copy__code--${kind}" id="${codeId}"><span class="copy__text">${code}</span></p>
<button type="button" class="button" data-copy="${code}" data-copy-status="${codeId}-status" data-copy-done="${say('checkout.codeCopied')}" data-copied="${say('payer.copied')}" data-copy-failed="${say('payer.selectAndCopyTheCode')}" hidden>${say(COPY_LABELS[kind])}</button>
<p class="visually-hidden" role="status" id="${codeId}-status"></p>
</div>`;
}
