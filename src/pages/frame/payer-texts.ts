import type { Payer } from '../../domain/payer.ts';
import { maskTaxId } from '../../domain/tax-id.ts';
import { say } from './language.ts';

/** A payer as a page shows them that anyone with the link can read. */
export interface PayerTexts {
  /** Null where none is known. */
  readonly name: string | null;
  /** Masked, or null where none was given. */
  readonly taxId: string | null;
}

/**
 * Name and masked tax id of a payer: as they were given for the very charge, or as the payer's bank told them
 * of the payment. What a merchant has on record of a customer is never shown to whoever knows the customer's
 * tax id.
 */
export function payerTexts({ name, taxId }: Pick<Payer, 'name' | 'taxId'>): PayerTexts {
  return { name, taxId: taxId && maskTaxId(taxId) };
}

/** In place of a name that nobody has given. */
export function shownName(name: string | null): string {
  return name ?? say('Não informado');
}
