import { type ProviderAccount, ProviderAccountEntity } from '../database/entities/provider-account.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ProviderAccountId, StoreId } from '../domain/ids.ts';
import type { ProviderUse } from '../domain/provider-use.ts';
import { WrongAccountSetting } from '../providers/provider-kind.ts';

/** The accounts that serve a store now, one row per use. */
export const SERVING_ACCOUNTS = statement<
  { storeId: StoreId },
  ProviderAccount & { readonly use: ProviderUse }
>(
  'accounts that serve a store',
  (columns) => `
  select served.use, ${columns.read(ProviderAccountEntity, 'account')}
  from provider_account_uses served join provider_accounts account on account.id = served.account_id
  where served.store_id = :storeId`,
);

const BY_ID = statement<{ id: ProviderAccountId }, ProviderAccount>(
  'find a provider account',
  (columns) => `
  select ${columns.read(ProviderAccountEntity, 'account')} from provider_accounts account where id = :id`,
);

/** Finds removed accounts too. */
export async function findAccount(on: Em | Database, id: ProviderAccountId): Promise<ProviderAccount | null> {
  const [account = null] = await BY_ID(on, { id });
  return account;
}

/** @throws WrongAccountSetting if there is none. */
export async function requireAccount(em: Em, id: string): Promise<ProviderAccount> {
  const account = await findAccount(em, id as ProviderAccountId);
  if (account === null) throw new WrongAccountSetting('id', 'must be an account; see "accounts list"');
  return account;
}

const ACCOUNTS_IN_USE = statement<{ storeId: StoreId }, { used: boolean }>(
  'whether accounts serve a store',
  () => 'select exists (select 1 from provider_account_uses where store_id = :storeId) as used',
);

/** Whether a store can take or send real money. */
export async function takesRealMoney(on: Em | Database, storeId: StoreId): Promise<boolean> {
  const [row] = await ACCOUNTS_IN_USE(on, { storeId });
  return row?.used === true;
}

/** The accounts of a store among these ids, including removed ones. */
export async function accountsById(
  em: Em,
  storeId: StoreId,
  ids: readonly ProviderAccountId[],
): Promise<ProviderAccount[]> {
  if (ids.length === 0) return [];
  return em.find(ProviderAccountEntity, { storeId, id: { $in: [...ids] } }, { disableIdentityMap: true });
}
