import type { ShownPayment } from '../../../api/payments/schema.ts';
import { medDeadline } from '../../../charges/disputes/med-deadline.ts';
import { type Html, html } from '../../frame/html.ts';
import { guideLink, timeText } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, methodName } from '../words.ts';

/** What a dispute means and what the store can do about it, and by when; null without an open one. */
export function disputeGuide(visit: Visit, { dispute, method, status }: ShownPayment): Html | null {
  const { say } = visit;
  if (dispute === null || status !== 'UNDER_DISPUTE') return null;
  const why = dispute.reason === null ? '' : say('dashboard.payments.reason', { reason: dispute.reason });
  const steps = method === 'CARD' ? cardSteps(visit) : pixSteps(visit, new Date(dispute.openedAt));
  return html`<section class="answer answer--bad" aria-labelledby="dispute">
<h2 id="dispute">${say('dashboard.payments.thisPaymentIsDisputed')}</h2>
<p>${say('dashboard.payments.thePayerContestedThisPayment', { methodName: methodName(method, say), timeText: timeText(visit, dispute.openedAt), amount: amount(dispute.amount), why })}</p>
<ol class="steps">${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
<p>${guideLink(visit, say('dashboard.payments.moneyDisputes'), say('dashboard.payments.howDisputesWork'))}</p></section>`;
}

function pixSteps({ say, ...visit }: Visit, openedAt: Date): string[] {
  const until = timeText(visit, medDeadline(openedAt));
  return [
    say('dashboard.payments.collectWhatShowsThatThe'),
    say('dashboard.payments.sendItToTheSupport', { until }),
    say('dashboard.payments.doNotRefundThePayer'),
  ];
}

function cardSteps({ say }: Visit): string[] {
  return [
    say('dashboard.payments.openTheNoticeOfYour'),
    say('dashboard.payments.sendTheAcquirerTheOrder'),
    say('dashboard.payments.doNotRefundThePayer'),
  ];
}
