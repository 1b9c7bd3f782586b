import type { SandboxCharge } from '../../database/entities/sandbox-charge.ts';
import type { Em } from '../../database/orm.ts';
import { installmentAmountsCents } from '../../domain/checkout.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import { endToEndIdentifierOf } from './end-to-end-identifier.ts';
import { cardOf, IN_PARTS } from './sandbox-cards.ts';

/**
 * The payment of a row, or null if it has none. Anything not paid by card was paid by PIX: the sandbox's payers pay
 * a boleto by its PIX code too.
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
    ...(row.components !== null && { components: row.components }),
    ...installmentsOf(row),
  };
}

/** What card networks take from one installment to the next (contract section 4, "Settlement"). */
const DAYS_APART = 30;

/** Only one test card's installments are paid one by one; the sandbox pays those of all others together. */
function installmentsOf(row: SandboxCharge): Pick<ProviderPayment, 'installments'> {
  const { cardToken, installmentsCount, amountCents, paidAt } = row;
  if (cardToken === null || installmentsCount === null || amountCents === null || paidAt === null) return {};
  if (installmentsCount < 2 || cardOf(cardToken).outcome !== IN_PARTS) return {};
  const installments = installmentAmountsCents(amountCents, installmentsCount).map((cents, index) => ({
    amountCents: cents,
    settlesAt: saoPauloMidnight(addDays(saoPauloDateOf(paidAt), DAYS_APART * (index + 1))),
  }));
  return { installments };
}

/**
 * Erases the payer of a customer's charges from the sandbox bank's own rows, in the caller's transaction; amounts
 * and days stay.
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
