import type { Database } from '../database/orm.ts';
import type { ProviderDispute } from '../providers/ports/disputes.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { openDisputes, unnotifiedDisputes } from './provider-disputes.ts';

/** Disputes that a provider lists with payments and that are missing or outdated here. */
export async function newsOfPayments(
  database: Database,
  { name: provider }: PaymentProvider,
  payments: readonly ProviderPayment[],
): Promise<readonly ProviderDispute[]> {
  const listed = payments.flatMap(({ providerPaymentId, disputes = [] }) =>
    disputes.map((dispute) => ({ dispute, providerPaymentId })),
  );
  if (listed.length === 0) return [];
  const unnotified = await unnotifiedDisputes(database, {
    provider,
    providerDisputeIds: listed.map(({ dispute }) => dispute.providerDisputeId),
    providerPaymentIds: listed.map(({ providerPaymentId }) => providerPaymentId),
    statuses: listed.map(({ dispute }) => dispute.status),
  });
  const ids = new Set(unnotified.map(({ providerDisputeId }) => providerDisputeId));
  return listed.map(({ dispute }) => dispute).filter(({ providerDisputeId }) => ids.has(providerDisputeId));
}

/**
 * Disputes that are open here and decided at the provider. Each is queried, since a list shows them for a limited
 * time only. @throws what the provider throws.
 */
export async function newsOfOpenDisputes(
  database: Database,
  provider: PaymentProvider,
): Promise<readonly ProviderDispute[]> {
  const { disputes } = provider;
  if (disputes === undefined) return [];
  const decided: ProviderDispute[] = [];
  for (const { providerDisputeId } of await openDisputes(database, { provider: provider.name })) {
    const dispute = await disputes.find(providerDisputeId);
    if (dispute !== null && dispute.status !== 'OPEN') decided.push(dispute);
  }
  return decided;
}
