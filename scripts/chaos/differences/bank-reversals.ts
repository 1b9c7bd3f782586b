import type { PaymentId } from '../../../src/domain/ids.ts';
import { returnOrderIdOf } from '../../../src/ids.ts';
import { bankIdOf, disputeIdOf } from '../../../src/providers/bacen/ids.ts';
import type { BankPayment, BankRefund, BankState } from '../../psp/state.ts';
import { isAskedFor, takenBack } from '../bank/taken-back.ts';
import type { MoneyRows, PaymentRow } from '../real-money/money-rows.ts';

/** The part of a payment that was returned to its payer by refunds or disputes, in cents. */
export const returned = ({ refunds }: BankPayment) =>
  refunds
    .filter(({ status }) => status === 'DEVOLVIDO')
    .reduce((total, { amountCents }) => total + amountCents, 0);

/** The amount that the service has ordered to return of a payment that it did not accept: all of it, or the rest. */
const ordersOfReturn = (payment: BankPayment, { id }: Pick<PaymentRow, 'id'>): BankRefund[] => {
  const paid = { amountCents: payment.amountCents, paidAt: new Date(payment.paidAt) };
  return payment.refunds.filter(
    (refund) => refund.id === bankIdOf(returnOrderIdOf(id as PaymentId, paid, refund.amountCents)),
  );
};

/**
 * The outcome of a payment that was not accepted, by the bank's state; null if no outcome fits. It is returned once the payer
 * has all of it back.
 */
export function outcomeAtBank(payment: BankPayment, row: PaymentRow): PaymentRow['outcome'] | null {
  if (returned(payment) === payment.amountCents) return 'RETURNED';
  const statuses = ordersOfReturn(payment, row).map(({ status }) => status);
  if (statuses.includes('EM_PROCESSAMENTO')) return 'RETURNING';
  return statuses.includes('NAO_REALIZADO') ? 'HELD' : null;
}

/** Compares refunds and returns with those of the bank, one by one. */
export function compareRefunds({ payments }: BankState, rows: MoneyRows): string[] {
  const differences: string[] = [];
  const atBank = new Map<string, BankRefund>();
  for (const { refunds } of Object.values(payments))
    for (const refund of refunds.filter(isAskedFor)) {
      if (atBank.has(refund.id)) differences.push(`refund ${refund.id} was made twice at the bank`);
      atBank.set(refund.id, refund);
    }
  for (const { id, status, cents } of rows.refunds) {
    const refund = atBank.get(bankIdOf(id));
    atBank.delete(bankIdOf(id));
    const isRight =
      status === 'COMPLETED'
        ? refund?.status === 'DEVOLVIDO' && refund.amountCents === cents
        : status === 'FAILED' && (refund === undefined || refund.status === 'NAO_REALIZADO');
    if (!isRight)
      differences.push(`refund ${id} is ${status}, and at the bank ${refund?.status ?? 'unknown'}`);
  }
  for (const row of rows.payments) {
    const payment = payments[row.providerPaymentId];
    if (payment !== undefined) for (const { id } of ordersOfReturn(payment, row)) atBank.delete(id);
  }
  for (const { id, status } of atBank.values())
    differences.push(`the bank has refund ${id} (${status}), of which no refund knows`);
  const backOf = new Map(Object.values(payments).map((payment) => [payment.endToEndId, returned(payment)]));
  const chargeOf = new Map(rows.charges.map((charge) => [charge.id, charge]));
  for (const { chargeId, providerPaymentId, outcome, cents } of rows.payments) {
    if (outcome !== 'ACCEPTED') continue;
    const isAllBack = backOf.get(providerPaymentId) === cents;
    const status = chargeOf.get(chargeId)?.status;
    if ((status === 'REFUNDED') !== isAllBack)
      differences.push(`${chargeId} is ${status}, and ${backOf.get(providerPaymentId)} of ${cents} are back`);
  }
  return differences;
}

/** A reversal by the payer's bank must be a lost dispute, and one that failed a won dispute. */
export function compareDisputes(state: BankState, rows: MoneyRows): string[] {
  const differences: string[] = [];
  const disputes = new Map(rows.disputes.map((row) => [row.providerDisputeId, row]));
  const notAccepted = new Set(
    rows.payments
      .filter(({ outcome }) => outcome !== 'ACCEPTED')
      .map(({ providerPaymentId }) => providerPaymentId),
  );
  for (const { payment, refund } of takenBack(state)) {
    const { id: refundId, status, amountCents } = refund;
    const key = disputeIdOf({ endToEndId: payment.endToEndId, refundId });
    const row = disputes.get(key);
    disputes.delete(key);
    // A payment that was not accepted has no dispute.
    if (row === undefined && notAccepted.has(payment.endToEndId)) continue;
    const expected = { EM_PROCESSAMENTO: 'OPEN', DEVOLVIDO: 'LOST', NAO_REALIZADO: 'WON' }[status];
    if (row?.status !== expected || row.cents !== amountCents)
      differences.push(
        `${key} took ${amountCents} back (${status}), and its dispute is of ${row?.cents} and ${row?.status}`,
      );
  }
  for (const key of disputes.keys()) differences.push(`the bank knows nothing of the dispute ${key}`);
  return differences;
}
