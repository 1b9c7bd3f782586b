import { z } from 'zod';
import type { Event } from '../../database/entities/event.ts';
import { RECORDED_EVENT_NAMES } from '../../domain/event-names.ts';
import { publishedData } from '../../events/envelope.ts';
import { exampleCustomer } from '../../events/parties.ts';
import { subjectIdsOf } from '../../events/subjects.ts';
import { transparentEvents } from '../../events/transparent.ts';
import { idText, timestamp } from '../../wire/fields.ts';
import { fromInstant, toInstant } from '../frame/time-range.ts';

const { example } = transparentEvents['transparent.completed'];
const EVENT_ID = 'evnt_01J9Z40TQ4D2C8B6A1Z3Y5X7WV';

/** Filters by the time of an event. */
export const periodQuery = { from: fromInstant('Happened'), to: toInstant('Happened') };

export const subjectQuery = {
  subjectId: idText(example.transparent.id).optional().meta({
    description:
      'Any id that the event concerns: a charge, checkout, payment link, subscription, customer, refund, payout or transfer.',
  }),
};

/** Filters of GET `/events/list`. */
export const listEventsQuery = z.object({
  name: z.enum(RECORDED_EVENT_NAMES).optional().meta({ example: 'transparent.completed' }),
  ...subjectQuery,
  ...periodQuery,
});
export type ListEventsQuery = z.output<typeof listEventsQuery>;

const NAMES_RULE =
  'must be names of events, separated by commas, such as transparent.completed,checkout.completed';

/** Query of GET `/events/stream`. */
export const streamEventsQuery = z.object({
  names: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(RECORDED_EVENT_NAMES, { error: NAMES_RULE })))
    .optional()
    .meta({
      override: { type: 'string' },
      description: 'Only these events, separated by commas.',
      example: 'transparent.completed,checkout.completed',
    }),
});

/** Query of GET `/events/get`. */
export const eventQuery = z.object({ id: idText(EVENT_ID) });

export const eventIdView = z.string().meta({
  description: 'The event: the same id for every endpoint, and `eventId` in the payload.',
});

export const subjectIdsView = z.array(z.string()).meta({
  description: 'Every id that the event concerns, first the object that changed.',
});

/** An event, with the data sent to endpoints. */
export const eventView = z
  .object({
    id: z.string().meta({ description: 'Also `eventId` in every delivery.' }),
    name: z
      .enum(RECORDED_EVENT_NAMES)
      .meta({ description: 'The v2 name, or the v1 name of an event that exists only in v1.' }),
    devMode: z.boolean(),
    subjectIds: subjectIdsView,
    data: z.record(z.string(), z.unknown()).meta({
      description: 'As sent to endpoints: see the event under `webhooks`.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'Event' });
export type EventView = z.output<typeof eventView>;

export const eventExample: EventView = {
  id: EVENT_ID,
  name: 'transparent.completed',
  devMode: true,
  subjectIds: [example.transparent.id, exampleCustomer.id],
  data: example,
  createdAt: '2026-12-04T14:23:41.377Z',
};

/** An event as the API returns it. */
export function presentEvent(event: Event): EventView {
  const { id, name, devMode, createdAt } = event;
  return {
    id,
    name,
    devMode,
    subjectIds: subjectIdsOf(event),
    data: publishedData({ ...event, eventName: name }),
    createdAt: createdAt.toISOString(),
  };
}
