import { cnpj, cpf } from 'cpf-cnpj-validator';

/** A CPF (person) or CNPJ (company), without punctuation: 11 digits, or 12 letters or digits and 2 digits. */
export interface TaxId {
  readonly kind: 'CPF' | 'CNPJ';
  readonly bare: string;
}

const CPF_SHAPE = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/;

/**
 * Reads a CPF or CNPJ, bare or with its whole official punctuation, and verifies its check digits. The
 * alphanumeric CNPJ (Instrução Normativa RFB 2.229/2024, issued since July 2026) is read in capitals only, as
 * it is printed. One digit repeated throughout passes the arithmetic but is never issued, and is refused.
 *
 * @returns null when `text` is neither.
 */
export function parseTaxId(text: string): TaxId | null {
  if (CPF_SHAPE.test(text)) {
    const bare = text.replace(/\D/g, '');
    return isCpf(bare) ? { kind: 'CPF', bare } : null;
  }
  // Strict, for otherwise the library turns lowercase into capitals and drops any other character.
  return cnpj.isValid(text, true) ? { kind: 'CNPJ', bare: text.replace(/[./-]/g, '') } : null;
}

/** A bare tax id with its punctuation: `123.456.789-09` or `12.ABC.345/01DE-35`. */
export function formatTaxId(bare: string): string {
  return bare.length === 11 ? cpf.format(bare) : cnpj.format(bare);
}

/**
 * The masked tax id in webhooks: three digits of a CPF, the root's first two and the branch of a CNPJ (contract
 * section 1).
 */
export function maskTaxId(bare: string): string {
  if (bare.length === 11) return `${bare.slice(0, 3)}.***.***-**`;
  return `${bare.slice(0, 2)}.***.***/${bare.slice(8, 12)}-**`;
}

/**
 * The library's own `cpf.isValid` also refuses 123.456.789-09, whose check digits are right and which is what
 * integrators' test data commonly uses; so only its arithmetic is taken.
 */
function isCpf(bare: string): boolean {
  if (/^(\d)\1*$/.test(bare)) return false;
  const base = bare.slice(0, 9);
  const first = cpf.verifierDigit(base);
  return bare === `${base}${first}${cpf.verifierDigit(`${base}${first}`)}`;
}
