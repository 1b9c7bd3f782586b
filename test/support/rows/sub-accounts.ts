import { SubAccountEntity } from '../../../src/database/entities/sub-account.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { SubAccountId } from '../../../src/domain/ids.ts';
import type { StoreEnvironment } from '../../../src/domain/store-environment.ts';
import { mintId } from '../../../src/ids.ts';

/** Inserts a sub-account without money. */
export async function insertSubAccount(
  { em }: Database,
  { storeId, devMode }: StoreEnvironment,
  changes: { readonly taxId?: string } = {},
): Promise<SubAccountId> {
  const now = new Date();
  const id = mintId<SubAccountId>('subAccount', now);
  await em.fork().insert(SubAccountEntity, {
    ...{ id, storeId, devMode, name: 'Ana Souza', taxId: '52998224725', taxIdHash: null, externalId: null },
    ...{ metadata: {}, balanceCents: 0, entryCount: 0, createdAt: now, updatedAt: now },
    ...changes,
  });
  return id;
}
