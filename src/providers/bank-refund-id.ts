import type { RefundId } from '../domain/ids.ts';
import { derivedId, isIdOf } from '../ids.ts';
import type { ProviderPayment, ProviderRefund } from './provider.ts';

/** Whether Recebe ordered this return of a payment that it did not accept (`returnOrderIdOf`). */
export function isReturnOrder({ reference }: Pick<ProviderRefund, 'reference'>): boolean {
  return isIdOf('payment', reference);
}

/** Whether a store asked for this refund here, as its id says, also where its row was lost with a restore. */
export function isStoreRefund({ reference }: Pick<ProviderRefund, 'reference'>): boolean {
  return isIdOf('refund', reference);
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
  if (isIdOf('refund', reference)) return reference as RefundId;
  return derivedId<RefundId>('refund', paidAt, JSON.stringify([provider, providerPaymentId, reference]));
}
