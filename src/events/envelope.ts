import { z } from 'zod';
import {
  type EventName,
  isV1Only,
  type RecordedEventName,
  type V1EventName,
  v1EventNameOf,
} from '../domain/event-names.ts';
import type { DeliveryId, EventId } from '../domain/ids.ts';
import { V1_EVENTS } from './v1/events.ts';

/** The envelope around an event's `data` (contract section 7), in the endpoint's API version. */

const simulated = z.boolean().meta({ description: 'Whether the event was simulated.' });

const onlyOfSamples = z.literal(true).optional().meta({
  description:
    'Only in deliveries of `webhooks/test`: the payload is an example, and the event has not happened. Our addition.',
});

export function v2Envelope(event: EventName, data: z.ZodType<object>) {
  return z.strictObject({
    id: z.string().meta({
      description: 'Unique per event and endpoint, and the same for every attempt; also in `webhook-id`.',
    }),
    event: z.literal(event),
    apiVersion: z.literal(2),
    devMode: simulated,
    eventId: z.string().meta({
      description: 'The id of the event: the same for every endpoint, and in `events/get`. Our addition.',
    }),
    sample: onlyOfSamples,
    data,
  });
}

export function v1Envelope(event: V1EventName, data: z.ZodType<object>) {
  return z.strictObject({ event: z.literal(event), devMode: simulated, sample: onlyOfSamples, data });
}

/** An event to deliver. */
interface ToDeliver extends Recorded {
  readonly eventId: EventId;
  /** Whether the endpoint uses v2. */
  readonly isV2: boolean;
  readonly isSample: boolean;
}

/** An event as recorded. */
interface Recorded {
  readonly eventName: RecordedEventName;
  readonly devMode: boolean;
  /** JSON text in the v2 format. */
  readonly data: string;
}

/**
 * The body for an endpoint. Its bytes are the same for every attempt, because they are signed: v2 bodies
 * contain the stored `data` unchanged, and v1 bodies are derived from it alone.
 */
export function deliveryBody(event: ToDeliver, id: DeliveryId): string {
  if (!event.isV2) return v1Body(event);
  const { eventName, devMode, eventId } = event;
  const head = JSON.stringify({ id, event: eventName, apiVersion: 2, devMode, eventId, ...marked(event) });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}

/** An event's data for an endpoint: in v2, or in v1 if v2 has no such event. */
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
  if (event === null) throw new Error(`v1 has no event for ${eventName}`);
  return { event, data: V1_EVENTS[event].build(recorded, devMode) };
}
