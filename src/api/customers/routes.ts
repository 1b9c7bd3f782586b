import { recordCustomer } from '../../customers/record-customer.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { DraftRules } from '../frame/draft.ts';
import { paginateWithMetadata } from '../frame/metadata-filter.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deleteRow, keptBy } from '../frame/rows.ts';
import { eraseCustomer } from './erase-customer.ts';
import { bareTaxId, wrongTaxIdAt } from './fields.ts';
import { customerFilter, requireCustomer } from './queries.ts';
import {
  type CreateCustomerBody,
  createCustomerBody,
  customerExample,
  customerFieldsExample,
  customerFieldsIn,
  customerQuery,
  customerView,
  listCustomersQuery,
  presentCustomer,
  taxIdPath,
  type UpdateCustomerBody,
  updateCustomerBody,
} from './schema.ts';
import { updateCustomer } from './update-customer.ts';

/** The customer's fields are in `data` or at the top level. */
const wrongTaxIdOfDraft: DraftRules = async (body) => [
  ...wrongTaxIdAt(body, 'data', 'taxId'),
  ...wrongTaxIdAt(body, 'taxId'),
];

const create = route({
  method: 'POST',
  path: '/customers/create',
  summary: 'Create a customer',
  description: `There is one customer per tax id: if it is already registered, the existing customer is returned. Its fields
do not change, except that missing ones are filled in. If a payer entered the data on a hosted page (\`typedByPayer\`), your values
replace it. Without \`taxId\` a new customer is created each time.`,
  permission: 'CUSTOMER:CREATE',
  body: createCustomerBody,
  draftRules: wrongTaxIdOfDraft,
  response: customerView,
  errors: ['INVALID_TAX_ID'],
  example: {
    body: { data: customerFieldsExample, metadata: { segment: 'gold' } },
    response: customerExample,
  },
  async handler({ em, key, body, now }) {
    const fields = { ...personIn(body), metadata: body.metadata ?? {} };
    return presentCustomer(await recordCustomer(em, key, fields, now));
  },
});

/** @throws ApiError INVALID_TAX_ID that names the field as sent. */
function personIn(body: CreateCustomerBody | UpdateCustomerBody) {
  const { taxId, name, email, cellphone, zipCode } = customerFieldsIn(body);
  const bare = taxId === null ? null : bareTaxId(taxId, taxIdPath(body));
  return { taxId: bare, name, email, cellphone, zipCode };
}

const update = route({
  method: 'POST',
  path: '/customers/update',
  summary: 'Update a customer',
  description: `Given fields replace stored ones; omitted, null and empty fields stay unchanged. \`metadata\` is replaced as a whole.
Existing charges and boletos keep the payer's data they were created with. If a payer typed the e-mail address, the customer stays
\`typedByPayer\` until you give an \`email\`.`,
  permission: 'CUSTOMER:CREATE',
  audited: true,
  body: updateCustomerBody,
  draftRules: wrongTaxIdOfDraft,
  response: customerView,
  errors: ['NOT_FOUND', 'INVALID_TAX_ID', 'TAX_ID_CONFLICT'],
  example: {
    body: { id: customerExample.id, cellphone: customerExample.cellphone },
    response: customerExample,
  },
  handler: async (request) => presentCustomer(await updateCustomer(request, personIn(request.body))),
});

const list = listRoute({
  path: '/customers/list',
  summary: 'List customers',
  permission: 'CUSTOMER:READ',
  query: listCustomersQuery,
  response: customerView,
  errors: [],
  example: { response: customerExample },
  async handler(request) {
    const where = () => customerFilter(request.em, request.key, request.query);
    const page = await paginateWithMetadata(request, CustomerEntity, ['CUSTOMER'], keptBy, where);
    return { ...page, items: page.items.map(presentCustomer) };
  },
});

const get = route({
  method: 'GET',
  path: '/customers/get',
  summary: 'Get a customer',
  permission: 'CUSTOMER:READ',
  query: customerQuery,
  response: customerView,
  errors: ['NOT_FOUND'],
  example: { response: customerExample },
  async handler({ em, key, query }) {
    return presentCustomer(await requireCustomer(em, key, query.id));
  },
});

/** Values for the personal fields of a deleted customer (LGPD, art. 18, VI; contract section 5). */
const ERASED = {
  taxId: null,
  taxIdHash: null,
  name: null,
  email: null,
  cellphone: null,
  zipCode: null,
  metadata: {},
};
const SHOWN_ERASED = { taxId: '', name: '', email: '', cellphone: '', zipCode: '', metadata: {} };

const remove = route({
  method: 'POST',
  path: '/customers/delete',
  alias: 'DELETE',
  summary: 'Delete a customer',
  description: `Erases the personal data permanently, and returns the customer without it. Charges, checkouts and events stay and keep
the customer's id, but no longer identify the customer or the payer. The tax id is free for a new customer.`,
  permission: 'CUSTOMER:DELETE',
  audited: true,
  query: customerQuery,
  response: customerView,
  errors: ['NOT_FOUND'],
  example: { response: { ...customerExample, ...SHOWN_ERASED } },
  async handler(request) {
    const { em, key, query, now } = request;
    const customer = await requireCustomer(em, key, query.id);
    return request.transaction(async (tx) => {
      const deleted = await deleteRow(tx, CustomerEntity, customer, now, 'Customer', ERASED);
      await eraseCustomer(tx, key, customer.id, now);
      await request.recordAction(tx, customer.id);
      return presentCustomer(deleted);
    });
  },
});

export const customerRoutes: readonly Route[] = [create, update, list, get, remove];

export { create as createCustomer, get as getCustomer, list as listCustomers, remove as deleteCustomer };
