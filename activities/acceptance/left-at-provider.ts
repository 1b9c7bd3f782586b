import { isStoreRefund } from '../../src/providers/bank-refund-id.ts';
import type { ProviderPayment } from '../../src/providers/provider.ts';

/**
 * What of a payment its provider still has, in cents, as far as refunds say that have ended. What the payer's bank takes
 * back (MED) is a dispute and counts as being there.
 * @param besides a refund that is left out, by its reference: the one that is asked for.
 */
export function leftAtProviderCents(
  { amountCents, refunds = [] }: ProviderPayment,
  besides: string | null = null,
): number {
  const isBack = ({ kind, status, reference }: (typeof refunds)[number]) =>
    kind === 'ORDINARY' && status === 'RETURNED' && reference !== besides;
  const returned = refunds.filter(isBack);
  return Math.max(
    0,
    returned.reduce((left, refund) => left - refund.amountCents, amountCents),
  );
}

/** Whether a refund of it was asked for here and is not refused. Only an accepted payment can be refunded by its store. */
export function isRefundedByStore({ refunds = [] }: ProviderPayment): boolean {
  return refunds.some(
    (refund) => refund.kind === 'ORDINARY' && refund.status !== 'REFUSED' && isStoreRefund(refund),
  );
}
