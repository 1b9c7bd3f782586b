import { chargeWorkflowId } from '../../../../workflows/charge.contract.ts';
import { debitWorkflowId } from '../../../../workflows/debit.contract.ts';
import { notFound } from '../../../api/frame/errors.ts';
import { type PaymentTimeline, readPaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import { presentPayment } from '../../../api/payments/presenter.ts';
import { productsOfPayments } from '../../../api/payments/product-names.ts';
import { readPayments } from '../../../api/payments/read-payments.ts';
import { refundRequestsOf } from '../../../charges/refunds/refund-requests.ts';
import { customerNames } from '../../../customers/find-customers.ts';
import { isDebit } from '../../../domain/charge.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import { invoicesOfCharges } from '../../../invoices/invoice-files.ts';
import { type Html, html } from '../../frame/html.ts';
import { dayText, timeText } from '../../i18n/dates.ts';
import { day, exactTime, link, section } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { listening, livePart } from '../frame/live.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, methodName, paymentBadge } from '../words.ts';
import { paymentButtons } from './buttons.ts';
import { disputeGuide } from './dispute-guide.ts';
import { answersOf } from './likely-questions.ts';
import { refundRequest } from './refund-request.ts';
import { sideCards } from './side-cards.ts';
import { splitCards } from './split-card.ts';
import { deliveriesOf, timelineEntriesOf, timelineOf } from './timeline.ts';
import type { TimelineEntry, TimelineFormatter } from './timeline-entry.ts';
import { takesEvidence } from './undecided-dispute.ts';
import { workflowFacts } from './workflow-facts.ts';

/** One payment: its details, its timeline and its actions. */
export const paymentDetail = dashboardRoute({
  method: 'GET',
  path: '/payments/:id',
  action: 'read',
  async handler(visit) {
    const { em, caller, say, deps, params } = visit;
    const listen = await listening(visit);
    const [row] = await readPayments(em, caller, [params.id as ChargeId]);
    if (row === undefined) throw notFound('Payment');
    const shown = presentPayment(row, { publicUrl: deps.publicUrl, showsPayer: true });
    const [paymentTimeline, workflow, names, products, requests, invoices] = await Promise.all([
      readPaymentTimeline(em, row.charge),
      workflowFacts(
        visit,
        isDebit(row.charge) ? debitWorkflowId(row.charge.id) : chargeWorkflowId(row.charge.id),
      ),
      customerNames(em, caller, [shown.customerId]),
      productsOfPayments(em, caller, [shown.id]),
      refundRequestsOf(em, [row.charge.id]),
      invoicesOfCharges(em, [row.charge.id]),
    ]);
    const named = {
      ...shown,
      customerName: names.get(shown.customerId ?? '') ?? null,
      products: products.get(shown.id) ?? shown.description,
    };
    const canAnswer =
      shown.dispute?.closedAt === null && visit.can('refund') && (await takesEvidence(deps, row.charge));
    const formatter = timelineFormatterOf(visit);
    const answers = answersOf(paymentTimeline, formatter).map(
      ({ tone, text }) => html`<div class="answer answer--${tone}"><p>${text}</p></div>\n`,
    );
    const request = refundRequest(visit, shown, requests.get(row.charge.id) ?? null);
    const main = html`${listen(shown.id, shown.checkoutId, shown.subscriptionId)}${livePart(
      'answers',
      html`${disputeGuide(visit, shown, canAnswer)}${request}${answers}`,
    )}
${livePart('happened', happened(visit, paymentTimeline, formatter))}`;
    return detailPage(visit, {
      title: `${methodName(shown.wallet ?? shown.method, say)} · ${amount(shown.paidAmount ?? shown.amount)}`,
      active: 'payments',
      state: livePart('status', paymentBadge(shown, say)),
      actions: livePart('actions', paymentButtons(visit, shown)),
      main,
      cards: [
        ...sideCards(visit, named, workflow, invoices.get(row.charge.id) ?? null, row.charge),
        ...(await splitCards(visit, row.charge)),
      ],
    });
  },
});

/** With a test clock that is ahead, what happens in its time is kept apart from deliveries, which happen in real time. */
function happened(visit: Visit, paymentTimeline: PaymentTimeline, formatter: TimelineFormatter): Html {
  const { say, storeNow, now } = visit;
  const title = say('dashboard.payments.whatHappened');
  if (storeNow.getTime() === now.getTime())
    return section(title, timeline(visit, timelineOf(paymentTimeline, formatter)));
  const clock = say('dashboard.payments.timeOfTheTestEnvironments');
  const deliveries = deliveriesOf(paymentTimeline, formatter);
  return html`${section(title, html`<p class="soft">${clock}</p>${timeline(visit, timelineEntriesOf(paymentTimeline, formatter))}`)}
${deliveries.length > 0 && section(say('dashboard.payments.webhookDeliveries'), html`<p class="soft">${say('dashboard.payments.realTime')}</p>${timeline(visit, deliveries)}`)}`;
}

function timelineFormatterOf({ say, locale, storeNow }: Visit): TimelineFormatter {
  return { say, now: storeNow, when: (at) => timeText(locale, at), day: (at) => dayText(locale, at) };
}

/** A timeline whose marks show what succeeded and what failed. */
export function timeline(visit: Visit, entries: readonly TimelineEntry[]): Html {
  const rows = entries.map(
    ({ at, tone, text, path, isDay }) =>
      html`<li class="timeline__${tone}">${isDay ? day(visit, at) : exactTime(visit, at)}<span>${path === null ? text : link(visit, path, text)}</span></li>\n`,
  );
  return html`<ol class="timeline">
${rows}</ol>`;
}
