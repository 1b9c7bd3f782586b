import { EventEntity } from '../../database/entities/event.ts';
import type { Database } from '../../database/orm.ts';
import { optInEventsAmong } from '../../domain/event-names.ts';
import { noteReading } from '../../events/event-readers.ts';
import { notFound } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route, streamRoute } from '../frame/route.ts';
import type { Caller } from '../keys/caller.ts';
import type { Subscription } from './event-stream.ts';
import { FIRST_PLACE, lastPlace, type PlacedEvent, placeOf } from './events-in-order.ts';
import { eventFilter, requireEvent } from './queries.ts';
import {
  eventExample,
  eventQuery,
  eventView,
  listEventsQuery,
  presentEvent,
  streamEventsQuery,
} from './schema.ts';
import { keyAtAddress, servingKeys } from './serving-keys.ts';

const list = listRoute({
  path: '/events/list',
  summary: 'List events',
  description:
    'Past events, newest first, with the data sent to endpoints. Use it if you missed a delivery or have no endpoint.',
  permission: 'WEBHOOK:READ',
  query: listEventsQuery,
  response: eventView,
  errors: [],
  example: { response: eventExample },
  async handler(request) {
    const { deps, key, query, realNow } = request;
    await noteReading(
      deps.database,
      key,
      optInEventsAmong(query.name === undefined ? null : [query.name]),
      realNow,
    );
    return presentPage(request, EventEntity, eventFilter(key, query), presentEvent);
  },
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

const stream = streamRoute({
  path: '/events/stream',
  summary: 'Stream events',
  description: `Events in real time, as server-sent events: \`event\` is the name, \`id\` the id, and \`data\` the object that
\`events/get\` returns. The stream never ends by itself. To resume it, send the last \`id\` as \`Last-Event-ID\`: no event is missing
or repeated. Events come in the order of recording, which may differ from the order of \`createdAt\`. Some events of unpaid objects
are recorded only while someone is listening: recording starts when an endpoint subscribes to the event or a client reads events by
stream or list, and stops after 30 days without either.`,
  permission: 'WEBHOOK:READ',
  query: streamEventsQuery,
  response: eventView,
  errors: ['NOT_FOUND'],
  example: { response: eventExample },
  async handler({ deps, query, realNow }, { caller, lastEventId }) {
    const subscribed = optInEventsAmong(query.names ?? null);
    await noteReading(deps.database, caller, subscribed, realNow);
    const beginning = await beginningAt(deps.database, caller, lastEventId);
    const names = query.names === undefined ? null : new Set(query.names);
    const listener = { id: keyAtAddress(caller), stillServing: servingKeys };
    return deps.eventStreams.open({
      caller,
      listener,
      ...beginning,
      names,
      subscribed,
      format: eventMessage,
    });
  },
});

/** The lines of an event: its name, and the object that `events/get` returns. */
export function eventMessage(event: PlacedEvent): string {
  return `event: ${event.name}\ndata: ${JSON.stringify(presentEvent(event))}`;
}

/**
 * Where a stream begins: after an event, or with new events if it is null.
 * @throws ApiError NOT_FOUND if the event was deleted or belongs to another store.
 */
export async function beginningAt(
  database: Database,
  caller: Caller,
  lastEventId: string | null,
): Promise<Pick<Subscription, 'place' | 'isBehind'>> {
  const last = await lastPlace(database, caller);
  if (lastEventId === null) return { place: last, isBehind: false };
  const place = lastEventId === FIRST_PLACE.id ? FIRST_PLACE : await placeOf(database, caller, lastEventId);
  if (place === null) throw notFound('The event of Last-Event-ID was');
  return { place, isBehind: place.id !== last.id };
}

/** Operations that the dashboard also uses. */
export const eventOperations = { list, get };

export const eventRoutes: readonly Route[] = [list, get, stream];
