import { maskTaxId } from '../../../domain/tax-id.ts';

/** A customer's tax id with its middle hidden; empty if there is no tax id. */
export function masked(taxId: string): string {
  return taxId === '' ? '' : maskTaxId(taxId.replace(/[./-]/g, ''));
}
