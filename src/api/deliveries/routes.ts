import { DeliveryEntity } from '../../database/entities/delivery.ts';
import { ApiError } from '../frame/errors.ts';
import { paginate } from '../frame/pagination.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deliveryFilter, requireDelivery, withDetails } from './queries.ts';
import { deliveryExample, deliveryView, listDeliveriesQuery, presentDelivery, resendBody } from './schema.ts';

const list = listRoute({
  path: '/webhooks/deliveries',
  summary: 'List deliveries',
  description: 'Each event that was, is being, or could not be sent to an endpoint, with every attempt.',
  permission: 'WEBHOOK:READ',
  query: listDeliveriesQuery,
  response: deliveryView,
  errors: [],
  example: { response: deliveryExample },
  async handler(request) {
    const { em, key, query } = request;
    const page = await paginate(request, DeliveryEntity, deliveryFilter(key, query));
    const details = await withDetails(em, page.items);
    return { ...page, items: details.map((each) => presentDelivery(each, key.devMode)) };
  },
});

const resend = route({
  method: 'POST',
  path: '/webhooks/resend',
  summary: 'Resend a delivery',
  description:
    'Sends it again now, with the same id and payload: one that waits for its next attempt does not wait any longer, one that was delivered or has failed is tried anew. Answers with the delivery as it stands; the attempt follows.',
  permission: 'WEBHOOK:CREATE',
  waitsForWorkflow: true,
  body: resendBody,
  response: deliveryView,
  errors: ['NOT_FOUND', 'WEBHOOK_INACTIVE', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: deliveryExample.id }, response: deliveryExample },
  async handler(request) {
    const { em, key, body, deps } = request;
    const [delivery, webhook] = await requireDelivery(em, key, body.id);
    if (webhook.deletedAt !== null || webhook.disabledAt !== null) {
      const state = webhook.deletedAt === null ? 'disabled: its endpoint answered 410' : 'deleted';
      throw new ApiError(422, 'WEBHOOK_INACTIVE', `id: the webhook of this delivery was ${state}`);
    }
    await reachTemporal(request, () => deps.resendDelivery(delivery.id));
    const [details] = await withDetails(em, [delivery]);
    if (details === undefined) throw new Error('a delivery has no details');
    return presentDelivery(details, key.devMode);
  },
});

export const deliveryRoutes: readonly Route[] = [list, resend];
