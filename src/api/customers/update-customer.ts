import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { endPayerSessions } from '../../customers/end-payer-sessions.ts';
import { hasTaxId, taxIdHashOf } from '../../database/encryption/tax-id-search.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { writeCustomerUpdated } from '../../events/write-customer-updated.ts';
import { fieldError, notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import { startDeliveries } from '../frame/start-deliveries.ts';
import { requireCustomer } from './queries.ts';
import { taxIdPath, type UpdateCustomerBody } from './schema.ts';

type Person = Pick<Customer, 'taxId' | 'name' | 'email' | 'cellphone' | 'zipCode'>;

/**
 * Updates the given fields; null leaves a field unchanged. Afterwards the record counts as confirmed by the
 * merchant, unless it keeps an address that a payer typed: that address may be a stranger's, and opens the portal.
 * @throws ApiError 404 if the customer does not exist, 409 if the tax id belongs to another customer.
 */
export async function updateCustomer(
  request: ApiRequest<unknown, UpdateCustomerBody>,
  person: Person,
): Promise<Customer> {
  const { em, key, body, deps, now } = request;
  const { id } = await requireCustomer(em, key, body.id);
  const fields = Object.entries({ ...person, metadata: body.metadata ?? null }).filter(
    ([, value]) => value !== null,
  );
  const { taxId } = person;
  const change = {
    ...Object.fromEntries(fields),
    ...(taxId !== null && { taxIdHash: taxIdHashOf(em, key, taxId) }),
    updatedAt: now,
  };
  await request.transaction(async (tx) => {
    if (taxId !== null && (await isAnothers(tx, key, taxId, id))) throw conflict(taxIdPath(body));
    const found = await held(tx, id);
    const typedByPayer = found.typedByPayer && found.email !== null && person.email === null;
    const changed = { ...found, ...change, typedByPayer } as Customer;
    await write(tx, id, { ...change, typedByPayer }, taxIdPath(body));
    if (changed.email !== found.email) await endPayerSessions(tx, id, deps.clock());
    const deliveries = await writeCustomerUpdated(tx, found, changed, 'MERCHANT', now);
    request.afterCommit(() => startDeliveries(deps, deliveries));
    if (fields.length > 0) await request.recordAction(tx, id, { fields: fields.map(([name]) => name) });
  });
  return requireCustomer(em, key, id);
}

/** Locks the customer, so that the event compares with what this change replaces and not with what another one has replaced already. */
async function held(tx: ApiRequest['em'], id: CustomerId): Promise<Customer> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const found = await tx.findOne(CustomerEntity, { id, deletedAt: null }, locked);
  if (found === null) throw notFound('Customer');
  return found as Customer;
}

/**
 * Unique indexes decide between parallel requests. They do not compare an encrypted tax id with one that an
 * earlier release stored as text, but no such row is added any more.
 */
async function isAnothers(
  em: ApiRequest['em'],
  owner: ApiRequest['key'],
  taxId: string,
  id: CustomerId,
): Promise<boolean> {
  const others = { ...keptBy(owner), id: { $ne: id }, ...hasTaxId(em, owner, taxId) };
  return (await em.count(CustomerEntity, others)) > 0;
}

function conflict(path: string) {
  return fieldError(409, 'TAX_ID_CONFLICT', path, 'is the tax id of another customer');
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
    throw conflict(path);
  }
}
