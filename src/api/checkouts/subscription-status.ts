import type { Checkout } from '../../database/entities/checkout.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { SubscriptionStanding } from '../../domain/subscription.ts';
import type { Page } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';

/** A checkout with how the subscription stands that it started; null if it started none. */
type WithSubscription = readonly [Checkout, SubscriptionStanding | null];

/** A page of checkouts in a response. @param present one of them, with how its subscription stands. */
export async function presentCheckouts<Shown>(
  { em, deps }: Pick<ApiRequest, 'em' | 'deps'>,
  page: Page<Checkout>,
  present: (checkout: Checkout, publicUrl: string, subscription: SubscriptionStanding | null) => Shown,
): Promise<Page<Shown>> {
  const items = await withSubscriptions(em, page.items);
  return {
    ...page,
    items: items.map(([checkout, subscription]) => present(checkout, deps.publicUrl, subscription)),
  };
}

/** Adds to each checkout how its subscription stands now. */
async function withSubscriptions(em: Em, checkouts: readonly Checkout[]): Promise<WithSubscription[]> {
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
