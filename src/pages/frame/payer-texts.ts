import type { Payer } from '../../domain/payer.ts';
import { maskTaxId } from '../../domain/tax-id.ts';

/** A payer as a page shows them that anyone with the link can read. */
export interface PayerTexts {
  readonly name: string;
  /** Masked, or null where none was given. */
  readonly taxId: string | null;
}

/**
 * Name and masked tax id of a payer: as they were given for the very charge, or as the payer's bank told them
 * of the payment. What a merchant has on record of a customer is never shown to whoever knows the customer's
 * tax id.
 */
export function payerTexts({ name, taxId }: Pick<Payer, 'name' | 'taxId'>): PayerTexts {
  return { name: name ?? 'Não informado', taxId: taxId && maskTaxId(taxId) };
}
