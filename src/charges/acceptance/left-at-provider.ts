import { isReturnOrder, isStoreRefund } from '../../providers/bank-refund-id.ts';
import type { ProviderPayment, ProviderRefund } from '../../providers/ports/payment.ts';

/**
 * The part of a payment, in cents, that its provider still holds after all completed returns: those that Recebe
 * ordered, those made at the bank, and those of the payer's bank (MED).
 */
export function leftAtProviderCents(payment: ProviderPayment): number {
  return leftAfterCents(payment, () => true);
}

/**
 * Whether an unaccepted payment belongs to its payer: its bank has returned all of it, or an order of Recebe, lost
 * in a restore, returns it. MED does not count: what it takes of an accepted payment is a dispute.
 */
export function isReturnedToPayer(payment: ProviderPayment): boolean {
  const { refunds = [] } = payment;
  if (refunds.some((refund) => refund.status !== 'REFUSED' && isReturnOrder(refund))) return true;
  return leftAfterCents(payment, ({ kind }) => kind === 'ORDINARY') === 0;
}

/**
 * Whether Recebe has ordered a refund of it that was not refused. Only an accepted payment can be refunded by its
 * store.
 */
export function isRefundedByStore({ refunds = [] }: ProviderPayment): boolean {
  return refunds.some(
    (refund) => refund.kind === 'ORDINARY' && refund.status !== 'REFUSED' && isStoreRefund(refund),
  );
}

function leftAfterCents(
  { amountCents, refunds = [] }: ProviderPayment,
  counts: (refund: ProviderRefund) => boolean,
): number {
  const returned = refunds.filter((refund) => refund.status === 'RETURNED' && counts(refund));
  return Math.max(
    0,
    returned.reduce((left, refund) => left - refund.amountCents, amountCents),
  );
}
