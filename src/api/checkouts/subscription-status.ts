import type { Checkout } from '../../database/entities/checkout.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { SubscriptionStatus } from '../../domain/subscription.ts';

/** A checkout with the status of the subscription that it started; null if it started none. */
export type WithSubscription = readonly [Checkout, SubscriptionStatus | null];

/** Adds the current subscription status to each checkout. */
export async function withSubscriptions(em: Em, checkouts: readonly Checkout[]): Promise<WithSubscription[]> {
  const ids = checkouts.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  if (ids.length === 0) return checkouts.map((checkout) => [checkout, null]);
  const found = await em.find(
    SubscriptionEntity,
    { id: { $in: ids } },
    { fields: ['status'], disableIdentityMap: true },
  );
  const statuses = new Map<string, SubscriptionStatus>(found.map(({ id, status }) => [id, status]));
  return checkouts.map((checkout) => [checkout, statuses.get(checkout.subscriptionId ?? '') ?? null]);
}

/** Adds the current subscription status to one checkout. */
export async function withSubscription(em: Em, checkout: Checkout): Promise<WithSubscription> {
  const [found] = await withSubscriptions(em, [checkout]);
  return found ?? [checkout, null];
}
