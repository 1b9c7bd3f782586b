import type { FilterQuery } from '@mikro-orm/core';
import type { NumberOwner } from '../secrets/personal-numbers.ts';
import { type Customer, CustomerEntity } from './entities/customer.ts';
import type { Database, Em } from './orm.ts';
import { personalNumbersOf } from './sealed-text.ts';
import { statement } from './statement.ts';

/** What a tax id of a customer is searched by; null if there is none, or no key. */
export function taxIdHashOf(on: Em | Database, owner: NumberOwner, taxId: string | null): string | null {
  return taxId === null ? null : personalNumbersOf(on).hash(taxId, 'tax id', owner);
}

/** The condition of customers with this tax id: by its hash, and by the text that earlier releases stored. */
export function hasTaxId(on: Em | Database, owner: NumberOwner, taxId: string): FilterQuery<Customer> {
  const taxIdHash = taxIdHashOf(on, owner, taxId);
  return taxIdHash === null ? { taxId } : { $or: [{ taxIdHash }, { taxId }] };
}

/**
 * A unique index compares hashes, and another one text. An encrypted row and a row of an earlier release meet in neither,
 * so such a row is looked for: none is added any more once numbers are encrypted.
 */
const INSERT = statement<{ row: Customer }, object>(
  'insert a customer with a tax id',
  (columns) => `
  insert into customers (${columns.of(CustomerEntity)})
  select ${columns.values(CustomerEntity, 'row')}
  where not exists (
    select from customers
    where store_id = :row.storeId and dev_mode = :row.devMode and tax_id = :row.taxId and deleted_at is null
  )
  on conflict do nothing returning 1`,
);

/** Inserts a customer unless one has its tax id: of several at once, one goes in. @returns whether it went in. */
export async function insertWithTaxId(em: Em, row: Customer): Promise<boolean> {
  return (await INSERT(em, { row: { ...row, taxIdHash: taxIdHashOf(em, row, row.taxId) } })).length > 0;
}
