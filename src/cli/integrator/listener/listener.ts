import { EVENT_NAMES, type EventName } from '../../../domain/event-names.ts';
import type { EventId } from '../../../domain/ids.ts';
import type { Forwarded } from '../forward.ts';
import type { StreamedEvent } from '../listen.ts';

/** What to listen to, and where to. */
export interface Listener {
  readonly forwardTo: URL | null;
  /** Separated by commas; null for all. */
  readonly names: string | null;
  readonly secret: string;
  /** As given; undefined continues where the last run of the same listener ended. */
  readonly since: string | undefined;
}

/** Events that exist only in API v1 have no v2 format. */
export function isForwarded(
  event: StreamedEvent,
): event is StreamedEvent & { readonly id: EventId; readonly name: EventName } {
  return (EVENT_NAMES as readonly string[]).includes(event.name);
}

/** For example `200  12 ms`. */
export function resultText(result: Forwarded | undefined): string {
  if (result === undefined) return '';
  const { statusCode, durationMs, error } = result;
  return `${statusCode ?? '---'}  ${durationMs} ms${error === null ? '' : `  ${error}`}`;
}
