import { z } from 'zod';
import { parseZipCode, STATES } from '../../domain/payer.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { text } from '../../wire/fields.ts';
import { textIn } from '../frame/draft.ts';
import { type ApiError, fieldError } from '../frame/errors.ts';

/** Fields of a person, shared by all resources. */

const EMAIL_RULE = 'must be an e-mail address, such as ana@example.com';

/** SMTP limits addresses to 254 characters (RFC 3696, erratum 1690). */
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

/**
 * Responses show unknown texts as `""`. Clients may send that value back; like null it leaves the field
 * unset.
 */
function orUnset(field: z.ZodString | z.ZodEmail) {
  return z
    .union([z.literal('').nullable(), field])
    .optional()
    .transform((value) => value || null)
    .meta({
      ...field.meta(),
      // As one text rather than a choice, which generated clients would turn into a class for each field.
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: ['string', 'null'], maxLength: field.maxLength });
      },
    });
}

/** A payer; all four fields are optional (contract section 4). */
export const payer = z
  .strictObject({
    name: orUnset(name),
    email: orUnset(email),
    taxId: orUnset(taxId),
    cellphone: orUnset(cellphone),
  })
  .meta({ id: 'Payer' });

/** Where a payer lives; some providers need it for a boleto. */
const address = z
  .strictObject({
    street: text(1, 200).meta({ description: 'Street and number.', example: 'Avenida Paulista 1000' }),
    city: text(1, 100).meta({ example: 'São Paulo' }),
    state: z
      .enum(STATES, { error: 'must be the two letters of a state, such as SP' })
      .meta({ example: 'SP' }),
    zipCode: z
      .string()
      .transform((typed, context): string => {
        const zipCode = parseZipCode(typed);
        if (zipCode !== null) return zipCode;
        context.addIssue({ code: 'custom', message: 'must be a CEP of 8 digits, such as 01310-100' });
        return z.NEVER;
      })
      .meta({ description: 'CEP.', example: '01310-100' }),
  })
  .meta({ id: 'PayerAddress' });

const payerAddress = address.nullish().meta({
  description: 'Passed to the provider and not stored. Providers that need it say so in a 422.',
});

/** The payer of a PIX charge; a code with a due date needs name and tax id. */
export const pixPayer = payer.extend({ address: payerAddress }).meta({ id: 'PixPayer' });

/** The payer of a boleto; name and tax id are required (contract section 4). */
export const boletoPayer = z
  .strictObject({
    name,
    taxId,
    email: orUnset(email),
    cellphone: orUnset(cellphone),
    address: payerAddress,
  })
  .meta({ id: 'BoletoPayer' });

/** The payer of a card charge; name and tax id are required, because a saved card belongs to somebody (contract section 4). */
export const cardPayer = boletoPayer.meta({ id: 'CardPayer' });

/** The personal fields of a customer; all are optional. */
export const customerFields = payer.extend({ zipCode: orUnset(zipCode) });

/** A tax id without punctuation, as stored. @throws ApiError 422 at `path` if the check digits are wrong. */
export function bareTaxId(taxId: string, path: string): string {
  const parsed = parseTaxId(taxId);
  if (parsed !== null) return parsed.bare;
  throw wrongTaxId(path);
}

/** The refusal of the tax id at a path of a body whose other fields may have the wrong form; empty if it is right or missing. */
export function wrongTaxIdAt(body: unknown, ...path: readonly string[]): ApiError[] {
  const taxId = textIn(body, ...path);
  return taxId === null || parseTaxId(taxId) !== null ? [] : [wrongTaxId(path.join('.'))];
}

/** A 422 for a CPF or CNPJ with wrong check digits, with the field's path. */
export function wrongTaxId(path: string): ApiError<'INVALID_TAX_ID'> {
  const message = 'must be a CPF or CNPJ with right check digits, such as 529.982.247-25';
  return fieldError(422, 'INVALID_TAX_ID', path, message);
}
