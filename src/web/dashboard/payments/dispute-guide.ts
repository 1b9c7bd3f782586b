import type { ShownPayment } from '../../../api/payments/schema.ts';
import { METHOD_TRAITS } from '../../../domain/payment-methods.ts';
import { type Html, html } from '../../frame/html.ts';
import { timeText } from '../../i18n/dates.ts';
import { guideLink } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, methodName } from '../words.ts';
import { disputeReason } from './dispute-reason.ts';

type ShownDispute = NonNullable<ShownPayment['dispute']>;

/**
 * What a dispute or inquiry means, what the store can do about it, and by when; null without an undecided one.
 * @param canAnswer whether the reader can submit evidence here. Otherwise the steps say where.
 */
export function disputeGuide(
  visit: Visit,
  { id, dispute, method }: ShownPayment,
  canAnswer: boolean,
): Html | null {
  const { say } = visit;
  if (dispute === null || dispute.closedAt !== null) return null;
  const isOpen = dispute.status === 'OPEN';
  const why =
    dispute.reason === null
      ? ''
      : say('dashboard.payments.reason', { reason: disputeReason(dispute.reason, say) });
  const facts = {
    methodName: methodName(method, say),
    timeText: timeText(visit.locale, dispute.openedAt),
    amount: amount(dispute.amount),
    why,
  };
  const steps =
    METHOD_TRAITS[method].contestedBy === 'CHARGEBACK' ? cardSteps(visit, canAnswer) : pixSteps(visit);
  const answer = html`<a class="button" href="${visit.link(`/payments/${id}/evidence`)}">${say('dashboard.evidence.respondHere')}</a>`;
  return html`<section class="answer answer--bad" aria-labelledby="dispute">
<h2 id="dispute">${isOpen ? say('dashboard.payments.thisPaymentIsDisputed') : say('dashboard.payments.theIssuerAsksAboutThis')}</h2>
<p>${isOpen ? say('dashboard.payments.thePayerContestedThisPayment', facts) : say('dashboard.payments.thePayerAskedTheirBank', facts)}</p>
${deadline(visit, dispute, method)}${dispute.providerFee !== 0 && html`<p>${say('dashboard.payments.theProviderChargedAFee', { fee: amount(dispute.providerFee) })}</p>`}
<ol class="advice">${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
${canAnswer && html`<p>${answer}</p>\n`}<p>${guideLink(visit, say('dashboard.payments.moneyDisputes'), say('dashboard.payments.howDisputesWork'))}</p></section>`;
}

/** Until when the store can respond, or that it has. A provider that names no time leaves this out. */
function deadline(visit: Visit, dispute: ShownDispute, method: ShownPayment['method']): Html | null {
  const { say, storeNow } = visit;
  const { respondBy, evidenceSubmittedAt } = dispute;
  if (evidenceSubmittedAt !== null) {
    const at = timeText(visit.locale, evidenceSubmittedAt);
    return html`<p><strong>${say('dashboard.payments.evidenceWasSubmittedOn', { at })}</strong></p>\n`;
  }
  if (respondBy === null) return null;
  const until = timeText(visit.locale, respondBy);
  const words =
    new Date(respondBy) < storeNow
      ? say('dashboard.payments.theDeadlinePassed', { until })
      : METHOD_TRAITS[method].contestedBy === 'MED'
        ? say('dashboard.payments.theBankDecidesBy', { until })
        : say('dashboard.payments.respondBy', { until });
  return html`<p><strong>${words}</strong></p>\n`;
}

function pixSteps({ say }: Visit): string[] {
  return [
    say('dashboard.payments.collectWhatShowsThatThe'),
    say('dashboard.payments.sendItToTheSupport'),
    say('dashboard.payments.doNotRefundThePayer'),
  ];
}

function cardSteps({ say }: Visit, canAnswer: boolean): string[] {
  if (canAnswer)
    return [
      say('dashboard.payments.collectWhatShowsThatThe'),
      say('dashboard.evidence.submitHereOnce'),
      say('dashboard.payments.doNotRefundThePayer'),
    ];
  return [
    say('dashboard.payments.openTheNoticeOfYour'),
    say('dashboard.payments.sendTheAcquirerTheOrder'),
    say('dashboard.payments.doNotRefundThePayer'),
  ];
}
