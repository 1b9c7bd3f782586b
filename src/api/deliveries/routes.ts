import { DeliveryEntity, DeliveryOfSubjectEntity } from '../../database/entities/delivery.ts';
import { EventEntity } from '../../database/entities/event.ts';
import { paginate } from '../frame/pagination.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { requireActive } from '../webhooks/queries.ts';
import { deliveryFilter, detailsOf, requireDelivery, webhookOf, withDetails } from './queries.ts';
import {
  deliveryExample,
  deliveryQuery,
  deliveryView,
  deliveryWithPayload,
  deliveryWithPayloadExample,
  listDeliveriesQuery,
  presentDelivery,
  presentDeliveryWithPayload,
  resendBody,
} from './schema.ts';

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
    // What a delivery is about, its event knows.
    const deliveries = query.subjectId === undefined ? DeliveryEntity : DeliveryOfSubjectEntity;
    const filter = await deliveryFilter(em, key, query);
    const page = await paginate(request, deliveries as typeof DeliveryEntity, filter);
    const details = await withDetails(em, page.items);
    return { ...page, items: details.map(presentDelivery) };
  },
});

const get = route({
  method: 'GET',
  path: '/webhooks/deliveries/get',
  summary: 'Get a delivery',
  description: 'With every attempt, and the payload as its endpoint is sent it.',
  permission: 'WEBHOOK:READ',
  query: deliveryQuery,
  response: deliveryWithPayload,
  errors: ['NOT_FOUND'],
  example: { response: deliveryWithPayloadExample },
  async handler({ em, key, query }) {
    const delivery = await requireDelivery(em, key, query.id);
    const event = await em.findOneOrFail(EventEntity, { id: delivery.eventId }, { disableIdentityMap: true });
    return presentDeliveryWithPayload(await detailsOf(em, delivery), event, await webhookOf(em, delivery));
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
    const delivery = await requireDelivery(em, key, body.id);
    const webhook = await webhookOf(em, delivery);
    requireActive(webhook);
    const asItStands = presentDelivery(await detailsOf(em, delivery));
    await reachTemporal(request, () => deps.resendDelivery(delivery.id));
    return asItStands;
  },
});

export const deliveryRoutes: readonly Route[] = [list, get, resend];
