import { hasTaxId } from '../database/encryption/tax-id-search.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerId, StoreId } from '../domain/ids.ts';
import type { Payer } from '../domain/payer.ts';
import { mintId } from '../ids.ts';
import { insertWithTaxId } from './customer-tax-id.ts';

/** A merchant's data of a customer, given with an API key; null for missing fields. */
export interface CustomerDetails extends Payer {
  readonly zipCode?: string | null;
  readonly metadata?: Record<string, unknown>;
}

/** Whose customer it is. */
export interface CustomerOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** A new customer. The tax id's hash is added at its insertion. */
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
 * Merges a merchant's data of a customer, one per tax id (contract section 9.3). Existing values stay and missing
 * ones are filled in; values that a payer typed are replaced by the merchant's. Without a tax id it is a new
 * customer.
 *
 * The unique index decides between concurrent requests, and each change is conditional on the values it was decided
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

/** @returns the row itself if it was inserted or has no tax id, else the customer with its tax id. */
export async function insertOrFindCustomer(em: Em, row: Customer): Promise<Customer> {
  const { storeId, devMode, taxId } = row;
  if (taxId === null) {
    await em.insert(CustomerEntity, row);
    return row;
  }
  for (;;) {
    if (await insertWithTaxId(em, row)) return row;
    const where = { storeId, devMode, deletedAt: null, ...hasTaxId(em, row, taxId) };
    const existing = await em.findOne(CustomerEntity, where, { disableIdentityMap: true });
    // If it was deleted between the two statements, the tax id is free now.
    if (existing !== null) return existing;
  }
}

/**
 * Merges the merchant's data into a record. @returns the record, or null if it has changed meanwhile and must be
 * read again.
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

/** Only the merchant's data, so that a record never mixes two sources. Metadata on record are the merchant's: payers type none. */
function wordOf({ name, email, cellphone, zipCode, metadata }: Customer): Partial<Customer> {
  return { name, email, cellphone, zipCode, ...(!isEmpty(metadata) && { metadata }) };
}

function isEmpty(metadata: object): boolean {
  return Object.keys(metadata).length === 0;
}

function missingIn(existing: Customer, details: Customer): Partial<Customer> {
  const missing = FIELDS.filter((field) => existing[field] === null && details[field] !== null);
  const change: Partial<Customer> = Object.fromEntries(missing.map((field) => [field, details[field]]));
  return isEmpty(existing.metadata) && !isEmpty(details.metadata)
    ? { ...change, metadata: details.metadata }
    : change;
}

/** Checks that the fields are still empty: two changes within one millisecond have the same time. */
function emptyIn({ typedByPayer }: Customer, change: Partial<Customer>): Partial<Customer> {
  if (typedByPayer) return {};
  return Object.fromEntries(FIELDS.filter((field) => field in change).map((field) => [field, null]));
}
