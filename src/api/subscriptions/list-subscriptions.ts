import { raw } from '@mikro-orm/core';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { SubscriptionStatus } from '../../domain/subscription.ts';
import { checkoutFilter, pageOfCheckouts } from '../checkouts/queries.ts';
import { invalid } from '../frame/errors.ts';
import { type ListQuery, type Page, paginate } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy, ownedBy } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { ListSubscriptionsQuery } from './schema.ts';

/**
 * Checkouts of subscriptions, newest first. With a subscription status, they are ordered by the start of
 * their subscriptions, because only that order has an index by status (docs/decisions/0016). Filters by
 * customer or order match few rows, so they work with either order.
 *
 * @throws ApiError 400 with both a checkout status and a subscription status.
 */
export async function listSubscriptionCheckouts(
  request: ApiRequest<ListSubscriptionsQuery & ListQuery>,
): Promise<Page<Checkout>> {
  const { em, key, query } = request;
  const {
    subscriptionStatus,
    status,
    id,
    checkoutId,
    externalId,
    email,
    taxId,
    customerId,
    method,
    keyword,
  } = query;
  if (subscriptionStatus === undefined) {
    return pageOfCheckouts(request, 'SUBSCRIPTION');
  }
  if (query.metadata !== undefined) throw invalid('metadata', 'cannot be combined with subscriptionStatus');
  if (status !== undefined) throw invalid('subscriptionStatus', 'cannot be combined with status');
  const isOfFew = [id, checkoutId, externalId, email, taxId, customerId, method, keyword].some(
    (filter) => filter !== undefined,
  );
  if (!isOfFew) return begun(request, subscriptionStatus);
  const filter = await checkoutFilter(em, key, query, 'SUBSCRIPTION');
  const inStatus = raw('subscription_id in (select id from subscriptions where status = ?)', [
    subscriptionStatus,
  ]);
  return paginate(request, CheckoutEntity, { $and: [filter, { [inStatus]: [] }] });
}

async function begun(
  { em, key, path, query }: ApiRequest<ListSubscriptionsQuery & ListQuery>,
  status: SubscriptionStatus,
): Promise<Page<Checkout>> {
  const list = { em, path: `${path}/begun`, query };
  const where = { ...ownedBy(key), status, ...createdWithin(query) };
  const { items, pagination } = await paginate(list, SubscriptionEntity, where);
  const ids = items.map(({ checkoutId }) => checkoutId);
  const found = await em.find(
    CheckoutEntity,
    { ...keptBy(key), id: { $in: ids } },
    { disableIdentityMap: true },
  );
  const checkouts = new Map<string, Checkout>(found.map((checkout) => [checkout.id, checkout]));
  return { items: ids.flatMap((id) => checkouts.get(id) ?? []), pagination };
}
