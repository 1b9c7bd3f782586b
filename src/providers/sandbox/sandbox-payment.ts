import type { SandboxCharge } from '../../database/entities/sandbox-charge.ts';
import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { ProviderPayment } from '../provider.ts';
import { endToEndIdentifierOf } from './end-to-end-identifier.ts';

/**
 * The payment a row stands for, or null where it stands for none. What no card has paid was paid by PIX: the
 * payers of the sandbox pay a boleto by its PIX code too.
 */
export function presentPayment(row: SandboxCharge): ProviderPayment | null {
  if (row.paymentId === null || row.amountCents === null || row.paidAt === null) return null;
  return {
    providerPaymentId: row.paymentId,
    reference: row.reference,
    amountCents: row.amountCents,
    paidAt: row.paidAt,
    payer: { name: row.payerName, taxId: row.payerTaxId },
    endToEndIdentifier: row.cardToken === null ? endToEndIdentifierOf(row.reference, row.paidAt) : null,
    metadata: row.metadata,
  };
}

/**
 * Erases who paid a customer's charges from the sandbox bank's own records, in the caller's transaction;
 * amounts and days stay.
 */
export async function forgetPayer(em: Em, customerId: CustomerId): Promise<void> {
  await em.execute(
    `update sandbox_charges set payer_name = null, payer_tax_id = null
     where reference in (select provider_reference from charges where customer_id = :customerId)
       and (payer_name is not null or payer_tax_id is not null)`,
    { customerId },
    'run',
  );
}
