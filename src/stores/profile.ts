import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { checkedStoreProfile, type GivenStoreProfile } from '../domain/store-profile.ts';

/** A store that is known to exist, with its public profile. */
export function requireStore(em: Em, id: StoreId): Promise<Store> {
  return em.findOneOrFail(StoreEntity, { id }, { disableIdentityMap: true });
}

/**
 * Changes a store's public profile in both environments. Only given fields change, so concurrent changes of
 * different fields both succeed.
 *
 * @returns the changed store, or null if there is none.
 * @throws WrongStoreFields, and nothing is changed.
 */
export async function updateStoreProfile(
  em: Em,
  storeId: StoreId,
  given: GivenStoreProfile,
): Promise<Store | null> {
  const changes = checkedStoreProfile(given);
  if (Object.keys(changes).length > 0) await em.nativeUpdate(StoreEntity, { id: storeId }, changes);
  return em.findOne(StoreEntity, { id: storeId }, { disableIdentityMap: true });
}
