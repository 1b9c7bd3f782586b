import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { EventView } from '../../../src/api/events/schema.ts';
import { waitFor } from '../waiting/wait-for.ts';
import type { ApiClient } from './api-client.ts';

/** What a client of `events/stream` has been sent. */
export interface Listener extends Disposable {
  readonly headers: Headers;
  readonly events: readonly EventView[];
  readonly messages: readonly EventSourceMessage[];
  /** The last id that was sent, of an event or of where the stream begins. */
  readonly lastId: () => string | null;
  readonly hasEnded: () => boolean;
  /** Resolves once this many events have come. */
  waitForEvents(count: number): Promise<void>;
}

/** Listens to the events of a key. Resolves once everything that happens from then on is sent. */
export async function listen(
  api: ApiClient,
  { query = '', after }: { readonly query?: string; readonly after?: string } = {},
): Promise<Listener> {
  const leaving = new AbortController();
  const response = await fetch(`${api.url}/v2/events/stream${query}`, {
    headers: { Authorization: `Bearer ${api.key}`, ...(after !== undefined && { 'Last-Event-ID': after }) },
    signal: leaving.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  const messages: EventSourceMessage[] = [];
  let lastId: string | null = null;
  let hasEnded = false;
  const stream = response.body.pipeThrough(new TextDecoderStream() as never).pipeThrough(
    new EventSourceParserStream({
      onId: (id) => {
        lastId = id;
      },
    }),
  );
  const read = async () => {
    for await (const message of stream) messages.push(message as EventSourceMessage);
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  await waitFor(() => lastId !== null);
  return {
    headers: response.headers,
    messages,
    get events() {
      return messages.map(({ data }) => JSON.parse(data));
    },
    lastId: () => lastId,
    hasEnded: () => hasEnded,
    waitForEvents: (count) => waitFor(() => messages.length >= count),
    [Symbol.dispose]: () => leaving.abort(),
  };
}
