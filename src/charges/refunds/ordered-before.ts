import type { Charge } from '../../database/entities/charge.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import { RefundEntity } from '../../database/entities/refund.ts';
import type { Em } from '../../database/orm.ts';
import type { RefundId } from '../../domain/ids.ts';
import type { PaymentProvider } from '../../providers/provider.ts';

/**
 * What the provider already returned, or is returning, for a refund that is only requested here. After a restore, the row
 * may be older than the bank's refund; judging it again could refuse it, or take another amount for the rest.
 * The sandbox keeps its refunds in the same database, so it is not asked.
 * @returns the amount in cents; null if the provider knows no such refund.
 * @throws what the provider throws.
 */
export async function orderedBeforeCents(
  em: Em,
  { id: chargeId, devMode }: Charge,
  refundId: RefundId,
  provider: Pick<PaymentProvider, 'charges'>,
): Promise<number | null> {
  if (devMode || (await em.count(RefundEntity, { id: refundId, status: 'REQUESTED' })) === 0) return null;
  const accepted = await em.findOne(PaymentEntity, { chargeId, outcome: 'ACCEPTED' });
  const payment = accepted && (await provider.charges.findPayment(accepted.providerPaymentId));
  const refund = payment?.refunds?.find(
    ({ reference, status }) => reference === refundId && status !== 'REFUSED',
  );
  return refund?.amountCents ?? null;
}
