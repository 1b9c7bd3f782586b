import { digitableLine, formatDigitableLine } from '../../domain/boleto.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { chargeDueCents } from '../../domain/late-charges.ts';
import { formatBrl } from '../../domain/money.ts';
import { formatDateWithWeekday } from '../boleto/boleto-wording.ts';
import { type Html, html } from '../frame/html.ts';
import { renderCopyCode, renderLiveStatus } from './live-status.ts';
import type { LoadedPayment } from './load-payment.ts';

/** A boleto that waits for its payer. Its own page has the slip, its bar code and its PIX. */
export function renderBoletoPayment(
  { charge }: LoadedPayment,
  barCode: string,
  now: Date,
  otherWay: Html | null,
): Html {
  return html`<section class="panel wait">
<h1 class="wait__title">Pague o boleto de <span class="nowrap">${formatBrl(chargeDueCents(charge, saoPauloDateOf(now)))}</span></h1>
${charge.dueDate !== null && html`<p class="wait__deadline">Vence em ${formatDateWithWeekday(charge.dueDate)}</p>`}
${renderLiveStatus(charge, 'Aguardando o pagamento. Depois de pago, a confirmação leva até um dia útil.')}
${renderCopyCode(formatDigitableLine(digitableLine(barCode)), 'Linha digitável', 'line')}
<p class="actions"><a class="button button--quiet" href="/boleto/${charge.id}">Ver e imprimir o boleto</a></p>
<p class="wait__note">Você pode fechar esta página: o boleto continua valendo. Ele também pode ser pago com PIX, pelo QR code do boleto.</p>
${otherWay}
</section>`;
}
