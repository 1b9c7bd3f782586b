import type { Checkout } from '../../database/entities/checkout.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import type { CheckoutId, CustomerId } from '../../domain/ids.ts';
import {
  exampleCheckoutId,
  presentSubscriptionCheckout,
  subscriptionCheckoutView,
} from '../../wire/checkout.ts';
import { aboutCheckout, cancelCheckout } from '../checkouts/group-routes.ts';
import { pageOfCheckouts, requireCheckout } from '../checkouts/queries.ts';
import { checkoutIdBody, listCheckoutsQuery } from '../checkouts/schema.ts';
import { presentCheckouts, withSubscription } from '../checkouts/subscription-status.ts';
import { ApiError, notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { keptBy } from '../frame/rows.ts';
import { exampleShownCheckout } from './examples.ts';
import { type FindSubscriptionCheckoutQuery, findSubscriptionCheckoutQuery } from './schema.ts';

async function presentOne(request: ApiRequest, checkout: Checkout) {
  aboutCheckout(request, checkout);
  const [, subscription] = await withSubscription(request.em, checkout);
  return presentSubscriptionCheckout(checkout, request.deps.publicUrl, subscription);
}

const list = listRoute({
  path: '/subscriptions/checkouts/list',
  summary: 'List the checkouts of subscriptions, newest first',
  description: 'Paid or not, without deleted ones. `subscriptionId` is set once a subscription has started.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: listCheckoutsQuery,
  response: subscriptionCheckoutView,
  errors: [],
  example: { response: exampleShownCheckout },
  handler: async (request) =>
    presentCheckouts(request, await pageOfCheckouts(request, 'SUBSCRIPTION'), presentSubscriptionCheckout),
});

const get = route({
  method: 'GET',
  path: '/subscriptions/checkouts/get',
  summary: 'Get the checkout of a subscription',
  description: 'By `id`, `externalId` or `customerId`. If several match, it is the newest.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: findSubscriptionCheckoutQuery,
  response: subscriptionCheckoutView,
  errors: ['NOT_FOUND'],
  example: { response: exampleShownCheckout },
  handler: async (request) => presentOne(request, await newestCheckout(request)),
});

/** The newest checkout that matches all that is given. @throws ApiError NOT_FOUND */
async function newestCheckout({
  em,
  key,
  query: { id, externalId, customerId },
}: ApiRequest<FindSubscriptionCheckoutQuery>): Promise<Checkout> {
  const where = {
    ...keptBy(key),
    frequency: 'SUBSCRIPTION' as const,
    ...(id !== undefined && { id: id as CheckoutId }),
    ...(externalId !== undefined && { externalId }),
    ...(customerId !== undefined && { customerId: customerId as CustomerId }),
  };
  const options = { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const;
  const found = await em.findOne(CheckoutEntity, where, options);
  if (found === null) throw notFound('Checkout');
  return found;
}

const deletes = route({
  method: 'POST',
  path: '/subscriptions/checkouts/delete',
  summary: 'Delete the checkout of a subscription',
  description:
    'Nobody can pay through it any more, and no list shows it. The subscription that it has started continues: end it with ' +
    '`subscriptions/cancel`.',
  permission: 'SUBSCRIPTION:DELETE',
  waitsForWorkflow: true,
  audited: true,
  body: checkoutIdBody,
  response: subscriptionCheckoutView,
  errors: ['NOT_FOUND', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: exampleCheckoutId }, response: { ...exampleShownCheckout, status: 'CANCELLED' } },
  async handler(request) {
    const { em, key, body, now } = request;
    const found = await requireCheckout(em, key, body.id, 'SUBSCRIPTION');
    await request.expectLine(found.id, undefined, [found.id]);
    const checkout = await cancelIfOpen(request, found);
    // A repeated request finds the first deletion.
    await em.nativeUpdate(CheckoutEntity, { id: checkout.id, deletedAt: null }, { deletedAt: now });
    return presentOne(request, checkout);
  },
});

/** A payment that comes first wins: the checkout is then deleted as a paid one. */
async function cancelIfOpen(
  request: ApiRequest<unknown, { readonly id: string }>,
  found: Checkout,
): Promise<Checkout> {
  const { em, key, body } = request;
  if (found.status !== 'PENDING') return found;
  await cancelCheckout(request, 'SUBSCRIPTION').catch((error: unknown) => {
    if (!isOver(error)) throw error;
  });
  return requireCheckout(em, key, body.id, 'SUBSCRIPTION');
}

/** The checkout was paid, or has expired, in the meantime. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422;
}

/** The checkouts of subscriptions, apart from the subscriptions that they start (AbacatePay's API of autumn 2026). */
export const subscriptionCheckoutRoutes: readonly Route[] = [list, get, deletes];
