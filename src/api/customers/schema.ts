import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { idText, metadata, timestamp } from '../../wire/fields.ts';
import { metadataQuery } from '../frame/metadata-filter.ts';
import { createdRange } from '../frame/time-range.ts';
import { customerFields } from './fields.ts';

const customerId = idText('cust_01J9Z3VYK0W6F0S7R2M8QH4T5B');

/** Accepted next to the customer's top-level fields, or instead of them. */
const data = customerFields.meta({ id: 'CustomerData' }).optional().meta({
  description: 'The customer. Its fields may also be sent at the top level, without `data`.',
});

/**
 * Body of POST `/customers/create`: the fields inside `data` or at the top level (contract section 1,
 * "Customer create"). One schema with all fields instead of a union, so that an error names the field and not
 * two shapes.
 */
export const createCustomerBody = customerFields
  .extend({ data, metadata: metadata.nullish() })
  .superRefine((body, context) => {
    refuseBoth(body, context);
    if (customerFieldsIn(body).email !== null) return;
    const path = body.data === undefined ? ['email'] : ['data', 'email'];
    context.addIssue({ code: 'invalid_type', expected: 'string', path, input: undefined });
  })
  .meta({ description: '`email` is required, at the top level or in `data`.' });
export type CreateCustomerBody = z.output<typeof createCustomerBody>;

/** Body of POST `/customers/update` (our addition), in the same two shapes. */
export const updateCustomerBody = customerFields
  .extend({ id: customerId, data, metadata: metadata.nullish() })
  .superRefine(refuseBoth);
export type UpdateCustomerBody = z.output<typeof updateCustomerBody>;

type Body = z.output<typeof customerFields> & { readonly data?: z.output<typeof customerFields> | undefined };

/** The customer's fields from either shape. */
export function customerFieldsIn({ data, ...flat }: Body): z.output<typeof customerFields> {
  return data ?? flat;
}

/** The path of the tax id as sent, for errors. */
export function taxIdPath({ data }: Body): string {
  return data === undefined ? 'taxId' : 'data.taxId';
}

function refuseBoth({ data, ...flat }: Body, context: z.RefinementCtx): void {
  if (data === undefined) return;
  const flatKeys = Object.keys(customerFields.shape).filter((key) => flat[key as keyof typeof flat] !== null);
  if (flatKeys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: flatKeys, input: flat });
}

/** Query of GET `/customers/get` and POST `/customers/delete`. */
export const customerQuery = z.object({ id: customerId });

/** Filters of GET `/customers/list` (contract section 1, "Filters"). */
export const listCustomersQuery = z.object({
  id: customerId.optional(),
  email: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'The whole address, case-insensitive.', example: 'ana@example.com' }),
  taxId: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'CPF or CNPJ, formatted or bare.', example: '529.982.247-25' }),
  ...createdRange,
  ...metadataQuery,
});
export type ListCustomersQuery = z.output<typeof listCustomersQuery>;

/** A customer as the API returns it (contract section 9.2). Unknown or erased texts are empty. */
export const customerView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    email: z.string(),
    taxId: z.string().meta({ description: 'CPF or CNPJ with its punctuation.' }),
    country: z.string().meta({ description: 'Two-letter country code.' }),
    name: z.string(),
    cellphone: z.string(),
    zipCode: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    typedByPayer: z.boolean().meta({
      description:
        'True if a payer typed the data on a hosted page and you have not confirmed them. `customers/create` for the tax id confirms them, and `customers/update` with an `email`.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Customer', description: 'Empty if unknown or erased.' });
export type CustomerView = z.output<typeof customerView>;

/** Fields of the example, as sent and as returned. */
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
  typedByPayer: false,
  createdAt: '2026-03-06T14:22:08.120Z',
  updatedAt: '2026-03-06T14:22:08.120Z',
};

/**
 * A customer as the API returns it. The tax id is stored without punctuation and returned with it; unknown
 * texts are empty.
 */
export function presentCustomer(customer: Customer): CustomerView {
  return {
    id: customer.id,
    devMode: customer.devMode,
    email: customer.email ?? '',
    taxId: customer.taxId === null ? '' : formatTaxId(customer.taxId),
    country: customer.country,
    name: customer.name ?? '',
    cellphone: customer.cellphone ?? '',
    zipCode: customer.zipCode ?? '',
    metadata: customer.metadata,
    typedByPayer: customer.typedByPayer,
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  };
}
