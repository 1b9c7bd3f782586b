import type { Checkout } from '../../database/entities/checkout.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { SubscriptionStanding } from '../../domain/subscription.ts';

/** A checkout with how the subscription stands that it started; null if it started none. */
export type WithSubscription = readonly [Checkout, SubscriptionStanding | null];

/** Adds to each checkout how its subscription stands now. */
export async function withSubscriptions(em: Em, checkouts: readonly Checkout[]): Promise<WithSubscription[]> {
  const ids = checkouts.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  if (ids.length === 0) return checkouts.map((checkout) => [checkout, null]);
  const found = await em.find(
    SubscriptionEntity,
    { id: { $in: ids } },
    {
      fields: ['status', 'failedAttempts', 'cycleNumber', 'cancelAt', 'pausedAt', 'pauseCause'],
      disableIdentityMap: true,
    },
  );
  const standings = new Map<string, SubscriptionStanding>(found.map((each) => [each.id, each]));
  return checkouts.map((checkout) => [checkout, standings.get(checkout.subscriptionId ?? '') ?? null]);
}

/** The same for one checkout. */
export async function withSubscription(em: Em, checkout: Checkout): Promise<WithSubscription> {
  const [found] = await withSubscriptions(em, [checkout]);
  return found ?? [checkout, null];
}
