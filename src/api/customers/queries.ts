import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import type { Caller } from '../frame/caller.ts';
import { notFound } from '../frame/errors.ts';
import type { ListCustomersQuery } from './schema.ts';

/** The caller's own customers: of its store and environment, and not deleted. */
function ownCustomers({ storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>) {
  return { storeId, devMode, deletedAt: null };
}

/** @throws ApiError NOT_FOUND, the same for one that is another's, of the other environment, deleted, or never was. */
export async function requireCustomer(em: Em, caller: Caller, id: string): Promise<Customer> {
  const customer = await em.findOne(
    CustomerEntity,
    { ...ownCustomers(caller), id: id as CustomerId },
    { disableIdentityMap: true },
  );
  if (customer === null) throw notFound('Customer');
  return customer;
}

/** The condition of GET `/customers/list`. */
export function customerFilter(
  caller: Caller,
  { id, email, taxId }: ListCustomersQuery,
): FilterQuery<Customer> {
  return {
    ...ownCustomers(caller),
    ...(id !== undefined && { id: id as CustomerId }),
    // What is not a tax id is nobody's: it is compared as it is, and finds nothing.
    ...(taxId !== undefined && { taxId: parseTaxId(taxId)?.bare ?? taxId }),
    ...(email !== undefined && { [raw('lower(email) = lower(?)', [email])]: [] }),
  };
}
