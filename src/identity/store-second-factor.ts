import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';

/**
 * Makes a store require a second factor from everyone, or stops that. Runs in the caller's transaction.
 * @param by the person who changes it. To switch it on they need a second factor themselves.
 * @returns false, without a change, if they have none.
 */
export async function requireSecondFactorOfEverybody(
  em: Em,
  storeId: StoreId,
  { by, isRequired }: { readonly by: UserId; readonly isRequired: boolean },
): Promise<boolean> {
  const own = await em.execute<unknown[]>(
    'select 1 from users where id = :by and totp_confirmed_at is not null for share',
    { by },
  );
  if (isRequired && own.length === 0) return false;
  await em.nativeUpdate(StoreEntity, { id: storeId }, { requiresSecondFactor: isRequired });
  return true;
}
