import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, SubscriptionId } from '../domain/ids.ts';

/** The owner's subscriptions among these ids, by their ids. */
export async function subscriptionsById(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, Subscription>> {
  const wanted = ids.filter((id) => typeof id === 'string') as SubscriptionId[];
  if (wanted.length === 0) return new Map();
  const where = { storeId, devMode, id: { $in: wanted } };
  const rows = await em.find(SubscriptionEntity, where, { disableIdentityMap: true });
  return new Map(rows.map((row) => [row.id, row]));
}
