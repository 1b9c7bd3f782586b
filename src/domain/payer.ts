/**
 * Who pays, as it was said for one payment: by the merchant who created the charge, or by whoever typed on
 * its page. Null where nothing was said. The merchant's record of a customer is another thing, and may say
 * otherwise.
 */
export interface Payer {
  readonly name: string | null;
  /** CPF or CNPJ without punctuation. */
  readonly taxId: string | null;
  readonly email: string | null;
  readonly cellphone: string | null;
}

export const NOBODY: Payer = { name: null, taxId: null, email: null, cellphone: null };
