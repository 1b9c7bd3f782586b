import type { RefundId } from '../domain/ids.ts';
import { derivedId } from '../ids.ts';
import type { ProviderPayment, ProviderRefund } from './provider.ts';

/** As in `ID_PREFIX.refund`, with the characters of an id of ours. */
const OUR_REFUND_ID = /^tran_[0-9A-Z]{26}$/;

/** As in `ID_PREFIX.payment`: the ids of orders that return a payment which was not accepted (`returnOrderIdOf`). */
const OUR_RETURN_ID = /^paym_[0-9A-Z]{26}$/;

/** Whether Recebe ordered this return of a payment that it did not accept. */
export function isReturnOrder({ reference }: Pick<ProviderRefund, 'reference'>): boolean {
  return OUR_RETURN_ID.test(reference);
}

/** Whether a store asked for this refund here, as its id says, also where its row was lost with a restore. */
export function isStoreRefund({ reference }: Pick<ProviderRefund, 'reference'>): boolean {
  return OUR_REFUND_ID.test(reference);
}

/**
 * The id of a refund's row, by what its provider calls it. A refund that was ordered here has its own id, also where
 * the row was lost with a restore; any other has one that follows from the payment, so that reading it twice is once.
 */
export function bankRefundId(
  provider: string,
  { providerPaymentId, paidAt }: Pick<ProviderPayment, 'providerPaymentId' | 'paidAt'>,
  { reference }: Pick<ProviderRefund, 'reference'>,
): RefundId {
  if (OUR_REFUND_ID.test(reference)) return reference as RefundId;
  return derivedId<RefundId>('refund', paidAt, JSON.stringify([provider, providerPaymentId, reference]));
}
