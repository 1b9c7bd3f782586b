import { Readable } from 'node:stream';
import type { Database } from '../../database/orm.ts';
import type { OptInEventName, RecordedEventName } from '../../domain/event-names.ts';
import type { Caller } from '../keys/caller.ts';
import type { Place, PlacedEvent } from './events-in-order.ts';

/** Shorter than the idle timeout of proxies (usually 60 s) and of this server. */
const HEARTBEAT_MS = 15_000;

/** Buffered bytes per client. A client that stops reading gets further events only once it reads again. */
const BUFFER_BYTES = 256 * 1024;

/** Which listeners are still allowed: valid keys and open sessions. One query checks all of them. */
export type StillServing = (
  database: Database,
  ids: readonly string[],
  now: Date,
) => Promise<ReadonlySet<string>>;

/** A client's request for a stream. */
export interface Subscription {
  readonly caller: Pick<Caller, 'storeId' | 'devMode'>;
  /** The owner of the stream. The stream ends when the key or session becomes invalid. */
  readonly listener: {
    readonly id: string;
    readonly stillServing: StillServing;
    /**
     * The person viewing a page. People of a store share its streams fairly; programs are refused if all
     * streams are taken.
     */
    readonly personId?: string;
  };
  /** Formats an event's lines, apart from its id. */
  readonly format: (event: PlacedEvent) => string;
  /** The stream sends events after this place. */
  readonly place: Place;
  /** Whether events after this place were recorded before the stream was opened. */
  readonly isBehind: boolean;
  /** Null for all events. */
  readonly names: ReadonlySet<RecordedEventName> | null;
  /**
   * Opt-in events that must be recorded for this stream. The caller has registered the reader; the stream
   * renews the registration.
   */
  readonly subscribed: readonly OptInEventName[];
}

/** Who is notified of what a client does. */
interface StreamWatcher {
  /** Called when the client has read enough to be sent more. */
  readonly onWanting: (stream: EventStream) => void;
  readonly onEnd: (stream: EventStream) => void;
}

/** One client's stream. It requests more events only while its client reads. */
export class EventStream extends Readable {
  readonly caller: Subscription['caller'];
  readonly listener: Subscription['listener'];
  place: Place;
  isWanting: boolean = false;
  /** Whether more events are recorded than the last read has returned: they are read in turns with those of other stores. */
  isBehind: boolean;
  /** The number of its last turn; 0 before the first one. */
  turn = 0;
  readonly subscribed: Subscription['subscribed'];
  readonly #names: Subscription['names'];
  readonly #format: Subscription['format'];
  readonly #watcher: StreamWatcher;
  #lastSentMs = performance.now();
  #isFinished: boolean = false;

  constructor(subscription: Subscription, watcher: StreamWatcher) {
    const { caller, listener, place, isBehind, names, subscribed, format } = subscription;
    super({ highWaterMark: BUFFER_BYTES });
    this.caller = caller;
    this.listener = listener;
    this.place = place;
    this.isBehind = isBehind;
    this.#names = names;
    this.subscribed = subscribed;
    this.#format = format;
    this.#watcher = watcher;
    // The position to resume from if the stream ends before its first event.
    this.#push(`id: ${place.id}\n\n`);
  }

  override _read(): void {
    this.isWanting = !this.#isFinished;
    if (this.isWanting) this.#watcher.onWanting(this);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave();
    done(error);
  }

  /** Sends the events of a read. @param limit of that read: if it is reached, more may follow. */
  sendAll(events: readonly PlacedEvent[], limit: number): void {
    for (const event of events) this.#send(event);
    // A client that does not read now will have missed events when it does.
    this.isBehind = events.length === limit || !this.isWanting;
  }

  #send(event: PlacedEvent): void {
    if (this.#isFinished) return;
    const { id, name, recordedIn } = event;
    this.place = { recordedIn, id };
    if (this.#names !== null && !this.#names.has(name)) return;
    this.#push(`id: ${id}\n${this.#format(event)}\n\n`);
  }

  /** Sends a comment, so that proxies do not close an idle connection. */
  beat(): void {
    if (this.isWanting && performance.now() - this.#lastSentMs >= HEARTBEAT_MS) this.#push(':\n\n');
  }

  /** Ends the stream. Buffered events are still sent. */
  finish(): void {
    if (this.#isFinished) return;
    this.#leave();
    this.push(null);
  }

  #leave(): void {
    this.isWanting = false;
    this.#isFinished = true;
    this.#watcher.onEnd(this);
  }

  #push(text: string): void {
    this.#lastSentMs = performance.now();
    if (!this.push(text)) this.isWanting = false;
  }
}
