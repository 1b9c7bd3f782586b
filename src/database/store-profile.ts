import type { StoreId } from '../domain/ids.ts';
import { checkedStoreProfile, type GivenStoreProfile } from '../domain/store-profile.ts';
import { type Store, StoreEntity } from './entities/store.ts';
import type { Em } from './orm.ts';

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
