import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import { canBePaid, wasPaid } from '../../../domain/charge.ts';
import { failureWords } from '../words.ts';
import type { TimelineEntry, TimelineFormatter } from './timeline-entry.ts';

/** The answer to a likely question about a payment, in one sentence. */
export type Answer = Pick<TimelineEntry, 'tone' | 'text'>;

/** Why was this customer not charged? Why did that webhook not arrive? Empty if nothing is unusual. */
export function answersOf(paymentTimeline: PaymentTimeline, formatter: TimelineFormatter): Answer[] {
  return [...unpaidAnswer(paymentTimeline, formatter), ...webhookAnswers(paymentTimeline, formatter)];
}

function unpaidAnswer(
  { charge, otherAttempts, subscription }: PaymentTimeline,
  { say, when, now }: TimelineFormatter,
): Answer[] {
  if (wasPaid(charge.status)) return [];
  const other = otherAttempts.find(({ status }) => wasPaid(status));
  if (other !== undefined)
    return [
      {
        tone: 'good',
        text: say(
          'Este pagamento não foi feito, mas outro pagou a mesma coisa.',
          'This payment was not made, but another payment for the same purchase was.',
        ),
      },
    ];
  if (charge.status === 'PENDING') {
    const text = say(
      `Ninguém pagou ainda. Pode ser pago até ${when(charge.closesAt)}.`,
      `Nobody has paid yet. It can be paid until ${when(charge.closesAt)}.`,
    );
    return [{ tone: 'waiting', text }];
  }
  if (charge.status === 'CANCELLED')
    return [
      {
        tone: 'plain',
        text: say(
          'Não foi cobrado porque foi cancelado antes do pagamento.',
          'Not charged: it was cancelled before payment.',
        ),
      },
    ];
  const next =
    subscription?.status === 'ACTIVE' && subscription.attemptDueAt !== null && subscription.attemptDueAt > now
      ? subscription.attemptDueAt
      : null;
  const why =
    charge.status === 'EXPIRED'
      ? say('ninguém pagou até o prazo', 'nobody paid in time')
      : failureWords(charge.failureReason, say);
  const then =
    next === null ? '' : say(` Nova tentativa em ${when(next)}.`, ` Next attempt on ${when(next)}.`);
  return [
    {
      tone: canBePaid(charge) ? 'plain' : 'bad',
      text: say(`Não foi cobrado: ${why}.${then}`, `Not charged: ${why}.${then}`),
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
      text: say(
        `O webhook não chegou a: ${names}. As respostas estão abaixo; abra a entrega para reenviar.`,
        `The webhook did not reach: ${names}. The responses are below; open the delivery to resend it.`,
      ),
    });
  }
  if (waiting.length > 0)
    answers.push({
      tone: 'waiting',
      text: say(
        'Um webhook ainda não foi aceito e será tentado de novo.',
        'A webhook was not accepted yet and will be retried.',
      ),
    });
  return answers;
}
