import { isReturnOrder, isStoreRefund } from '../../src/providers/bank-refund-id.ts';
import type { ProviderPayment, ProviderRefund } from '../../src/providers/provider.ts';

/**
 * What its provider still has of a payment, in cents, after every return that has ended: those that were ordered here,
 * those that were made at the bank, and those of the payer's bank (MED).
 */
export function leftAtProviderCents(payment: ProviderPayment): number {
  return leftAfterCents(payment, () => true);
}

/**
 * Whether a payment belongs to its payer before it was accepted: its bank has returned all of it, or an order of Recebe
 * returns it, which a restore has lost. MED does not count: what it takes of an accepted payment is a dispute.
 */
export function isReturnedToPayer(payment: ProviderPayment): boolean {
  const { refunds = [] } = payment;
  if (refunds.some((refund) => refund.status !== 'REFUSED' && isReturnOrder(refund))) return true;
  return leftAfterCents(payment, ({ kind }) => kind === 'ORDINARY') === 0;
}

/** Whether a refund of it was asked for here and is not refused. Only an accepted payment can be refunded by its store. */
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
