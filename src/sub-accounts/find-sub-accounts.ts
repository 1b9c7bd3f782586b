import { hasTaxId, taxIdHashOf } from '../database/encryption/tax-id-search.ts';
import { type SubAccount, SubAccountEntity } from '../database/entities/sub-account.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';

/** Neither unique index compares an encrypted row with one of a service that had no SECRETS_KEY, so this looks for such a row. */
const INSERT = statement<{ row: SubAccount }, object>(
  'insert a sub-account',
  (columns) => `
  insert into sub_accounts (${columns.of(SubAccountEntity)})
  select ${columns.values(SubAccountEntity, 'row')}
  where not exists (
    select from sub_accounts where store_id = :row.storeId and dev_mode = :row.devMode and tax_id = :row.taxId
  )
  on conflict do nothing returning 1`,
);

/** Inserts a sub-account, unless its store has one with the tax id. @returns that one, or the new one. */
export async function insertOrFindSubAccount(em: Em, row: SubAccount): Promise<SubAccount> {
  const { storeId, devMode, taxId } = row;
  const inserted = await INSERT(em, { row: { ...row, taxIdHash: taxIdHashOf(em, row, taxId) } });
  if (inserted.length > 0) return row;
  const where = { storeId, devMode, ...hasTaxId(em, row, taxId) };
  return em.findOneOrFail(SubAccountEntity, where, { disableIdentityMap: true });
}
