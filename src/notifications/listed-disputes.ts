import type { Database } from '../database/orm.ts';
import { isInquiry } from '../domain/reversal.ts';
import type { ProviderDispute } from '../providers/ports/disputes.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { type UndecidedDispute, undecidedDisputes, unnotifiedDisputes } from './provider-disputes.ts';

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
    feeCents: listed.map(({ dispute }) => String(feeCentsOf(dispute) ?? '')),
    withdrawnCents: listed.map(({ dispute }) => String(withdrawnCentsOf(dispute) ?? '')),
  });
  const ids = new Set(unnotified.map(({ providerDisputeId }) => providerDisputeId));
  return listed.map(({ dispute }) => dispute).filter(({ providerDisputeId }) => ids.has(providerDisputeId));
}

/**
 * Disputes and inquiries that are undecided here and have changed at the provider. Each is queried, since a list shows
 * them for a limited time only. @throws what the provider throws.
 */
export async function newsOfUndecidedDisputes(
  database: Database,
  provider: PaymentProvider,
): Promise<readonly ProviderDispute[]> {
  const { disputes } = provider;
  if (disputes === undefined) return [];
  const changed: ProviderDispute[] = [];
  for (const stored of await undecidedDisputes(database, { provider: provider.name })) {
    const dispute = await disputes.find(stored.providerDisputeId);
    if (dispute !== null && hasChanged(stored, dispute)) changed.push(dispute);
  }
  return changed;
}

/** What the provider does not report has not changed. */
function hasChanged(stored: UndecidedDispute, dispute: ProviderDispute): boolean {
  const { respondBy = null, stage = null, hasEvidence = false } = dispute;
  const feeCents = feeCentsOf(dispute);
  const withdrawnCents = withdrawnCentsOf(dispute);
  return (
    stored.isToAnswer ||
    dispute.status !== stored.status ||
    (respondBy !== null && respondBy.getTime() !== stored.respondBy?.getTime()) ||
    (stage !== null && stage !== stored.stage) ||
    (hasEvidence && !stored.hasEvidence) ||
    (feeCents !== null && feeCents !== stored.feeCents) ||
    (withdrawnCents !== null && withdrawnCents !== stored.withdrawnCents)
  );
}

function feeCentsOf({ fees }: ProviderDispute): number | null {
  return fees?.reduce((sum, { chargedCents }) => sum + chargedCents, 0) ?? null;
}

/** An inquiry takes no money. */
function withdrawnCentsOf({ status, withdrawals }: ProviderDispute): number | null {
  if (isInquiry(status)) return null;
  return withdrawals?.reduce((sum, { withdrawnCents }) => sum + withdrawnCents, 0) ?? null;
}
