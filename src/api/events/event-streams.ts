import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../../database/orm.ts';
import type { OptInEventName, RecordedEventName } from '../../domain/event-names.ts';
import { noteReading } from '../../events/event-readers.ts';
import { ApiError, outOfReach } from '../frame/errors.ts';
import type { Caller } from '../keys/caller.ts';
import { placeToGiveUp } from '../limits/fair-share.ts';
import { PAGE, type Place, type PlacedEvent, readOn } from './events-in-order.ts';

/** The maximum delay between an event's commit and its sending. Without streams there are no queries. */
const POLL_MS = 500;

/** Shorter than the idle timeout of proxies (usually 60 s) and of this server. */
const HEARTBEAT_MS = 15_000;

/** How often open streams refresh the store's record of active readers, which lasts for weeks. */
const NOTED_AGAIN_MS = 3_600_000;

/**
 * Parallel streams per store and process. Enough for a store's developers, and keeps the shared query within
 * milliseconds.
 */
const STREAMS_OF_A_STORE = 10;
const STREAMS_OF_A_PROCESS = 200;

/** Buffered bytes per client. A client that stops reading gets further events only once it reads again. */
const BUFFER_BYTES = 256 * 1024;

const TRY_AGAIN = { 'Retry-After': '10' };

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
  /** Null for all events. */
  readonly names: ReadonlySet<RecordedEventName> | null;
  /**
   * Opt-in events that must be recorded for this stream. The caller has registered the reader; the stream
   * renews the registration.
   */
  readonly subscribed: readonly OptInEventName[];
}

/**
 * The event streams of one process (`events/stream`, and dashboard pages). Two queries a second serve all
 * streams: one for events, one for keys and sessions that ended. An interrupted client resumes after the last
 * event that it processed, so no event is lost.
 */
export class EventStreams {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #open = new Set<EventStream>();
  #round: Promise<void> | null = null;
  #nextRound: NodeJS.Timeout | undefined;
  #isClosed: boolean = false;
  #notedMs = performance.now();

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /**
   * Opens a stream of server-sent events. It ends when the client disconnects, its key or session ends, or
   * the process stops.
   * @throws ApiError TOO_MANY_REQUESTS, TEMPORARILY_UNAVAILABLE while the process is stopping.
   */
  open(subscription: Subscription): Readable {
    if (this.#isClosed) throw outOfReach('This server is stopping; please open the stream again');
    const { caller, listener } = subscription;
    // Dashboard viewers and programs have separate limits.
    const ofKind = [...this.#open].filter((open) => open.listener.stillServing === listener.stillServing);
    const ofStore = ofKind.filter((open) => open.caller.storeId === caller.storeId);
    if (ofStore.length >= STREAMS_OF_A_STORE && !makeRoom(ofStore, personOf, listener.personId))
      throw tooMany('of this store are open here');
    if (ofKind.length >= STREAMS_OF_A_PROCESS && !makeRoom(ofKind, storeOf, caller.storeId))
      throw tooMany('are open here');
    const stream = new EventStream(subscription, () => this.#open.delete(stream));
    this.#open.add(stream);
    this.#wake();
    return stream;
  }

  /** Ends every stream and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextRound);
    for (const stream of this.#open) stream.finish();
    await this.#round;
  }

  /** Runs one round after the other while there are streams. */
  #wake(): void {
    clearTimeout(this.#nextRound);
    if (this.#round !== null || this.#isClosed || this.#open.size === 0) return;
    this.#round = this.#goRound().finally(() => {
      this.#round = null;
      if (!this.#isClosed) this.#nextRound = setTimeout(() => this.#wake(), POLL_MS).unref();
    });
  }

  async #goRound(): Promise<void> {
    try {
      await this.#noteReaders();
      while (!this.#isClosed && (await this.#sendNext()));
    } catch (error) {
      this.#log.warn({ err: error }, 'event stream query failed');
    }
    for (const stream of this.#open) stream.beat();
  }

  async #endUnserved(): Promise<void> {
    const ofKind = Map.groupBy(this.#open, ({ listener }) => listener.stillServing);
    for (const [stillServing, streams] of ofKind) {
      const ids = [...new Set(streams.map(({ listener }) => listener.id))];
      const serving = await stillServing(this.#database, ids, new Date());
      for (const stream of streams) if (!serving.has(stream.listener.id)) stream.finish();
    }
  }

  /** Keeps the registration of streams that stay open for months. */
  async #noteReaders(): Promise<void> {
    if (performance.now() - this.#notedMs < NOTED_AGAIN_MS) return;
    this.#notedMs = performance.now();
    const now = new Date();
    for (const { caller, subscribed } of this.#open)
      await noteReading(this.#database, caller, subscribed, now);
  }

  /** @returns whether there may be more events now. */
  async #sendNext(): Promise<boolean> {
    const reading = [...this.#open].filter(({ isWanting }) => isWanting);
    const pages = reading.length === 0 ? [] : await readOn(this.#database, reading);
    // After the page was read: a key that has ended receives no event that was recorded later.
    await this.#endUnserved();
    for (const [number, stream] of reading.entries())
      for (const event of pages[number] ?? []) stream.send(event);
    return pages.some(({ length }) => length === PAGE);
  }
}

const personOf = ({ listener }: EventStream): string | undefined => listener.personId;
const storeOf = ({ caller }: EventStream): string => caller.storeId;

/**
 * Ends the oldest stream of the owner with the most, if the new owner would still have fewer: a person of a store, or a store of the
 * process. A page whose stream ends opens another one, and is then refused; a program resumes where it was.
 * @returns false if every owner has a fair share, or there is no owner: programs of a store take no streams from each other.
 */
function makeRoom(
  streams: readonly EventStream[],
  ownerOf: (stream: EventStream) => string | undefined,
  newOwner: string | undefined,
): boolean {
  if (newOwner === undefined) return false;
  const ended = placeToGiveUp(streams, ownerOf, newOwner);
  ended?.finish();
  return ended !== undefined;
}

function tooMany(which: string): ApiError {
  const message = `Too many streams of events ${which}; end one, or try again`;
  return new ApiError(429, 'TOO_MANY_REQUESTS', message, undefined, TRY_AGAIN);
}

/** One client's stream. It requests more events only while its client reads. */
class EventStream extends Readable {
  readonly caller: Subscription['caller'];
  readonly listener: Subscription['listener'];
  place: Place;
  isWanting: boolean = false;
  readonly subscribed: Subscription['subscribed'];
  readonly #names: Subscription['names'];
  readonly #format: Subscription['format'];
  readonly #onEnd: () => void;
  #lastSentMs = performance.now();
  #isFinished: boolean = false;

  constructor({ caller, listener, place, names, subscribed, format }: Subscription, onEnd: () => void) {
    super({ highWaterMark: BUFFER_BYTES });
    this.caller = caller;
    this.listener = listener;
    this.place = place;
    this.#names = names;
    this.subscribed = subscribed;
    this.#format = format;
    this.#onEnd = onEnd;
    // The position to resume from if the stream ends before its first event.
    this.#push(`id: ${place.id}\n\n`);
  }

  override _read(): void {
    this.isWanting = !this.#isFinished;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave();
    done(error);
  }

  send(event: PlacedEvent): void {
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
    this.#onEnd();
  }

  #push(text: string): void {
    this.#lastSentMs = performance.now();
    if (!this.push(text)) this.isWanting = false;
  }
}
