import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import { unsettledCentsOf } from '../../../charges/receivables/settlement-plan.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import type { Dispute } from '../../../database/entities/dispute.ts';
import type { Payment } from '../../../database/entities/payment.ts';
import type { Receivable } from '../../../database/entities/receivable.ts';
import type { Refund } from '../../../database/entities/refund.ts';
import { pendingPartCents } from '../../../domain/receivable.ts';
import { type DisputeStatus, isInquiry } from '../../../domain/reversal.ts';
import type { Say } from '../frame/locale.ts';
import { amount } from '../words.ts';
import { disputeReason } from './dispute-reason.ts';
import { refundRefusalWords } from './refund-refusal-words.ts';
import { dayEntry, type TimelineEntry, type TimelineFormatter, timelineEntry } from './timeline-entry.ts';
import { returnEntry } from './timeline-returns.ts';

/** What was paid, what was refunded, and when the store may use the money. */
export function moneyEntries(
  paymentTimeline: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const { payments, refunds, disputes } = paymentTimeline;
  return [
    ...payments.map((payment) => paymentEntry(payment, formatter)),
    ...freeEntry(paymentTimeline, formatter),
    ...settledEntry(paymentTimeline, formatter),
    ...refunds.flatMap((refund) => refundEntry(refund, formatter)),
    ...disputes.flatMap((dispute) => disputeEntry(dispute, formatter)),
  ];
}

function paymentEntry(payment: Payment, formatter: TimelineFormatter): TimelineEntry {
  const { outcome, amountCents, paidAt, payerName } = payment;
  if (outcome !== 'ACCEPTED') return returnEntry(payment, formatter);
  const { say } = formatter;
  const paid = amount(amountCents);
  const by = payerName === null ? '' : say('dashboard.payments.by', { payerName });
  return timelineEntry(paidAt, 'good', say('dashboard.payments.paid', { paid, by }));
}

function freeEntry({ charge, payments }: PaymentTimeline, { say }: TimelineFormatter): TimelineEntry[] {
  if (charge.paidAt === null || payments.some(({ outcome }) => outcome === 'ACCEPTED')) return [];
  return [timelineEntry(charge.paidAt, 'good', say('dashboard.payments.confirmed'))];
}

/** The net amount refunded by then, after fees. */
function refundedNetCents(refunds: readonly Refund[], until: Date | null): number {
  const before = refunds.filter(
    ({ status, createdAt }) =>
      (status === 'PENDING' || status === 'COMPLETED') && (until === null || createdAt < until),
  );
  return before.reduce((sum, refund) => sum + refund.amountCents - (refund.platformFeeCents ?? 0), 0);
}

function settledEntry(
  { charge, refunds, receivables }: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const { say, day } = formatter;
  const { paidAmountCents, platformFeeCents } = charge;
  const { settlesAt, settledAt, paidAt, status } = charge;
  if (paidAmountCents === null || paidAmountCents === 0 || settlesAt === null || paidAt === null) return [];
  const net = amount(paidAmountCents - platformFeeCents - refundedNetCents(refunds, settledAt));
  if (settledAt !== null)
    return [timelineEntry(settledAt, 'plain', say('dashboard.payments.afterTheFeeIsAvailable', { net }))];
  if (status !== 'PAID') return [];
  if (receivables.length > 0) return installmentsEntry(charge, receivables, formatter);
  return [
    dayEntry(
      settlesAt,
      say('dashboard.payments.afterTheFeeBecomesAvailable', { net, settles: day(settlesAt) }),
    ),
  ];
}

/** How many installments have come, and the next one. What was reversed comes out of the last ones. */
function installmentsEntry(
  { reversedCents, reversedFeeCents }: Charge,
  receivables: readonly Receivable[],
  { say, day }: TimelineFormatter,
): TimelineEntry[] {
  const received = receivables.filter(({ settledAt }) => settledAt !== null).length;
  const [next] = receivables
    .filter(({ settledAt }) => settledAt === null)
    .toSorted((one, other) => one.settlesAt.getTime() - other.settlesAt.getTime());
  if (next === undefined) return [];
  const unsettledCents = unsettledCentsOf(receivables);
  const nextCents = next.grossCents - next.feeCents;
  const leftCents = pendingPartCents(unsettledCents, reversedCents - reversedFeeCents, nextCents);
  if (leftCents === 0) return [];
  const text = say('dashboard.payments.installmentsReceived', {
    received: String(received),
    count: String(receivables.length),
    net: amount(leftCents),
    settles: day(next.settlesAt),
  });
  return [dayEntry(next.settlesAt, text)];
}

function refundEntry(refund: Refund, { say }: TimelineFormatter): TimelineEntry[] {
  const { status, amountCents, reason, refusal, createdAt, updatedAt } = refund;
  const why = reason === null ? '' : say('dashboard.payments.reason2', { reason });
  const asked = timelineEntry(
    createdAt,
    'plain',
    say('dashboard.payments.refundOfRequested', { amount: amount(amountCents), why }),
  );
  if (status === 'COMPLETED')
    return [
      asked,
      timelineEntry(
        updatedAt,
        'good',
        say('dashboard.payments.wasRefundedToThePayer2', { amount: amount(amountCents) }),
      ),
    ];
  if (status === 'FAILED') {
    const words = refusal === null ? say('dashboard.noReasonWasGiven') : refundRefusalWords(refusal, say);
    return [asked, timelineEntry(updatedAt, 'bad', say('dashboard.payments.theRefundFailed', { words }))];
  }
  return [asked, timelineEntry(updatedAt, 'waiting', say('dashboard.payments.theRefundIsOnIts'))];
}

function disputeEntry(dispute: Dispute, { say }: TimelineFormatter): TimelineEntry[] {
  const { status, reason, openedAt, evidenceSubmittedAt, closedAt } = dispute;
  const why = reason === null ? '' : `: ${disputeReason(reason, say)}`;
  const opened = isInquiry(status)
    ? timelineEntry(openedAt, 'bad', say('dashboard.payments.theCardsIssuerAsked', { why }))
    : timelineEntry(openedAt, 'bad', say('dashboard.payments.thePayersBankOpenedA', { why }));
  const submitted =
    evidenceSubmittedAt === null
      ? []
      : [timelineEntry(evidenceSubmittedAt, 'plain', say('dashboard.payments.evidenceWasSubmitted'))];
  return [opened, ...submitted, ...(closedAt === null ? [] : [decidedEntry(status, closedAt, say)])];
}

function decidedEntry(status: DisputeStatus, closedAt: Date, say: Say): TimelineEntry {
  if (status === 'WON')
    return timelineEntry(closedAt, 'good', say('dashboard.payments.theStoreWonTheDispute'));
  if (status === 'LOST')
    return timelineEntry(closedAt, 'bad', say('dashboard.payments.theStoreLostTheDispute'));
  return timelineEntry(closedAt, 'good', say('dashboard.payments.theInquiryWasClosed'));
}
