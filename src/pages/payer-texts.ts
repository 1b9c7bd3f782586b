import type { Customer } from '../database/customer.ts';
import { maskTaxId } from '../domain/tax-id.ts';

/** A payer as a page shows them that anyone with the link can read. */
export interface PayerTexts {
  readonly name: string;
  /** Masked, or null where none is on record. */
  readonly taxId: string | null;
}

/**
 * Name and masked tax id of a payer.
 *
 * @param customer whom the charge was made out to: once their data was erased (contract section 5, LGPD), the payment's
 *   copy of it is not shown either.
 */
export function payerTexts(
  payer: { readonly name: string | null; readonly taxId: string | null } | null,
  customer: Customer | null,
): PayerTexts {
  const shown = customer?.deletedAt ? null : payer;
  return { name: shown?.name ?? 'Não informado', taxId: shown?.taxId ? maskTaxId(shown.taxId) : null };
}
