import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import { wasPaid } from '../../../domain/charge.ts';
import { amount, failureWords, methodName } from '../words.ts';
import { type TimelineEntry, type TimelineFormatter, timelineEntry } from './timeline-entry.ts';

/** How the charge was created and ended, and other attempts to pay the same. */
export function attemptEntries(
  paymentTimeline: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const { charge, otherAttempts } = paymentTimeline;
  return [
    ...checkoutEntry(paymentTimeline, formatter),
    timelineEntry(charge.createdAt, 'plain', createdText(paymentTimeline, formatter)),
    ...otherAttempts.map((other) => attemptEntry(other, formatter)),
    ...endEntry(paymentTimeline, formatter),
  ];
}

function checkoutEntry({ checkout, charge }: PaymentTimeline, { say }: TimelineFormatter): TimelineEntry[] {
  if (checkout === null || charge.cycleId !== null) return [];
  const text =
    checkout.frequency === 'MULTIPLE_PAYMENTS'
      ? say('O link de pagamento foi criado.', 'The payment link was created.')
      : say('O checkout foi criado.', 'The checkout was created.');
  return [timelineEntry(checkout.createdAt, 'plain', text, `/checkouts/${checkout.id}`)];
}

function createdText({ charge, cycle, checkout }: PaymentTimeline, { say }: TimelineFormatter): string {
  const what = `${methodName(charge.method, say)} · ${amount(charge.amountCents)}`;
  const off =
    charge.discountCents === 0
      ? ''
      : say(
          `, com ${amount(charge.discountCents)} de desconto`,
          `, ${amount(charge.discountCents)} off by a coupon`,
        );
  if (cycle !== null)
    return say(
      `Cobrança do ciclo ${cycle.number} da assinatura: ${what}${off}.`,
      `Charge of cycle ${cycle.number} of the subscription: ${what}${off}.`,
    );
  if (charge.upsellOf !== null)
    return say(`O pagador aceitou a oferta adicional: ${what}.`, `The payer accepted the upsell: ${what}.`);
  if (checkout === null)
    return say(`Cobrança criada pela API: ${what}${off}.`, `Charge created by the API: ${what}${off}.`);
  return say(`O pagador começou a pagar: ${what}${off}.`, `The payer started to pay: ${what}${off}.`);
}

function attemptEntry(other: Charge, { say }: TimelineFormatter): TimelineEntry {
  const what = `${methodName(other.method, say)}${other.cardLastFour === null ? '' : say(` final ${other.cardLastFour}`, ` ending in ${other.cardLastFour}`)}`;
  const path = `/payments/${other.id}`;
  if (wasPaid(other.status))
    return timelineEntry(
      other.paidAt ?? other.createdAt,
      'good',
      say(`Outra tentativa, por ${what}, foi paga.`, `Another attempt, by ${what}, was paid.`),
      path,
    );
  if (other.status === 'FAILED') {
    const why = failureWords(other.failureReason, say);
    return timelineEntry(
      other.createdAt,
      'bad',
      say(`Outra tentativa, por ${what}, falhou: ${why}.`, `Another attempt, by ${what}, failed: ${why}.`),
      path,
    );
  }
  const text =
    other.status === 'PENDING'
      ? say(`Outra tentativa, por ${what}, está em aberto.`, `Another attempt, by ${what}, is open.`)
      : say(
          `Outra tentativa, por ${what}, terminou sem pagamento.`,
          `Another attempt, by ${what}, ended without a payment.`,
        );
  return timelineEntry(other.createdAt, 'plain', text, path);
}

/** How an unpaid charge ended, and what happens next. */
function endEntry(
  { charge, subscription, cycle }: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const { say, when } = formatter;
  const { status, updatedAt, closesAt } = charge;
  if (status === 'PENDING')
    return [
      timelineEntry(
        closesAt,
        'waiting',
        say(`Espera o pagamento até ${when(closesAt)}.`, `Can be paid until ${when(closesAt)}.`),
      ),
    ];
  if (status === 'EXPIRED')
    return [
      timelineEntry(
        updatedAt,
        'plain',
        say('Expirou: ninguém pagou a tempo.', 'Expired: nobody paid in time.'),
      ),
    ];
  if (status === 'CANCELLED')
    return [
      timelineEntry(
        updatedAt,
        'plain',
        say('Foi cancelada e não pode mais ser paga.', 'Cancelled: it can no longer be paid.'),
      ),
    ];
  if (status !== 'FAILED') return [];
  const why = failureWords(charge.failureReason, say);
  const failed = timelineEntry(updatedAt, 'bad', say(`Não foi cobrado: ${why}.`, `Not charged: ${why}.`));
  if (subscription === null || cycle === null || cycle.status === 'PAID') return [failed];
  return [failed, ...nextAttemptEntry({ subscription, cycle }, formatter)];
}

function nextAttemptEntry(
  {
    subscription,
    cycle,
  }: {
    subscription: NonNullable<PaymentTimeline['subscription']>;
    cycle: NonNullable<PaymentTimeline['cycle']>;
  },
  { say, when, now }: TimelineFormatter,
): TimelineEntry[] {
  const { id, status, canceledAt, attemptDueAt, failedAttempts, maxRetry, cycleNumber } = subscription;
  const path = `/subscriptions/${id}`;
  if (status === 'CANCELLED' && canceledAt !== null)
    return [
      timelineEntry(
        canceledAt,
        'bad',
        say(
          'A assinatura foi cancelada: nada mais é cobrado.',
          'The subscription was cancelled: there are no more charges.',
        ),
        path,
      ),
    ];
  const isNext =
    cycle.status === 'PENDING' && cycle.number === cycleNumber && attemptDueAt !== null && attemptDueAt > now;
  if (!isNext) return [];
  const text = say(
    `Próxima tentativa em ${when(attemptDueAt)} (${failedAttempts} de ${maxRetry} já falharam).`,
    `Next attempt on ${when(attemptDueAt)} (${failedAttempts} of ${maxRetry} have failed).`,
  );
  return [timelineEntry(attemptDueAt, 'waiting', text, path)];
}
