import type { Webhook } from '../../database/entities/webhook.ts';
import { type EndpointEventName, eventNamesFor, eventVersionOf } from '../../domain/event-names.ts';
import type { PublishedEvent } from '../../events/events.ts';
import { exampleEvent } from '../../events/example-event.ts';
import { invalid } from '../frame/errors.ts';

/**
 * The example of an event, in its recorded form. @param name default: the first event that the webhook is
 * subscribed to.
 * @throws ApiError VALIDATION_ERROR if the webhook's API version has no such event.
 */
export function sampleOf(
  webhook: Pick<Webhook, 'v2' | 'events'>,
  name = webhook.events[0] as EndpointEventName,
): PublishedEvent {
  requireEvents(webhook, [name], () => 'event');
  return exampleEvent(name);
}

/**
 * Refuses an event of another API version than the webhook's.
 * @param pathOf the field of the event at an index.
 * @throws ApiError VALIDATION_ERROR
 */
export function requireEvents(
  webhook: Pick<Webhook, 'v2'>,
  names: readonly EndpointEventName[],
  pathOf: (index: number) => string,
): void {
  const known = eventNamesFor(webhook);
  const index = names.findIndex((name) => !known.includes(name));
  if (index < 0) return;
  throw invalid(pathOf(index), `must be an event of ${eventVersionOf(webhook)}, as this webhook is`);
}
