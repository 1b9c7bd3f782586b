import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Api, ApiFailure } from './api.ts';

/** An event as sent by `events/stream`. */
export interface StreamedEvent {
  readonly id: string;
  readonly name: string;
  readonly devMode: boolean;
  readonly data: object;
  readonly createdAt: string;
}

export interface Listening {
  readonly api: Api;
  /** Null for all. */
  readonly names: string | null;
  readonly signal: AbortSignal;
  /** The stream begins after this event; null to begin with new ones. */
  readonly after: string | null;
  /** Awaited before the next event. An event whose call did not finish is received again after a reconnect. */
  onEvent(event: StreamedEvent): Promise<void>;
  /** The stream is open. */
  onOpen(): void;
  /** The events up to this one have been handled. */
  onPosition(id: string): void;
  /** The event to begin after is not stored any more, so the stream begins with new ones. */
  onForgotten(): void;
  onCut(reason: string, waitMs: number): void;
}

/** The service sends something every 15 seconds, so a silent connection is dead whatever the network reports. */
const SILENCE_MS = 40_000;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Receives events until the signal aborts. After a disconnect it resumes after the last handled event, so no event is missed.
 * @throws ApiFailure if a retry cannot help: the key, the permission, the names.
 */
export async function listen(listening: Listening): Promise<void> {
  const { api, signal } = listening;
  let lastId = listening.after;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const silence = new AbortController();
    const either = AbortSignal.any([signal, silence.signal]);
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const query = listening.names === null ? '' : `?names=${encodeURIComponent(listening.names)}`;
      const headers: Record<string, string> = lastId === null ? {} : { 'Last-Event-ID': lastId };
      const { body } = await api.send(`events/stream${query}`, { headers, signal: either });
      if (body === null) throw new Error('the stream is empty');
      listening.onOpen();
      waitMs = FIRST_WAIT_MS;
      let begunAt: string | null = null;
      const begin = (id: string) => {
        if (begunAt !== null) return;
        begunAt = id;
        if (lastId === null) listening.onPosition(id);
      };
      const messages = body
        .pipeThrough(watched(() => timer.refresh()))
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream({ onId: begin }));
      for await (const { data } of messages) {
        lastId ??= begunAt;
        const event = JSON.parse(data) as StreamedEvent;
        await listening.onEvent(event);
        lastId = event.id;
        listening.onPosition(lastId);
      }
      lastId ??= begunAt;
      throw new Error('the service closed the stream');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiFailure && error.code === 'NOT_FOUND' && lastId !== null) {
        lastId = null;
        listening.onForgotten();
        continue;
      }
      if (error instanceof ApiFailure && isFinal(error)) throw error;
      const reason = silence.signal.aborted ? 'the service sent nothing' : messageOf(error);
      listening.onCut(reason, waitMs);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Calls `onBytes` for every chunk. */
function watched(onBytes: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      onBytes();
      controller.enqueue(chunk);
    },
  });
}

/** Outages, rate limits and restarts are temporary. */
function isFinal({ status }: ApiFailure): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 429 && status !== 408;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
