import type { Database } from '../database/orm.ts';
import { bankRefundId } from '../providers/bank-refund-id.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { unbookedRefunds } from './provider-refunds.ts';

/** Payments with a listed refund that is missing or outdated here. */
export async function paymentsWithUnbookedRefunds(
  database: Database,
  { name: provider }: PaymentProvider,
  payments: readonly ProviderPayment[],
): Promise<readonly ProviderPayment[]> {
  const listed = payments.flatMap((payment) =>
    (payment.refunds ?? [])
      .filter(({ kind }) => kind === 'ORDINARY')
      .map((refund) => ({ payment, refund, id: bankRefundId(provider, payment, refund) })),
  );
  if (listed.length === 0) return [];
  const unbooked = await unbookedRefunds(database, {
    provider,
    refundIds: listed.map(({ id }) => id),
    providerPaymentIds: listed.map(({ payment }) => payment.providerPaymentId),
    statuses: listed.map(({ refund }) => refund.status),
  });
  const ids = new Set(unbooked.map(({ refundId }) => refundId));
  return [...new Set(listed.filter(({ id }) => ids.has(id)).map(({ payment }) => payment))];
}
