import { parseTaxId } from '../../domain/tax-id.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../foreign.ts';

/** Under which shops in Brazil keep a CPF or CNPJ, besides Stripe's own field. */
const KEYS = ['cpf', 'cnpj', 'cpf_cnpj', 'cpfcnpj', 'tax_id', 'taxid', 'document', 'documento'];

/** The CPF or CNPJ of a customer: Stripe's tax id, or one in its metadata with right check digits. Null without one. */
export function taxIdOf({ tax_ids: taxIds, metadata }: Fields): string | null {
  for (const each of listOf(fieldsOf(taxIds).data)) {
    const { type, value } = fieldsOf(each);
    if (type === 'br_cpf' || type === 'br_cnpj') return textOf(value);
  }
  const found = Object.entries(fieldsOf(metadata)).find(
    ([key, value]) => KEYS.includes(key.toLowerCase()) && parseTaxId(String(value)) !== null,
  );
  return found === undefined ? null : String(found[1]);
}
