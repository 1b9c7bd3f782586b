import type { Payment } from '../../../database/entities/payment.ts';
import type { ReturnReason } from '../../../domain/return-reason.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { amount } from '../words.ts';
import { type TimelineEntry, type TimelineFormatter, timelineEntry } from './timeline-entry.ts';

const REASONS: Readonly<Record<ReturnReason, MessageKey>> = {
  ALREADY_PAID: 'dashboard.payments.reasons.alreadyPaid',
  CANCELLED: 'dashboard.payments.reasons.cancelled',
  PAID_LATE: 'dashboard.payments.reasons.paidLate',
  AMOUNT_TOO_LOW: 'dashboard.payments.reasons.amountTooLow',
  RETURNED_AT_BANK: 'dashboard.payments.reasons.returnedAtBank',
  NOT_PAYABLE: 'dashboard.payments.reasons.notPayable',
};

/** A payment that was not accepted: why, and whether its payer got the money back. */
export function returnEntry(
  { outcome, amountCents, paidAt, payerName, returnReason }: Payment,
  { say }: TimelineFormatter,
): TimelineEntry {
  const paid = amount(amountCents);
  const by = payerName === null ? '' : say('dashboard.payments.by', { payerName });
  const why = returnReason === null ? '' : ` (${say(REASONS[returnReason])})`;
  const came = say('dashboard.payments.paymentOfNotAccepted', { paid, by, why });
  if (outcome === 'RETURNED')
    return timelineEntry(paidAt, 'plain', say('dashboard.payments.returnedToThePayer', { came }));
  if (outcome === 'RETURNING')
    return timelineEntry(paidAt, 'waiting', say('dashboard.payments.theReturnIsOnIts', { came }));
  const text = say('dashboard.payments.theProviderRefusedTheReturn', { came });
  return timelineEntry(paidAt, 'bad', text);
}
