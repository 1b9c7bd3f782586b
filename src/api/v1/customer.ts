import { z } from 'zod';
import { recordCustomer } from '../../customers/record-customer.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { bareTaxId, cellphone, email, name, taxId } from '../customers/fields.ts';
import { customerFilter } from '../customers/queries.ts';
import { presentPage } from '../frame/pagination.ts';
import { linkedListRoute, type Route, route } from '../frame/route.ts';

/** A new customer: all four fields are required (contract section 3). */
export const fullCustomer = z.strictObject({ name, email, taxId, cellphone });

/** A customer in the v1 format (contract section 3, "v1"). Unknown or erased texts are empty. */
export const v1CustomerView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    metadata: z.object({
      name: z.string(),
      cellphone: z.string(),
      email: z.string(),
      taxId: z.string().meta({ description: 'CPF or CNPJ with its punctuation.' }),
    }),
  })
  .meta({ id: 'V1Customer' });
export type V1CustomerView = z.output<typeof v1CustomerView>;

export const v1CustomerExample = {
  id: 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  devMode: true,
  metadata: {
    name: 'Ana Souza',
    cellphone: '+55 11 91234-5678',
    email: 'ana@example.com',
    taxId: '529.982.247-25',
  },
};

export function presentV1Customer(customer: Customer): V1CustomerView {
  const { id, devMode, name, cellphone, email, taxId } = customer;
  const metadata = {
    name: name ?? '',
    cellphone: cellphone ?? '',
    email: email ?? '',
    taxId: taxId === null ? '' : formatTaxId(taxId),
  };
  return { id, devMode, metadata };
}

/** Customers of v2 in the v1 format. */
export const v1CustomerRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/customer/create',
    summary: 'Create a customer',
    description: `All four fields are required. There is one customer per tax id: if it is already registered, the existing
customer is returned, with missing fields filled in. The customer's own \`metadata\`, zip code and country are shown in v2.`,
    permission: 'CUSTOMER:CREATE',
    body: fullCustomer,
    response: v1CustomerView,
    errors: ['INVALID_TAX_ID'],
    example: { body: v1CustomerExample.metadata, response: v1CustomerExample },
    async handler({ em, key, body, now }) {
      const fields = { ...body, taxId: bareTaxId(body.taxId, 'taxId') };
      return presentV1Customer(await recordCustomer(em, key, fields, now));
    },
  }),
  linkedListRoute({
    path: '/v1/customer/list',
    summary: 'List customers, newest first',
    permission: 'CUSTOMER:READ',
    response: v1CustomerView,
    errors: [],
    example: { response: v1CustomerExample },
    handler: (request) =>
      presentPage(request, CustomerEntity, customerFilter(request.em, request.key, {}), presentV1Customer),
  }),
];
