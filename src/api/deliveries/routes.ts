import { z } from 'zod';
import { DeliveryEntity, DeliveryOfSubjectEntity } from '../../database/entities/delivery.ts';
import { EventEntity } from '../../database/entities/event.ts';
import { ResendEntity } from '../../database/entities/resend.ts';
import { paginate } from '../frame/pagination.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { requireActive } from '../webhooks/queries.ts';
import {
  deliveryFilter,
  detailsOf,
  requireDelivery,
  requireResend,
  webhookOf,
  withDetails,
} from './queries.ts';
import { rangeOf, requireNoRange, resendRange } from './resend-range.ts';
import { presentResend, resendExample, resendQuery, resendView, stopResendBody } from './resend-schema.ts';
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
  description: 'One delivery per event and endpoint: delivered, in progress or failed, with every attempt.',
  permission: 'WEBHOOK:READ',
  query: listDeliveriesQuery,
  response: deliveryView,
  errors: [],
  example: { response: deliveryExample },
  async handler(request) {
    const { em, key, query } = request;
    // The event knows the subject of a delivery.
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
  description: 'With every attempt, and the payload as sent to the endpoint.',
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
  summary: 'Resend deliveries',
  description: `With \`id\`: resends one delivery now, with the same id and payload, whether it waits for a retry, was delivered or
has failed. Returns the delivery in its current state; the attempt follows.

With \`webhookId\`, \`from\` and \`to\`: resends a range in the order of creation, at most 20 deliveries a second. Returns the bulk
resend; \`webhooks/resend/get\` shows its progress and \`webhooks/resend/stop\` ends it. Each webhook can run one bulk resend at a
time. Requesting the same range again while it runs returns the same one.`,
  permission: 'WEBHOOK:CREATE',
  waitsForWorkflow: true,
  audited: true,
  body: resendBody,
  response: z.union([deliveryView, resendView]),
  errors: ['NOT_FOUND', 'WEBHOOK_INACTIVE', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: deliveryExample.id }, response: deliveryExample },
  async handler(request) {
    const { em, key, body, deps } = request;
    if (body.id === undefined) return presentResend(await resendRange(request, rangeOf(body)));
    requireNoRange(body);
    const delivery = await requireDelivery(em, key, body.id);
    requireActive(await webhookOf(em, delivery));
    const asItStands = presentDelivery(await detailsOf(em, delivery));
    await request.expectLine(delivery.id);
    await reachTemporal(request, () => deps.resendDelivery(delivery.id));
    return asItStands;
  },
});

const getResend = route({
  method: 'GET',
  path: '/webhooks/resend/get',
  summary: 'Get a bulk resend',
  permission: 'WEBHOOK:READ',
  query: resendQuery,
  response: resendView,
  errors: ['NOT_FOUND'],
  example: { response: resendExample },
  async handler({ em, key, query }) {
    return presentResend(await requireResend(em, key, query.id));
  },
});

const stopResend = route({
  method: 'POST',
  path: '/webhooks/resend/stop',
  summary: 'Stop a bulk resend',
  description:
    'Deliveries that were already requested are still sent. A resend that has ended stays unchanged.',
  permission: 'WEBHOOK:CREATE',
  audited: true,
  body: stopResendBody,
  response: resendView,
  errors: ['NOT_FOUND'],
  example: { body: { id: resendExample.id }, response: resendExample },
  async handler(request) {
    const { em, key, body, now } = request;
    const { id } = await requireResend(em, key, body.id);
    // The workflow checks this status before each batch, and ends.
    const stopped = { status: 'STOPPED' as const, finishedAt: now };
    return request.transaction(async (tx) => {
      const count = await tx.nativeUpdate(ResendEntity, { id, status: 'RUNNING' }, stopped);
      const resend = await requireResend(tx, key, id);
      if (count > 0) await request.recordAction(tx, resend.webhookId, { resend: id });
      return presentResend(resend);
    });
  },
});

/** Operations that the dashboard also uses. */
export const deliveryOperations = { list, get, resend, getResend, stopResend };

export const deliveryRoutes: readonly Route[] = Object.values(deliveryOperations);
