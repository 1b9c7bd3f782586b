import { z } from 'zod';
import {
  type EventName,
  isV1Only,
  type RecordedEventName,
  type V1EventName,
  v1EventNameOf,
} from '../domain/event.ts';
import type { DeliveryId, EventId } from '../domain/ids.ts';
import { V1_EVENTS } from './v1/events.ts';

/** What is put around an event's `data` (contract section 7), in the endpoint's version of the API. */

const simulated = z.boolean().meta({ description: 'Whether it was simulated.' });

const onlyOfSamples = z.literal(true).optional().meta({
  description:
    'Only in what `webhooks/test` sends: it is the example of its event, and has not happened. Ours.',
});

export function v2Envelope(event: EventName, data: z.ZodType<object>) {
  return z.strictObject({
    id: z.string().meta({
      description: 'Unique per event and endpoint, and the same at every attempt; also in `webhook-id`.',
    }),
    event: z.literal(event),
    apiVersion: z.literal(2),
    devMode: simulated,
    eventId: z.string().meta({
      description: 'Of what happened: the same for every endpoint, and in `events/get`. Ours.',
    }),
    sample: onlyOfSamples,
    data,
  });
}

export function v1Envelope(event: V1EventName, data: z.ZodType<object>) {
  return z.strictObject({ event: z.literal(event), devMode: simulated, sample: onlyOfSamples, data });
}

/** An event as it is to be delivered. */
interface ToDeliver extends Recorded {
  readonly eventId: EventId;
  /** Whether the endpoint is of v2. */
  readonly isV2: boolean;
  readonly isSample: boolean;
}

/** What happened, as it was recorded. */
interface Recorded {
  readonly eventName: RecordedEventName;
  readonly devMode: boolean;
  /** In the shapes of v2, as JSON text. */
  readonly data: string;
}

/**
 * What an endpoint is sent as text, of the same bytes at every attempt, as they are signed: in v2 the stored
 * `data` is put in as it is, and what v1 tells follows from it alone.
 */
export function deliveryBody(event: ToDeliver, id: DeliveryId): string {
  if (!event.isV2) return v1Body(event);
  const { eventName, devMode, eventId } = event;
  const head = JSON.stringify({ id, event: eventName, apiVersion: 2, devMode, eventId, ...marked(event) });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}

/** What an endpoint is told of an event besides its name: one of v2, or of v1 where v2 does not know the event. */
export function publishedData(recorded: Recorded): Record<string, unknown> {
  return isV1Only(recorded.eventName) ? publishedInV1(recorded).data : JSON.parse(recorded.data);
}

function v1Body(recorded: ToDeliver): string {
  const { event, data } = publishedInV1(recorded);
  return JSON.stringify({ event, devMode: recorded.devMode, ...marked(recorded), data });
}

function marked({ isSample }: ToDeliver) {
  return isSample && { sample: true };
}

function publishedInV1({ eventName, devMode, data }: Recorded) {
  const recorded = JSON.parse(data);
  const event = v1EventNameOf(eventName, recorded);
  if (event === null) throw new Error(`v1 is not told of ${eventName}`);
  return { event, data: V1_EVENTS[event].build(recorded, devMode) };
}
