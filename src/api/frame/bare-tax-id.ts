import { parseTaxId } from '../../domain/tax-id.ts';
import { fieldError } from './errors.ts';

/** A tax id as it is kept, without punctuation. @throws ApiError 422 at `path` where the CPF or CNPJ does not exist. */
export function bareTaxId(taxId: string, path: string): string {
  const parsed = parseTaxId(taxId);
  if (parsed !== null) return parsed.bare;
  const message = 'must be a CPF or CNPJ with right check digits, such as 529.982.247-25';
  throw fieldError(422, 'INVALID_TAX_ID', path, message);
}
