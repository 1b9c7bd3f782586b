import type { EndpointEventName, EventName, V1EventName } from '../domain/event-names.ts';
import { EVENTS, type PublishedEvent } from './events.ts';
import { V1_EVENTS } from './v1/events.ts';

/** The example of an event that an endpoint may subscribe to, in its recorded form. */
export function exampleEvent(name: EndpointEventName): PublishedEvent {
  // The compiler cannot match the name and example of one union member.
  if (name in EVENTS) return { eventName: name, data: EVENTS[name as EventName].example } as PublishedEvent;
  return V1_EVENTS[name as V1EventName].recorded as PublishedEvent;
}
