import { type Customer, CustomerEntity } from '../../database/customer.ts';
import { insertOrFindCustomer } from '../../database/insert-customer.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { bareTaxId } from '../bare-tax-id.ts';
import { notFound } from '../errors.ts';
import { paginate } from '../pagination.ts';
import type { ApiRequest } from '../request.ts';
import { listRoute, type Route, route } from '../route.ts';
import { eraseCustomer } from './erase-customer.ts';
import { presentCustomer } from './presenter.ts';
import { customerFilter, requireCustomer } from './queries.ts';
import {
  type CreateCustomerBody,
  createCustomerBody,
  customerExample,
  customerFieldsExample,
  customerQuery,
  customerView,
  listCustomersQuery,
} from './schema.ts';

const create = route({
  method: 'POST',
  path: '/customers/create',
  summary: 'Create a customer',
  description: `There is one customer per tax id: where it is registered already, the existing customer is returned
unchanged. Without \`taxId\` a new customer is created each time.`,
  permission: 'CUSTOMER:CREATE',
  body: createCustomerBody,
  response: customerView,
  errors: ['INVALID_TAX_ID'],
  example: {
    body: { data: customerFieldsExample, metadata: { segment: 'gold' } },
    response: customerExample,
  },
  async handler(request) {
    return presentCustomer(await insertOrFindCustomer(request.em, newCustomer(request)));
  },
});

/** @throws ApiError INVALID_TAX_ID, naming the field where it was sent. */
function newCustomer({ body, key, now }: ApiRequest<unknown, CreateCustomerBody>): Customer {
  const fields = body.data ?? body;
  const taxIdPath = body.data === undefined ? 'taxId' : 'data.taxId';
  return {
    id: mintId<CustomerId>('customer', now),
    storeId: key.storeId,
    devMode: key.devMode,
    taxId: fields.taxId === undefined ? null : bareTaxId(fields.taxId, taxIdPath),
    name: fields.name ?? null,
    email: fields.email ?? null,
    cellphone: fields.cellphone ?? null,
    zipCode: fields.zipCode ?? null,
    country: 'BR',
    metadata: body.metadata ?? {},
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
}

const list = listRoute({
  path: '/customers/list',
  summary: 'List customers',
  permission: 'CUSTOMER:READ',
  query: listCustomersQuery,
  response: customerView,
  errors: [],
  example: { response: customerExample },
  async handler({ em, key, query }) {
    const page = await paginate(em, CustomerEntity, customerFilter(key, query), query);
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

/** What a deleted customer's row no longer holds (LGPD, art. 18, VI; contract section 5). */
const ERASED = { taxId: null, name: null, email: null, cellphone: null, zipCode: null, metadata: {} };

const remove = route({
  method: 'POST',
  path: '/customers/delete',
  summary: 'Delete a customer',
  description: `Erases the personal data, for good, and returns the customer without it. Charges, checkouts and events stay, and
keep the customer's id, but no longer tell who the customer is or who paid. The tax id is free for a new customer.`,
  permission: 'CUSTOMER:DELETE',
  query: customerQuery,
  response: customerView,
  errors: ['NOT_FOUND'],
  example: { response: { ...customerExample, ...ERASED } },
  async handler(request) {
    const { em, key, query, now } = request;
    const customer = await requireCustomer(em, key, query.id);
    const change = { ...ERASED, deletedAt: now, updatedAt: now };
    await request.transaction(async (tx) => {
      // Conditional: of two requests that delete it at once, one is told that it is gone.
      const changed = await tx.nativeUpdate(CustomerEntity, { id: customer.id, deletedAt: null }, change);
      if (changed === 0) throw notFound('Customer');
      await eraseCustomer(tx, key, customer.id);
    });
    return presentCustomer({ ...customer, ...change });
  },
});

export const customerRoutes: readonly Route[] = [create, list, get, remove];
