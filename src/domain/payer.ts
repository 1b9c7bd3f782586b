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

/** Where a payer lives in Brazil. Recebe passes it to a provider that needs it for a boleto, and does not store it. */
export interface PayerAddress {
  /** Street and number. */
  readonly street: string;
  readonly city: string;
  /** The two letters of the state, such as SP. */
  readonly state: string;
  /** CEP, eight digits. */
  readonly zipCode: string;
}

/** The states of Brazil and the federal district. */
export const STATES = [
  ...['AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT', 'PA', 'PB', 'PE', 'PI'],
  ...['PR', 'RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'],
] as const satisfies readonly string[];

/** A CEP as people type it, as eight digits; null for any other text. */
export function parseZipCode(text: string): string | null {
  return /^\d{5}-?\d{3}$/.test(text) ? text.replace('-', '') : null;
}

export const NOBODY: Payer = { name: null, taxId: null, email: null, cellphone: null };
