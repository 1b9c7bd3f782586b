import { type RecordedEventName, v1EventNameOf } from '../domain/event.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { v1Data } from './v1/events.ts';

/** What is sent of an event. */
export interface Told {
  readonly eventName: RecordedEventName;
  readonly devMode: boolean;
  /** As v2 tells it, as JSON text. */
  readonly data: string;
  /** Whether the endpoint is of v2. */
  readonly isV2: boolean;
}

/**
 * The envelope of the endpoint's version (contract section 7) as text, of the same bytes at every attempt, as they are signed: in
 * v2 the stored `data` is put in as it is, and what v1 tells follows from it alone.
 */
export function deliveryBody({ eventName, devMode, data, isV2 }: Told, deliveryId: DeliveryId): string {
  if (!isV2) {
    const told = JSON.parse(data);
    const event = v1EventNameOf(eventName, told);
    return JSON.stringify({ event, devMode, data: v1Data(event, told, devMode) });
  }
  const head = JSON.stringify({ id: deliveryId, event: eventName, apiVersion: 2, devMode });
  return `${head.slice(0, -1)},"data":${data}}`;
}
