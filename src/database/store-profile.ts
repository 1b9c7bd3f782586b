import type { StoreId } from '../domain/ids.ts';
import { checkedStoreProfile, type GivenStoreProfile } from '../domain/store-profile.ts';
import { type Store, StoreEntity } from './entities/store.ts';
import type { Em } from './orm.ts';

/**
 * Changes what a store says of itself to its payers, in both environments: only what is given, so that two who
 * change different things at once both get their way.
 *
 * @returns the store as it is then, or null where there is none.
 * @throws WrongStoreField, and nothing is changed.
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
