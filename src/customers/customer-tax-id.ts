import { taxIdHashOf } from '../database/encryption/tax-id-search.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';

/**
 * One unique index compares hashes, another one text. Neither compares an encrypted row with a row of an earlier
 * release, so this looks for such a row: none is added once numbers are encrypted.
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

/**
 * Inserts a customer unless another one has the tax id: of concurrent inserts, one succeeds. @returns whether it
 * did.
 */
export async function insertWithTaxId(em: Em, row: Customer): Promise<boolean> {
  return (await INSERT(em, { row: { ...row, taxIdHash: taxIdHashOf(em, row, row.taxId) } })).length > 0;
}
