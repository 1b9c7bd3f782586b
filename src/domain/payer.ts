import type { CustomerId } from './ids.ts';

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

/**
 * Who named the customer of a checkout, charge or subscription: the merchant, with a key or in the dashboard, or an anonymous
 * payer, whose tax id or address may be somebody else's.
 */
export const CUSTOMER_NAMED_BY = ['MERCHANT', 'PAYER'] as const;
export type CustomerNamedBy = (typeof CUSTOMER_NAMED_BY)[number];

/** A customer, and who named them. Rows of releases before 0113 have a customer without a source. */
export interface CustomerLink {
  readonly customerId: CustomerId | null;
  readonly customerNamedBy: CustomerNamedBy | null;
}

export const NO_CUSTOMER: CustomerLink = { customerId: null, customerNamedBy: null };

/** A customer that the merchant named; none if the id is null. */
export function merchantsCustomer(customerId: CustomerId | null): CustomerLink {
  return customerId === null ? NO_CUSTOMER : { customerId, customerNamedBy: 'MERCHANT' };
}

/**
 * The address that the merchant has given for a customer. Null if an anonymous payer typed it: it may have come with another person's
 * tax id, and the one who typed it could then read that person's payments.
 */
export function merchantsEmail({
  email,
  typedByPayer,
}: {
  readonly email: string | null;
  readonly typedByPayer: boolean;
}): string | null {
  return typedByPayer ? null : email;
}

/** The customer of the first that has one. */
export function customerOfFirst(first: CustomerLink, second: CustomerLink): CustomerLink {
  const { customerId, customerNamedBy } = first.customerId === null ? second : first;
  return { customerId, customerNamedBy };
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

/** Eight digits as people write them: `01310-100`. */
export function formatZipCode(digits: string): string {
  return digits.replace(/^(\d{5})(\d{3})$/, '$1-$2');
}

export const NOBODY: Payer = { name: null, taxId: null, email: null, cellphone: null };
