import { z } from 'zod';
import type { EventName, V1EventName } from '../domain/event.ts';

/** What the API reference says of one event. */
export interface EventDocument {
  readonly name: EventName | V1EventName;
  /** When it is sent. */
  readonly summary: string;
  /** Of the whole payload; it knows every field that there may be. */
  readonly schema: z.ZodType;
  readonly example: object;
}

/** The same in every example: an id is unique per event and endpoint, so that no two have it in truth. */
const EXAMPLE_ID = 'log_01KAM3C4D5E6F7G8H9J0K1M2N3';

const devMode = z.boolean().meta({ description: 'Whether it was simulated.' });

/** Puts the envelope of v2 (contract section 7) around an event's `data`. */
export function eventDocument<Data extends z.ZodType<object>>(
  name: EventName,
  summary: string,
  data: Data,
  example: z.output<Data>,
): EventDocument {
  const schema = z.strictObject({
    id: z.string().meta({
      description: 'Unique per event and endpoint, and the same at every attempt; also in `webhook-id`.',
    }),
    event: z.literal(name),
    apiVersion: z.literal(2),
    devMode,
    data,
  });
  const envelope = { id: EXAMPLE_ID, event: name, apiVersion: 2, devMode: true };
  return { name, summary, schema, example: { ...envelope, data: example } };
}

/** Puts the envelope of v1 around it. */
export function v1EventDocument<Data extends z.ZodType<object>>(
  name: V1EventName,
  summary: string,
  data: Data,
  example: z.output<Data>,
): EventDocument {
  const schema = z.strictObject({ event: z.literal(name), devMode, data });
  return { name, summary, schema, example: { event: name, devMode: true, data: example } };
}
