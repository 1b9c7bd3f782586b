import type { CustomerId, StoreId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { type Customer, CustomerEntity } from './customer.ts';
import type { Em } from './orm.ts';

/**
 * Inserts `row`, unless its tax id is taken: then the customer that has it is returned as it is (spec, "POST
 * /customers/create"). The unique index decides between requests at once.
 */
export async function insertOrFindCustomer(em: Em, row: Customer): Promise<Customer> {
  const insert = em.qb(CustomerEntity).insert(row).onConflict().ignore().returning('id');
  if ((await insert.execute('all')).length > 0) return row;
  const { storeId, devMode, taxId } = row;
  const where = { storeId, devMode, taxId, deletedAt: null };
  const existing = await em.findOne(CustomerEntity, where, { disableIdentityMap: true });
  // Where it was deleted between the two statements, the tax id is free now.
  return existing ?? insertOrFindCustomer(em, row);
}

interface Payer {
  readonly name: string | null;
  readonly email?: string | null | undefined;
  readonly cellphone?: string | null | undefined;
}

interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** The id of {@link payerOf}. */
export async function linkPayer(
  em: Em,
  owner: Owner,
  payer: Payer,
  taxId: string,
  now: Date,
): Promise<CustomerId> {
  return (await payerOf(em, owner, payer, taxId, now)).id;
}

/**
 * The store's customer with this tax id, created where there is none (contract section 4).
 * @param taxId bare, of a CPF or CNPJ that exists.
 */
export function payerOf(
  em: Em,
  { storeId, devMode }: Owner,
  payer: Payer,
  taxId: string,
  now: Date,
): Promise<Customer> {
  return insertOrFindCustomer(em, {
    id: mintId<CustomerId>('customer', now),
    storeId,
    devMode,
    taxId,
    name: payer.name,
    email: payer.email ?? null,
    cellphone: payer.cellphone ?? null,
    zipCode: null,
    country: 'BR',
    metadata: {},
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  });
}
