import { insertOrFindCustomer, newCustomer, supplemented } from '../customers/record-customer.ts';
import { hasTaxId } from '../database/encryption/tax-id-search.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerId } from '../domain/ids.ts';
import { importedIdOf } from './import-ids.ts';
import type { ImportJob, Planned } from './job.ts';
import type { CustomerRow } from './rows.ts';

/**
 * A customer, one per tax id as everywhere: one that the store has already is kept, and missing fields are filled in. The rows
 * of two people with one tax id become one customer.
 */
export async function prepareCustomer(
  em: Em,
  job: ImportJob,
  foreignId: string,
  { name, email, taxId, cellphone, zipCode, metadata }: CustomerRow,
  now: Date,
): Promise<Planned> {
  const given = { name, email, taxId, cellphone, zipCode };
  const from = { ...metadata, importedFrom: job.source, importedId: foreignId };
  const id = importedIdOf<CustomerId>(job, 'customer', foreignId);
  const row: Customer = { ...newCustomer(job, { ...given, metadata: from }, false, now), id };
  const existing =
    taxId === null
      ? null
      : ((await findByTaxId(em, job, taxId)) ?? job.references.plannedAs('customer', taxId));
  return {
    rowId: existing?.id ?? id,
    outcome: existing === null ? 'MADE' : 'FOUND',
    note: null,
    uniqueBy: taxId,
    value: existing ?? row,
    write: async (tx) => {
      for (;;) {
        const found = await insertOrFindCustomer(tx, row);
        if (found.id === row.id) return { rowId: row.id, outcome: 'MADE' };
        if ((await supplemented(tx, found, row)) !== null) return { rowId: found.id, outcome: 'FOUND' };
      }
    },
  };
}

function findByTaxId(em: Em, { storeId, devMode }: ImportJob, taxId: string): Promise<Customer | null> {
  const owner = { storeId, devMode };
  const where = { ...owner, deletedAt: null, ...hasTaxId(em, owner, taxId) };
  return em.findOne(CustomerEntity, where, { disableIdentityMap: true });
}
