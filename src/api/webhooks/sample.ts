import type { Webhook } from '../../database/entities/webhook.ts';
import { type EventName, V1_EVENT_NAMES, type V1EventName } from '../../domain/event.ts';
import { EVENTS, type PublishedEvent } from '../../events/events.ts';
import { V1_EVENTS } from '../../events/v1/events.ts';
import { invalid } from '../frame/errors.ts';

/**
 * The example of an event, in its recorded form. @param name default: the first event that the webhook is
 * subscribed to.
 * @throws ApiError VALIDATION_ERROR if the webhook's API version has no such event.
 */
export function sampleOf(
  { v2, events }: Pick<Webhook, 'v2' | 'events'>,
  name: EventName | V1EventName = events[0] as EventName,
): PublishedEvent {
  if (v2) requireName(isV2Name(name), 'v2');
  else requireName(isV1Name(name), 'v1');
  // The compiler cannot match the name and example of one union member.
  if (!v2) return V1_EVENTS[name as V1EventName].recorded as PublishedEvent;
  return { eventName: name, data: EVENTS[name as EventName].example } as PublishedEvent;
}

/** No name exists in both versions. */
export function isV2Name(name: string): name is EventName {
  return name in EVENTS;
}

export function isV1Name(name: string): name is V1EventName {
  return V1_EVENT_NAMES.some((known) => known === name);
}

function requireName(isKnown: boolean, version: 'v1' | 'v2'): void {
  if (!isKnown) throw invalid('event', `must be an event of ${version}, as this webhook is`);
}
