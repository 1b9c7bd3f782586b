import { SubAccountEntity } from '../database/entities/sub-account.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, SubAccountId } from '../domain/ids.ts';

/** The names of the owner's sub-accounts among these ids, by their ids. */
export async function subAccountNames(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))] as SubAccountId[];
  if (wanted.length === 0) return new Map();
  const where = { storeId, devMode, id: { $in: wanted } };
  const rows = await em.find(SubAccountEntity, where, { fields: ['id', 'name'], disableIdentityMap: true });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
