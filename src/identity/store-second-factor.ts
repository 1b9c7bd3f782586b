import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';

/**
 * Has a store ask everybody for a second factor, or no longer. In the caller's transaction.
 * @param by who says so. To switch it on they need a second factor themselves.
 * @returns false if they have none, and nothing is changed.
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
