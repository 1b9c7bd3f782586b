import type { Payer } from '../../domain/payer.ts';
import { maskTaxId } from '../../domain/tax-id.ts';
import { say } from './language.ts';

/** A payer's data that anyone with the link may see. */
export interface PayerTexts {
  /** Null if unknown. */
  readonly name: string | null;
  /** Masked; null if none was given. */
  readonly taxId: string | null;
}

/**
 * Name and masked tax id of a payer, as given for this charge or reported by the payer's bank. A merchant's record of a customer
 * is never shown to someone who merely knows the customer's tax id.
 */
export function payerTexts({ name, taxId }: Pick<Payer, 'name' | 'taxId'>): PayerTexts {
  return { name, taxId: taxId && maskTaxId(taxId) };
}

/** The placeholder for an unknown name. */
export function shownName(name: string | null): string {
  return name ?? say('payer.notGiven');
}
