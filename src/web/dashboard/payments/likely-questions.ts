import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import { canBePaid, wasPaid } from '../../../domain/charge.ts';
import { payableUntil } from '../../../domain/last-day-to-pay.ts';
import { failureWords } from '../words.ts';
import { type TimelineEntry, type TimelineFormatter, untilText } from './timeline-entry.ts';

/** The answer to a likely question about a payment, in one sentence. */
export type Answer = Pick<TimelineEntry, 'tone' | 'text'>;

/** Why was this customer not charged? Why did that webhook not arrive? Empty if nothing is unusual. */
export function answersOf(paymentTimeline: PaymentTimeline, formatter: TimelineFormatter): Answer[] {
  return [...unpaidAnswer(paymentTimeline, formatter), ...webhookAnswers(paymentTimeline, formatter)];
}

function unpaidAnswer(
  { charge, otherAttempts, subscription }: PaymentTimeline,
  formatter: TimelineFormatter,
): Answer[] {
  const { say, when, now } = formatter;
  if (wasPaid(charge.status)) return [];
  const other = otherAttempts.find(({ status }) => wasPaid(status));
  if (other !== undefined)
    return [
      {
        tone: 'good',
        text: say('dashboard.payments.thisPaymentWasNotMade'),
      },
    ];
  if (charge.status === 'PENDING') {
    const text = say('dashboard.payments.nobodyHasPaidYet', {
      closes: untilText(formatter, payableUntil(charge)),
    });
    return [{ tone: 'waiting', text }];
  }
  if (charge.status === 'CANCELLED')
    return [
      {
        tone: 'plain',
        text: say('dashboard.payments.notCharged'),
      },
    ];
  const next =
    subscription?.status === 'ACTIVE' && subscription.attemptDueAt !== null && subscription.attemptDueAt > now
      ? subscription.attemptDueAt
      : null;
  const why =
    charge.status === 'EXPIRED'
      ? say('dashboard.payments.nobodyPaidInTime')
      : failureWords(charge.failureReason, say);
  const then = next === null ? '' : say('dashboard.payments.nextAttemptOn', { next: when(next) });
  return [
    {
      tone: canBePaid(charge) ? 'plain' : 'bad',
      text: say('dashboard.payments.notCharged2', { why, then }),
    },
  ];
}

function webhookAnswers({ events }: PaymentTimeline, { say }: TimelineFormatter): Answer[] {
  const missed = events.flatMap(({ deliveries }) => deliveries.filter(({ status }) => status === 'FAILED'));
  const waiting = events.flatMap(({ deliveries }) =>
    deliveries.filter(({ status, attempts }) => status === 'PENDING' && attempts > 0),
  );
  const answers: Answer[] = [];
  if (missed.length > 0) {
    const names = [...new Set(missed.map(({ webhookName }) => webhookName))].join(', ');
    answers.push({
      tone: 'bad',
      text: say('dashboard.payments.theWebhookDidNotReach', { names }),
    });
  }
  if (waiting.length > 0)
    answers.push({
      tone: 'waiting',
      text: say('dashboard.payments.aWebhookWasNotAccepted'),
    });
  return answers;
}
