/**
 * The payer as given for one payment: by the merchant who created the charge, or by the person who filled in its
 * page. Null for missing fields. The merchant's customer record is separate and may differ.
 */
export interface Payer {
  readonly name: string | null;
  /** CPF or CNPJ without punctuation. */
  readonly taxId: string | null;
  readonly email: string | null;
  readonly cellphone: string | null;
}

export const NOBODY: Payer = { name: null, taxId: null, email: null, cellphone: null };
