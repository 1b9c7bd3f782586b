import type { CustomerId, StoreId } from '../domain/ids.ts';
import type { Payer } from '../domain/payer.ts';
import { mintId } from '../ids.ts';
import { hasTaxId, insertWithTaxId } from './customer-tax-id.ts';
import { type Customer, CustomerEntity } from './entities/customer.ts';
import type { Em } from './orm.ts';

/** What a merchant says of a customer with an API key; null where nothing was said. */
export interface CustomerDetails extends Payer {
  readonly zipCode?: string | null;
  readonly metadata?: Record<string, unknown>;
}

/** Whose customer it is. */
export interface CustomerOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** A customer as its first words make it. Its hash is added when it is inserted. */
export function newCustomer(
  { storeId, devMode }: CustomerOwner,
  { name, taxId, email, cellphone, zipCode = null, metadata = {} }: CustomerDetails,
  typedByPayer: boolean,
  now: Date,
): Customer {
  return {
    id: mintId<CustomerId>('customer', now),
    storeId,
    devMode,
    taxId,
    taxIdHash: null,
    name,
    email,
    cellphone,
    zipCode,
    country: 'BR',
    metadata,
    typedByPayer,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
}

/**
 * Takes in what a merchant says of a customer, one per tax id (contract section 9.3). What is on record stays
 * and what is missing there is filled in; what a payer had typed gives way to the merchant's word. Without a
 * tax id it is a new customer.
 *
 * The unique index decides between requests at once, and each change is conditional on what it was decided
 * from.
 */
export async function recordCustomer(
  em: Em,
  owner: CustomerOwner,
  details: CustomerDetails,
  now: Date,
): Promise<Customer> {
  const row = newCustomer(owner, details, false, now);
  for (;;) {
    const recorded = await supplemented(em, await insertOrFindCustomer(em, row), row);
    if (recorded !== null) return recorded;
  }
}

/** @returns the row itself where it went in, or has no tax id, else the customer that has its tax id. */
export async function insertOrFindCustomer(em: Em, row: Customer): Promise<Customer> {
  const { storeId, devMode, taxId } = row;
  if (taxId === null) {
    await em.insert(CustomerEntity, row);
    return row;
  }
  for (;;) {
    if (await insertWithTaxId(em, row)) return row;
    const where = { storeId, devMode, deletedAt: null, ...(hasTaxId(em, row, taxId) as object) };
    const existing = await em.findOne(CustomerEntity, where, { disableIdentityMap: true });
    // Where it was deleted between the two statements, the tax id is free now.
    if (existing !== null) return existing;
  }
}

/**
 * Brings the merchant's word into a record. @returns the record, or null where it has changed meanwhile: it
 * is then to be looked at again.
 */
export async function supplemented(em: Em, existing: Customer, details: Customer): Promise<Customer | null> {
  const change = existing.typedByPayer ? wordOf(details) : missingIn(existing, details);
  if (Object.keys(change).length === 0) return existing;
  const { id, typedByPayer, updatedAt } = existing;
  const changed = { ...change, typedByPayer: false, updatedAt: details.updatedAt };
  const asItWas = { id, typedByPayer, updatedAt, deletedAt: null, ...emptyIn(existing, change) };
  const count = await em.nativeUpdate(CustomerEntity, asItWas, changed);
  return count === 1 ? { ...existing, ...changed } : null;
}

const FIELDS = ['name', 'email', 'cellphone', 'zipCode'] as const;

/** All that the merchant said, and nothing of what was there: two voices are never mixed in one record. */
function wordOf({ name, email, cellphone, zipCode, metadata }: Customer): Partial<Customer> {
  return { name, email, cellphone, zipCode, metadata };
}

function missingIn(existing: Customer, details: Customer): Partial<Customer> {
  const missing = FIELDS.filter((field) => existing[field] === null && details[field] !== null);
  const change: Partial<Customer> = Object.fromEntries(missing.map((field) => [field, details[field]]));
  const isEmpty = (metadata: object) => Object.keys(metadata).length === 0;
  return isEmpty(existing.metadata) && !isEmpty(details.metadata)
    ? { ...change, metadata: details.metadata }
    : change;
}

/** That what is filled in is still missing: two changes within one millisecond have the same time. */
function emptyIn({ typedByPayer }: Customer, change: Partial<Customer>): Partial<Customer> {
  if (typedByPayer) return {};
  return Object.fromEntries(FIELDS.filter((field) => field in change).map((field) => [field, null]));
}
