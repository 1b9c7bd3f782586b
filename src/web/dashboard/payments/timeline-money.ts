import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import type { Dispute } from '../../../database/entities/dispute.ts';
import type { Payment } from '../../../database/entities/payment.ts';
import type { Refund } from '../../../database/entities/refund.ts';
import type { RefundRefusal } from '../../../domain/reversal.ts';
import type { Say } from '../frame/locale.ts';
import { amount } from '../words.ts';
import { type TimelineEntry, type TimelineFormatter, timelineEntry } from './timeline-entry.ts';
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
  const by = payerName === null ? '' : say(` por ${payerName}`, ` by ${payerName}`);
  return timelineEntry(paidAt, 'good', say(`Pago: ${paid}${by}.`, `Paid: ${paid}${by}.`));
}

function freeEntry({ charge, payments }: PaymentTimeline, { say }: TimelineFormatter): TimelineEntry[] {
  if (charge.paidAt === null || payments.some(({ outcome }) => outcome === 'ACCEPTED')) return [];
  return [
    timelineEntry(
      charge.paidAt,
      'good',
      say('Confirmado: não havia nada a pagar.', 'Confirmed: there was nothing to pay.'),
    ),
  ];
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
  { charge, refunds }: PaymentTimeline,
  { say, when }: TimelineFormatter,
): TimelineEntry[] {
  const { paidAmountCents, platformFeeCents } = charge;
  const { settlesAt, settledAt, paidAt, status } = charge;
  if (paidAmountCents === null || paidAmountCents === 0 || settlesAt === null || paidAt === null) return [];
  const net = amount(paidAmountCents - platformFeeCents - refundedNetCents(refunds, settledAt));
  if (settledAt !== null)
    return [
      timelineEntry(
        settledAt,
        'plain',
        say(
          `${net}, já sem a tarifa, ficaram disponíveis no saldo.`,
          `${net}, after the fee, is available in the balance.`,
        ),
      ),
    ];
  if (status !== 'PAID') return [];
  return [
    timelineEntry(
      settlesAt,
      'waiting',
      say(
        `${net}, já sem a tarifa, ficam disponíveis em ${when(settlesAt)}.`,
        `${net}, after the fee, becomes available on ${when(settlesAt)}.`,
      ),
    ),
  ];
}

const REFUSALS: Readonly<Record<RefundRefusal, readonly [string, string]>> = {
  TRANSACTION_NOT_REFUNDABLE: [
    'o provedor não devolve este pagamento',
    'the provider does not return this payment',
  ],
  TRANSACTION_UNDER_DISPUTE: ['o pagamento está em disputa', 'the payment is disputed'],
  INVALID_METHOD: ['um boleto não pode ser reembolsado', 'a boleto cannot be refunded'],
  REFUND_EXCEEDS_PAYMENT: ['é mais do que resta do pagamento', 'it is more than is left of the payment'],
  INSUFFICIENT_FUNDS: ['o saldo disponível não basta', 'the available balance does not cover it'],
};

/** Why a refund was refused, as the end of a sentence. */
export function refusalWords(refusal: RefundRefusal, say: Say): string {
  return say(...REFUSALS[refusal]);
}

function refundEntry(refund: Refund, { say }: TimelineFormatter): TimelineEntry[] {
  const { status, amountCents, reason, refusal, createdAt, updatedAt } = refund;
  const why = reason === null ? '' : say(`, motivo: ${reason}`, `, reason: ${reason}`);
  const asked = timelineEntry(
    createdAt,
    'plain',
    say(
      `Reembolso de ${amount(amountCents)} pedido${why}.`,
      `Refund of ${amount(amountCents)} requested${why}.`,
    ),
  );
  if (status === 'COMPLETED')
    return [
      asked,
      timelineEntry(
        updatedAt,
        'good',
        say(
          `${amount(amountCents)} voltaram a quem pagou.`,
          `${amount(amountCents)} was refunded to the payer.`,
        ),
      ),
    ];
  if (status === 'FAILED') {
    const words =
      refusal === null ? say('sem motivo informado', 'no reason was given') : refusalWords(refusal, say);
    return [
      asked,
      timelineEntry(updatedAt, 'bad', say(`O reembolso falhou: ${words}.`, `The refund failed: ${words}.`)),
    ];
  }
  return [
    asked,
    timelineEntry(updatedAt, 'waiting', say('O reembolso está a caminho.', 'The refund is on its way.')),
  ];
}

function disputeEntry(
  { status, reason, openedAt, closedAt }: Dispute,
  { say }: TimelineFormatter,
): TimelineEntry[] {
  const why = reason === null ? '' : `: ${reason}`;
  const opened = timelineEntry(
    openedAt,
    'bad',
    say(
      `O banco do pagador abriu uma disputa${why}. O dinheiro ficou bloqueado.`,
      `The payer’s bank opened a dispute${why}. The money is blocked.`,
    ),
  );
  if (closedAt === null) return [opened];
  const end =
    status === 'WON'
      ? timelineEntry(
          closedAt,
          'good',
          say('A disputa foi decidida a favor da loja.', 'The store won the dispute.'),
        )
      : timelineEntry(
          closedAt,
          'bad',
          say(
            'A disputa foi decidida a favor do pagador: o dinheiro voltou.',
            'The store lost the dispute: the money was returned to the payer.',
          ),
        );
  return [opened, end];
}
