import { type FilterQuery, raw } from '@mikro-orm/core';
import { hasTaxId } from '../../database/encryption/tax-id-search.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { keptBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import type { ListCustomersQuery } from './schema.ts';

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireCustomer(em: Em, caller: Caller, id: string): Promise<Customer> {
  return requireRow(em, CustomerEntity, { ...keptBy(caller), id: id as CustomerId }, 'Customer');
}

/** The query condition of GET `/customers/list`. */
export function customerFilter(
  em: Em,
  caller: Caller,
  { id, email, taxId, ...created }: ListCustomersQuery,
): FilterQuery<Customer> {
  return {
    ...keptBy(caller),
    ...createdWithin(created),
    ...(id !== undefined && { id: id as CustomerId }),
    // An invalid tax id belongs to no customer: it is compared unchanged, and finds nothing.
    ...(taxId !== undefined && hasTaxId(em, caller, parseTaxId(taxId)?.bare ?? taxId)),
    ...(email !== undefined && { [raw('lower(email) = lower(?)', [email])]: [] }),
  };
}
