import type { z } from 'zod';
import { EVENT_NAMES, type EventName, V1_EVENT_NAMES, type V1EventName } from '../domain/event-names.ts';
import { v1Envelope, v2Envelope } from './envelope.ts';
import { EVENTS } from './events.ts';
import { V1_EVENTS } from './v1/events.ts';

/** One event in the API reference. */
export interface EventDocument {
  readonly name: EventName | V1EventName;
  readonly apiVersion: 1 | 2;
  /** When the event is sent. */
  readonly summary: string;
  /** The schema of the whole payload, with every possible field. */
  readonly schema: z.ZodType;
  readonly example: object;
}

/** Shared by all examples. Real ids are unique per event and endpoint. */
const EXAMPLE_ID = 'log_01KAM3C4D5E6F7G8H9J0K1M2N3';
/** Shared by all examples. Real ids are unique per event. */
const EXAMPLE_EVENT_ID = 'evnt_01KAM3C4D4N3M2K1J0H9G8F7E6';

function v2Document(name: EventName): EventDocument {
  const { summary, data, example } = EVENTS[name];
  const head = { id: EXAMPLE_ID, event: name, apiVersion: 2, devMode: true, eventId: EXAMPLE_EVENT_ID };
  const payload = { ...head, data: example };
  return { name, apiVersion: 2, summary, schema: v2Envelope(name, data), example: payload };
}

function v1Document(name: V1EventName): EventDocument {
  const { summary, data, example } = V1_EVENTS[name];
  const payload = { event: name, devMode: true, data: example };
  return { name, apiVersion: 1, summary, schema: v1Envelope(name, data), example: payload };
}

/** Every event with its payload: v2 events, and v1 events by their own names. */
export const EVENT_DOCUMENTS: readonly EventDocument[] = [
  ...EVENT_NAMES.map(v2Document),
  ...V1_EVENT_NAMES.map(v1Document),
];
