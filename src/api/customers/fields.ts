import { z } from 'zod';
import { parseTaxId } from '../../domain/tax-id.ts';
import { text } from '../../wire/fields.ts';
import { type ApiError, fieldError } from '../frame/errors.ts';

/** What is said of a person, in the forms that every resource takes. */

const EMAIL_RULE = 'must be an e-mail address, such as ana@example.com';

/** 254 characters is what SMTP leaves of an address (RFC 3696, erratum 1690). */
export const email = z
  .email({ error: ({ code }) => (code === 'invalid_format' ? EMAIL_RULE : undefined) })
  .max(254)
  .meta({ example: 'ana@example.com' });
export const cellphone = text(8, 30).meta({ example: '+55 11 91234-5678' });
export const taxId = z
  .string()
  .min(1)
  .max(20)
  .meta({ description: 'CPF or CNPJ, formatted or bare.', example: '529.982.247-25' });
export const name = text(1, 140).meta({ example: 'Ana Souza' });
const zipCode = text(1, 20).meta({ description: 'CEP.', example: '01310-100' });

/** Every customer of v1: all four fields (contract section 3). */
export const fullCustomer = z.strictObject({ name, email, taxId, cellphone });

/** Answers show a text that is not known as `""`: like null it may be sent back, and says nothing. */
function orUnsaid(field: z.ZodType<string>) {
  return z
    .union([z.literal('').nullable(), field])
    .optional()
    .transform((value) => value || null);
}

/** A payer, of whom any of the four fields may be said (contract section 4). */
export const payer = z.strictObject({
  name: orUnsaid(name),
  email: orUnsaid(email),
  taxId: orUnsaid(taxId),
  cellphone: orUnsaid(cellphone),
});

/** Who a boleto is made out to: their name and tax id are needed (contract section 4). */
export const boletoPayer = z.strictObject({
  name,
  taxId,
  email: orUnsaid(email),
  cellphone: orUnsaid(cellphone),
});

/** What a customer's record holds of the person; every field may be left out. */
export const customerFields = payer.extend({ zipCode: orUnsaid(zipCode) });

/**
 * A tax id as it is kept, without punctuation. @throws ApiError 422 at `path` where the CPF or CNPJ does not
 * exist.
 */
export function bareTaxId(taxId: string, path: string): string {
  const parsed = parseTaxId(taxId);
  if (parsed !== null) return parsed.bare;
  throw wrongTaxId(path);
}

/** A CPF or CNPJ that does not exist: 422 with the field's path. */
export function wrongTaxId(path: string): ApiError<'INVALID_TAX_ID'> {
  const message = 'must be a CPF or CNPJ with right check digits, such as 529.982.247-25';
  return fieldError(422, 'INVALID_TAX_ID', path, message);
}
