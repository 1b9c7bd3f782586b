import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerId } from '../domain/ids.ts';
import { type CustomerLink, merchantsCustomer, NO_CUSTOMER, type Payer } from '../domain/payer.ts';
import {
  type CustomerOwner,
  insertOrFindCustomer,
  newCustomer,
  recordCustomer,
  supplemented,
} from './record-customer.ts';

/**
 * The customer of a charge or billing, as the merchant named them with an API key: found by tax id, else by e-mail,
 * and created if there is none (contract section 4). Null without either. Call it in a transaction.
 */
export async function linkCustomer(
  em: Em,
  owner: CustomerOwner,
  payer: Payer,
  now: Date,
): Promise<CustomerLink> {
  if (payer.taxId !== null) return merchantsCustomer((await recordCustomer(em, owner, payer, now)).id);
  if (payer.email === null) return NO_CUSTOMER;
  await lockEmail(em, owner, payer.email);
  const row = newCustomer(owner, payer, false, now);
  for (;;) {
    const existing = await findByEmail(em, row);
    if (existing === null) {
      await em.insert(CustomerEntity, row);
      return merchantsCustomer(row.id);
    }
    const recorded = await supplemented(em, existing, row);
    if (recorded !== null) return merchantsCustomer(recorded.id);
  }
}

/**
 * The customer for an anonymous payer's details: the one with their tax id, or one that only payers have described.
 * Anonymous input never changes an existing record. Call it in a transaction.
 */
export async function linkPayer(
  em: Em,
  owner: CustomerOwner,
  typed: Payer,
  now: Date,
): Promise<CustomerLink> {
  const row = newCustomer(owner, typed, true, now);
  if (row.taxId !== null) return typedCustomer(await insertOrFindCustomer(em, row));
  if (row.email === null) return NO_CUSTOMER;
  await lockEmail(em, owner, row.email);
  const existing = await findByEmail(em, row);
  if (existing !== null) return typedCustomer(existing);
  await em.insert(CustomerEntity, row);
  return typedCustomer(row);
}

function typedCustomer({ id }: Customer): CustomerLink {
  return { customerId: id, customerNamedBy: 'PAYER' };
}

/**
 * The oldest customer with this address and the same kind of source: an address typed by an anonymous payer proves
 * nothing.
 */
async function findByEmail(
  em: Em,
  { storeId, devMode, email, typedByPayer }: Customer,
): Promise<Customer | null> {
  const [found] = await em.execute<{ id: CustomerId }[]>(
    `select id from customers
     where store_id = :storeId and dev_mode = :devMode and lower(email) = lower(:email) and deleted_at is null
       and typed_by_payer = :typedByPayer
     order by created_at, id limit 1`,
    { storeId, devMode, email, typedByPayer },
  );
  if (found === undefined) return null;
  return em.findOne(CustomerEntity, { id: found.id }, { disableIdentityMap: true });
}

/** Addresses have no unique key, so this lock ensures that only one request creates the customer. */
async function lockEmail(em: Em, { storeId, devMode }: CustomerOwner, email: string): Promise<void> {
  const key = `customer/${storeId}/${devMode}/${email.toLowerCase()}`;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(:key, 0))', { key });
}
