import { EventEntity } from '../../database/entities/event.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { eventFilter, requireEvent } from './queries.ts';
import { eventExample, eventQuery, eventView, listEventsQuery, presentEvent } from './schema.ts';

const list = listRoute({
  path: '/events/list',
  summary: 'List events',
  description:
    'What has happened, newest first, with what endpoints are told of it: for whoever has missed a delivery, or has no endpoint.',
  permission: 'WEBHOOK:READ',
  query: listEventsQuery,
  response: eventView,
  errors: [],
  example: { response: eventExample },
  handler: (request) =>
    presentPage(request, EventEntity, eventFilter(request.key, request.query), presentEvent),
});

const get = route({
  method: 'GET',
  path: '/events/get',
  summary: 'Get an event',
  permission: 'WEBHOOK:READ',
  query: eventQuery,
  response: eventView,
  errors: ['NOT_FOUND'],
  example: { response: eventExample },
  async handler({ em, key, query }) {
    return presentEvent(await requireEvent(em, key, query.id));
  },
});

export const eventRoutes: readonly Route[] = [list, get];
