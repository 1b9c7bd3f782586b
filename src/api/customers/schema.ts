import { z } from 'zod';
import { idText, metadata, text, timestamp } from '../../wire/fields.ts';

const customerId = idText('cust_01J9Z3VYK0W6F0S7R2M8QH4T5B');

const EMAIL_RULE = 'must be an e-mail address, such as ana@example.com';

const customerFields = z.strictObject({
  // 254 characters is what SMTP leaves of an address (RFC 3696, erratum 1690).
  email: z
    .email({ error: ({ code }) => (code === 'invalid_format' ? EMAIL_RULE : undefined) })
    .max(254)
    .meta({ example: 'ana@example.com' }),
  taxId: z.string().min(1).max(20).optional().meta({
    description: 'CPF or CNPJ, formatted or bare. There is one customer per tax id.',
    example: '529.982.247-25',
  }),
  name: text(1, 140).optional().meta({ example: 'Ana Souza' }),
  cellphone: text(8, 30).optional().meta({ example: '+55 11 91234-5678' }),
  zipCode: text(1, 20).optional().meta({ description: 'CEP.', example: '01310-100' }),
});

/**
 * Body of POST `/customers/create`: the fields inside `data` (spec) or at the top level (contract section 1, "Customer
 * create"). One schema with all of them rather than a union, so that an error names the field and not two shapes.
 */
export const createCustomerBody = customerFields
  .partial()
  .extend({
    data: customerFields.optional().meta({
      description: 'The customer. Its fields may also stand at the top level, without `data`.',
    }),
    metadata: metadata.optional(),
  })
  .superRefine(({ data, metadata: _, ...flat }, context) => {
    if (data !== undefined) {
      const keys = Object.keys(flat);
      if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, input: flat });
    } else if (flat.email === undefined) {
      context.addIssue({ code: 'invalid_type', expected: 'string', path: ['email'], input: undefined });
    }
  })
  .meta({ override: { anyOf: [{ required: ['data'] }, { required: ['email'] }] } });
export type CreateCustomerBody = z.output<typeof createCustomerBody>;

/** Query of GET `/customers/get` and POST `/customers/delete`. */
export const customerQuery = z.object({ id: customerId });

/** Filters of GET `/customers/list` (contract section 1, "Filters"). */
export const listCustomersQuery = z.object({
  id: customerId.optional(),
  email: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'The whole address, in any case.', example: 'ana@example.com' }),
  taxId: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'CPF or CNPJ, formatted or bare.', example: '529.982.247-25' }),
});
export type ListCustomersQuery = z.output<typeof listCustomersQuery>;

/** A customer as it is shown (spec, "Customer"). What was not given, or was erased, is null. */
export const customerView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    email: z.string().nullable(),
    taxId: z.string().nullable().meta({ description: 'CPF or CNPJ with its punctuation.' }),
    country: z.string().meta({ description: 'Two-letter country code.' }),
    name: z.string().nullable(),
    cellphone: z.string().nullable(),
    zipCode: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Customer' });
export type CustomerView = z.output<typeof customerView>;

/** Fields of the example, as they are sent and as they are shown. */
export const customerFieldsExample = {
  email: 'ana@example.com',
  taxId: '529.982.247-25',
  name: 'Ana Souza',
  cellphone: '+55 11 91234-5678',
  zipCode: '01310-100',
};

export const customerExample: CustomerView = {
  id: 'cust_01J9Z3VYK0W6F0S7R2M8QH4T5B',
  devMode: true,
  country: 'BR',
  ...customerFieldsExample,
  metadata: { segment: 'gold' },
  createdAt: '2026-03-06T14:22:08.120Z',
  updatedAt: '2026-03-06T14:22:08.120Z',
};
