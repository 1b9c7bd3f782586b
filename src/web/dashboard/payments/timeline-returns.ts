import type { Payment } from '../../../database/entities/payment.ts';
import type { ReturnReason } from '../../../domain/return-reason.ts';
import { amount } from '../words.ts';
import { type TimelineEntry, type TimelineFormatter, timelineEntry } from './timeline-entry.ts';

const REASONS: Readonly<Record<ReturnReason, readonly [string, string]>> = {
  ALREADY_PAID: ['já estava pago', 'it was already paid'],
  CANCELLED: ['já tinha sido cancelado', 'it had been cancelled'],
  PAID_LATE: ['foi pago depois do prazo', 'it was paid after the deadline'],
  AMOUNT_TOO_LOW: ['o valor era menor que o devido', 'the amount was less than what was due'],
  RETURNED_AT_BANK: ['o banco já tinha devolvido', 'the bank had already returned it'],
  NOT_PAYABLE: ['não podia mais ser pago', 'it could no longer be paid'],
};

/** A payment that was not accepted: why, and whether its payer got the money back. */
export function returnEntry(
  { outcome, amountCents, paidAt, payerName, returnReason }: Payment,
  { say }: TimelineFormatter,
): TimelineEntry {
  const paid = amount(amountCents);
  const by = payerName === null ? '' : say(` por ${payerName}`, ` by ${payerName}`);
  const why = returnReason === null ? '' : ` (${say(...REASONS[returnReason])})`;
  const came = say(
    `Pagamento de ${paid}${by} não aceito${why}`,
    `Payment of ${paid}${by} not accepted${why}`,
  );
  if (outcome === 'RETURNED')
    return timelineEntry(
      paidAt,
      'plain',
      say(`${came}: devolvido a quem pagou.`, `${came}: returned to the payer.`),
    );
  if (outcome === 'RETURNING')
    return timelineEntry(
      paidAt,
      'waiting',
      say(`${came}: a devolução está a caminho.`, `${came}: the return is on its way.`),
    );
  const text = say(
    `${came}. O provedor recusou a devolução: é preciso devolver à mão.`,
    `${came}. The provider refused the return: it must be returned manually.`,
  );
  return timelineEntry(paidAt, 'bad', text);
}
