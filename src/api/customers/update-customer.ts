import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { fieldError, notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireCustomer } from './queries.ts';
import { taxIdPath, type UpdateCustomerBody } from './schema.ts';

type Person = Pick<Customer, 'taxId' | 'name' | 'email' | 'cellphone' | 'zipCode'>;

/**
 * Writes what the merchant says over what is on record; what is null stays. From now on the record is the
 * merchant's word.
 * @throws ApiError 404 where there is no such customer, 409 where the tax id is another customer's.
 */
export async function updateCustomer(
  request: ApiRequest<unknown, UpdateCustomerBody>,
  person: Person,
): Promise<Customer> {
  const { em, key, body, now } = request;
  const { id } = await requireCustomer(em, key, body.id);
  const said = Object.entries({ ...person, metadata: body.metadata ?? null }).filter(
    ([, value]) => value !== null,
  );
  const change = { ...Object.fromEntries(said), typedByPayer: false, updatedAt: now };
  await request.transaction((tx) => write(tx, id, change, taxIdPath(body)));
  return requireCustomer(em, key, id);
}

async function write(
  em: ApiRequest['em'],
  id: CustomerId,
  change: Partial<Customer>,
  path: string,
): Promise<void> {
  try {
    if ((await em.nativeUpdate(CustomerEntity, { id, deletedAt: null }, change)) === 0) {
      throw notFound('Customer');
    }
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw fieldError(409, 'TAX_ID_CONFLICT', path, 'is the tax id of another customer');
  }
}
