import type { z } from 'zod';
import { EVENT_NAMES, type EventName, V1_EVENT_NAMES, type V1EventName } from '../domain/event.ts';
import { v1Envelope, v2Envelope } from './envelope.ts';
import { EVENTS } from './events.ts';
import { V1_EVENTS } from './v1/events.ts';

/** What the API reference says of one event. */
export interface EventDocument {
  readonly name: EventName | V1EventName;
  readonly apiVersion: 1 | 2;
  /** When it is sent. */
  readonly summary: string;
  /** Of the whole payload; it knows every field that there may be. */
  readonly schema: z.ZodType;
  readonly example: object;
}

/** The same in every example: an id is unique per event and endpoint, so that no two have it in truth. */
const EXAMPLE_ID = 'log_01KAM3C4D5E6F7G8H9J0K1M2N3';
/** In truth every event has its own. */
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

/** Every event with its payload: those of v2, and those of v1 by their own names. */
export const EVENT_DOCUMENTS: readonly EventDocument[] = [
  ...EVENT_NAMES.map(v2Document),
  ...V1_EVENT_NAMES.map(v1Document),
];
