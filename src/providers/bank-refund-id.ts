import type { RefundId } from '../domain/ids.ts';
import { derivedId, isIdOf } from '../ids.ts';
import type { ProviderPayment, ProviderRefund } from './ports/payment.ts';

/** Whether Recebe ordered this return of a payment that it did not accept (`returnOrderIdOf`). */
export function isReturnOrder({ reference }: Pick<ProviderRefund, 'reference'>): boolean {
  return isIdOf('payment', reference);
}

/** Whether a store requested this refund, as its id shows, even if its row was lost in a restore. */
export function isStoreRefund({ reference }: Pick<ProviderRefund, 'reference'>): boolean {
  return isIdOf('refund', reference);
}

/**
 * The id of a refund's row, from the provider's id. A refund that Recebe ordered has its own id, even if its row
 * was lost in a restore. Any other id is derived from the payment, so that it is booked once.
 */
export function bankRefundId(
  provider: string,
  { providerPaymentId, paidAt }: Pick<ProviderPayment, 'providerPaymentId' | 'paidAt'>,
  { reference }: Pick<ProviderRefund, 'reference'>,
): RefundId {
  if (isIdOf('refund', reference)) return reference as RefundId;
  return derivedId<RefundId>('refund', paidAt, JSON.stringify([provider, providerPaymentId, reference]));
}
