import type { NumberOwner } from '../../secrets/personal-numbers.ts';
import type { Database, Em } from '../orm.ts';
import { personalNumbersOf } from './sealed-text.ts';

/** The search hash of a tax id; null without a tax id or key. */
export function taxIdHashOf(on: Em | Database, owner: NumberOwner, taxId: string | null): string | null {
  return taxId === null ? null : personalNumbersOf(on).hash(taxId, 'tax id', owner);
}

interface TaxIdIs {
  readonly taxId: string;
}
interface TaxIdHashIs {
  readonly taxIdHash: string;
}

/** Matches rows by the hash of this tax id, and by the text that earlier releases and services without SECRETS_KEY stored. */
export function hasTaxId(
  on: Em | Database,
  owner: NumberOwner,
  taxId: string,
): TaxIdIs | { readonly $or: [TaxIdHashIs, TaxIdIs] } {
  const taxIdHash = taxIdHashOf(on, owner, taxId);
  return taxIdHash === null ? { taxId } : { $or: [{ taxIdHash }, { taxId }] };
}
