import type { ShownPayment } from '../../../api/payments/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import { guideLink, timeText } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, methodName } from '../words.ts';

/** The receiver's bank decides on a MED within seven days (Bacen, resolution 1/2020, art. 41-D). */
const MED_DAYS = 7;
const DAY_MS = 86_400_000;

/** What a dispute means and what the store can do about it, and by when; null without an open one. */
export function disputeGuide(visit: Visit, { dispute, method, status }: ShownPayment): Html | null {
  const { say } = visit;
  if (dispute === null || status !== 'UNDER_DISPUTE') return null;
  const why =
    dispute.reason === null ? '' : say(` Motivo: ${dispute.reason}.`, ` Reason: ${dispute.reason}.`);
  const steps = method === 'CARD' ? cardSteps(visit) : pixSteps(visit, new Date(dispute.openedAt));
  return html`<section class="answer answer--bad" aria-labelledby="dispute">
<h2 id="dispute">${say('Este pagamento está em disputa', 'This payment is disputed')}</h2>
<p>${say(
    `Quem pagou contestou este pagamento (${methodName(method, say)}) no próprio banco em ${timeText(visit, dispute.openedAt)}. ${amount(dispute.amount)} ficam bloqueados no seu saldo até a decisão.${why}`,
    `The payer contested this payment (${methodName(method, say)}) at their bank on ${timeText(visit, dispute.openedAt)}. ${amount(dispute.amount)} of your balance stays blocked until the decision.${why}`,
  )}</p>
<ol class="steps">${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
<p>${guideLink(visit, say('money#disputas', 'money#disputes'), say('Como as disputas funcionam', 'How disputes work'))}</p></section>`;
}

function pixSteps({ say, ...visit }: Visit, openedAt: Date): string[] {
  const until = timeText(visit, new Date(openedAt.getTime() + MED_DAYS * DAY_MS));
  return [
    say(
      'Junte o que mostra que a venda é verdadeira: pedido, nota fiscal, entrega assinada, conversa com o cliente.',
      'Collect what shows that the sale is genuine: order, invoice, proof of delivery, messages with the customer.',
    ),
    say(
      `Mande tudo ao atendimento do banco que recebe seus Pix. O prazo dele para decidir vai até ${until}.`,
      `Send it to the support of the bank that receives your Pix. It has until ${until} to decide.`,
    ),
    say(
      'Não reembolse por fora: se perder a disputa, o valor sairia duas vezes.',
      'Do not refund the payer in another way: if you lose the dispute, the amount would leave twice.',
    ),
  ];
}

function cardSteps({ say }: Visit): string[] {
  return [
    say(
      'Abra o aviso da sua credenciadora: ele diz o prazo da defesa. Sem resposta até lá, a disputa é perdida.',
      'Open the notice of your acquirer: it names the deadline for your defence. Without an answer the dispute is lost.',
    ),
    say(
      'Mande à credenciadora o pedido, a nota fiscal, o comprovante de entrega e as conversas com o cliente.',
      'Send the acquirer the order, the invoice, the proof of delivery and your messages with the customer.',
    ),
    say(
      'Não reembolse por fora: se perder a disputa, o valor sairia duas vezes.',
      'Do not refund the payer in another way: if you lose the dispute, the amount would leave twice.',
    ),
  ];
}
