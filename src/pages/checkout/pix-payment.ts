import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { formatBrl } from '../../domain/money.ts';
import { qrCodeSvgPath } from '../../wire/qr-code.ts';
import { type Html, html } from '../frame/html.ts';
import { renderQrCode } from '../frame/qr-code-image.ts';
import { renderCopyCode, renderLiveStatus } from './live-status.ts';
import type { LoadedPayment } from './load-payment.ts';

/** The code of a subscription's cycle lives for days; that of a page, half an hour. */
const DAY_AND_TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});
const TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
});

/** Longer than an hour nobody watches a clock. */
const COUNTDOWN_SECONDS = 60 * 60;

/** A PIX that waits for its payer: the code twice, as a picture for another device and as text for this one. */
export function renderPixPayment(
  { charge }: LoadedPayment,
  brCode: string,
  now: Date,
  otherWay: Html | null,
): Html {
  return html`<section class="panel wait">
<h1 class="wait__title">Pague <span class="nowrap">${formatBrl(charge.amountCents)}</span> com PIX</h1>
${renderDeadline(charge.expiresAt, now)}
${renderLiveStatus(charge, 'Aguardando o pagamento…')}
<div class="pix">
${renderCopyCode(brCode, 'PIX Copia e Cola', 'pix')}
<div class="pix__qr">${renderQrCode(qrCodeSvgPath(brCode), 'QR code do PIX')}</div>
<div class="pix__how">
<h2 class="wait__subtitle">Como pagar</h2>
<ol class="steps">
<li>Abra o aplicativo do seu banco e escolha PIX.</li>
<li>Leia o QR code, ou use o PIX Copia e Cola com o código desta página.</li>
<li>Confira o valor e confirme. A confirmação aparece aqui sozinha.</li>
</ol>
</div>
</div>
${otherWay}
</section>`;
}

/** With a countdown where the end is near. */
function renderDeadline(expiresAt: Date, now: Date): Html {
  const isToday = saoPauloDateOf(expiresAt) === saoPauloDateOf(now);
  const secondsLeft = Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
  const isSoon = secondsLeft < COUNTDOWN_SECONDS;
  const text = isToday ? TIME.format(expiresAt) : DAY_AND_TIME.format(expiresAt).replace(', ', ' às ');
  return html`<p class="wait__deadline">Este código vale até <time datetime="${expiresAt.toISOString()}">${text}</time>${isSoon && html`<span data-countdown="${secondsLeft}" hidden> · faltam <span role="timer" aria-label="Tempo restante"></span></span>`}</p>`;
}
