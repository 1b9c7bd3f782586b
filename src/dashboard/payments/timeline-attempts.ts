import type { Charge } from '../../database/entities/charge.ts';
import { wasPaid } from '../../domain/charge.ts';
import { amount, failureWords, methodName } from '../words.ts';
import type { PaymentStory } from './story.ts';
import { type Teller, type Told, told } from './told.ts';

/** How the charge came about and ended, and what else tried to pay the same. */
export function attemptsTold(story: PaymentStory, teller: Teller): Told[] {
  const { charge, otherAttempts } = story;
  return [
    ...checkoutTold(story, teller),
    told(charge.createdAt, 'plain', createdText(story, teller)),
    ...otherAttempts.map((other) => attemptTold(other, teller)),
    ...endTold(story, teller),
  ];
}

function checkoutTold({ checkout, charge }: PaymentStory, { say }: Teller): Told[] {
  if (checkout === null || charge.cycleId !== null) return [];
  const text =
    checkout.frequency === 'MULTIPLE_PAYMENTS'
      ? say('O link de pagamento foi criado.', 'The payment link was created.')
      : say('O checkout foi criado.', 'The checkout was created.');
  return [told(checkout.createdAt, 'plain', text, `/checkouts/${checkout.id}`)];
}

function createdText({ charge, cycle, checkout }: PaymentStory, { say }: Teller): string {
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
    return say(`O pagador aceitou a oferta adicional: ${what}.`, `The payer took the upsell: ${what}.`);
  if (checkout === null)
    return say(`Cobrança criada pela API: ${what}${off}.`, `Charge created by the API: ${what}${off}.`);
  return say(`O pagador começou a pagar: ${what}${off}.`, `The payer began to pay: ${what}${off}.`);
}

function attemptTold(other: Charge, { say }: Teller): Told {
  const what = `${methodName(other.method, say)}${other.cardLastFour === null ? '' : say(` final ${other.cardLastFour}`, ` ending in ${other.cardLastFour}`)}`;
  const path = `/payments/${other.id}`;
  if (wasPaid(other.status))
    return told(
      other.paidAt ?? other.createdAt,
      'good',
      say(`Outra tentativa, por ${what}, foi paga.`, `Another attempt, by ${what}, was paid.`),
      path,
    );
  if (other.status === 'FAILED') {
    const why = failureWords(other.failureReason, say);
    return told(
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
  return told(other.createdAt, 'plain', text, path);
}

/** The end of a charge that was not paid, and what comes next. */
function endTold({ charge, subscription, cycle }: PaymentStory, teller: Teller): Told[] {
  const { say, when } = teller;
  const { status, updatedAt, closesAt } = charge;
  if (status === 'PENDING')
    return [
      told(
        closesAt,
        'waiting',
        say(`Espera o pagamento até ${when(closesAt)}.`, `Waits for its payment until ${when(closesAt)}.`),
      ),
    ];
  if (status === 'EXPIRED')
    return [
      told(updatedAt, 'plain', say('Expirou: ninguém pagou a tempo.', 'It expired: nobody paid in time.')),
    ];
  if (status === 'CANCELLED')
    return [
      told(
        updatedAt,
        'plain',
        say('Foi cancelada e não pode mais ser paga.', 'It was cancelled, and can no longer be paid.'),
      ),
    ];
  if (status !== 'FAILED') return [];
  const why = failureWords(charge.failureReason, say);
  const failed = told(updatedAt, 'bad', say(`Não foi cobrado: ${why}.`, `It was not charged: ${why}.`));
  if (subscription === null || cycle === null || cycle.status === 'PAID') return [failed];
  return [failed, ...nextAttemptTold({ subscription, cycle }, teller)];
}

function nextAttemptTold(
  {
    subscription,
    cycle,
  }: { subscription: NonNullable<PaymentStory['subscription']>; cycle: NonNullable<PaymentStory['cycle']> },
  { say, when, now }: Teller,
): Told[] {
  const { id, status, canceledAt, attemptDueAt, failedAttempts, maxRetry, cycleNumber } = subscription;
  const path = `/subscriptions/${id}`;
  if (status === 'CANCELLED' && canceledAt !== null)
    return [
      told(
        canceledAt,
        'bad',
        say(
          'A assinatura foi cancelada: nada mais é cobrado.',
          'The subscription was cancelled: nothing is charged any more.',
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
  return [told(attemptDueAt, 'waiting', text, path)];
}
