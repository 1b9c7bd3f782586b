import type { SandboxCharge } from '../../database/entities/sandbox-charge.ts';
import type { ProviderPayment } from '../provider.ts';

/** The payment a row stands for, or null where it stands for none. */
export function presentPayment(row: SandboxCharge): ProviderPayment | null {
  if (row.paymentId === null || row.amountCents === null || row.paidAt === null) return null;
  return {
    providerPaymentId: row.paymentId,
    reference: row.reference,
    amountCents: row.amountCents,
    paidAt: row.paidAt,
    payer: { name: row.payerName, taxId: row.payerTaxId },
    metadata: row.metadata,
  };
}
