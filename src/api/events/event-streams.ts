import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { noteReading } from '../../database/event-readers.ts';
import type { Database } from '../../database/orm.ts';
import type { OptInEventName, RecordedEventName } from '../../domain/event.ts';
import type { Caller } from '../frame/caller.ts';
import { ApiError, outOfReach } from '../frame/errors.ts';
import { PAGE, type Place, type PlacedEvent, readOn } from './events-in-order.ts';

/** How soon after its commit an event is sent, at the latest. Nothing is asked for while nobody listens. */
const POLL_MS = 500;

/** More often than proxies cut off what is silent (60 s as a rule), and this server too. */
const HEARTBEAT_MS = 15_000;

/** How often it is noted that they are still read, which is remembered for weeks. */
const NOTED_AGAIN_MS = 3_600_000;

/** Streams at a time, in each process: for a store's developers, and a statement that takes milliseconds. */
const STREAMS_OF_A_STORE = 10;
const STREAMS_OF_A_PROCESS = 200;

/** What waits in memory for a client that does not read; it is read on for them once they do. */
const BUFFER_BYTES = 256 * 1024;

const TRY_AGAIN = { 'Retry-After': '10' };

/** Which of those who listen may go on: keys that still serve, sessions that have not ended. Postgres is asked for all of them at once. */
export type StillServing = (
  database: Database,
  ids: readonly string[],
  now: Date,
) => Promise<ReadonlySet<string>>;

/** What one client is sent. */
export interface Subscription {
  readonly caller: Pick<Caller, 'storeId' | 'devMode'>;
  /** Whose stream it is. It ends when they serve no longer. */
  readonly listener: {
    readonly id: string;
    readonly stillServing: StillServing;
    /** The person who looks at a page. People of a store share its streams fairly; programs are refused when all are taken. */
    readonly personId?: string;
  };
  /** The lines of an event, besides its id. */
  readonly format: (event: PlacedEvent) => string;
  /** After which event it begins. */
  readonly place: Place;
  /** Null for all. */
  readonly names: ReadonlySet<RecordedEventName> | null;
  /** What is to be recorded for it that else is not. Whoever opens it has noted so; here it is noted on. */
  readonly subscribed: readonly OptInEventName[];
}

/**
 * The streams of events of one process (`events/stream`, and pages of the dashboard). However many there are, Postgres is
 * asked twice a second: for the events of them all, and for keys and sessions that have ended. A stream that ends loses nothing, as
 * its client begins the next one after the last event that it has handled.
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
   * Begins a stream of server-sent events. It ends with its client, with its key or session, and with the process.
   * @throws ApiError TOO_MANY_REQUESTS, TEMPORARILY_UNAVAILABLE while the process is stopping.
   */
  open(subscription: Subscription): Readable {
    if (this.#isClosed) throw outOfReach('This server is stopping; please begin the stream again');
    const { caller, listener } = subscription;
    // People who look at the dashboard take no stream from programs.
    const ofKind = [...this.#open].filter((open) => open.listener.stillServing === listener.stillServing);
    const ofStore = ofKind.filter((open) => open.caller.storeId === caller.storeId);
    if (ofStore.length >= STREAMS_OF_A_STORE && !makeRoom(ofStore, listener))
      throw tooMany('of this store are open here');
    if (ofKind.length >= STREAMS_OF_A_PROCESS) throw tooMany('are open here');
    const stream = new EventStream(subscription, () => this.#open.delete(stream));
    this.#open.add(stream);
    this.#wake();
    return stream;
  }

  /** Ends every stream, and lets none begin. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextRound);
    for (const stream of this.#open) stream.finish();
    await this.#round;
  }

  /** One round after the other, for as long as there is a stream. */
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
      // Asked before each page: nothing that is read after a key has ended is sent to it.
      do await this.#endUnserved();
      while (!this.#isClosed && (await this.#sendNext()));
    } catch (error) {
      this.#log.warn({ err: error }, 'events could not be read for those who listen');
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

  /** Of streams that are open for months. */
  async #noteReaders(): Promise<void> {
    if (performance.now() - this.#notedMs < NOTED_AGAIN_MS) return;
    this.#notedMs = performance.now();
    const now = new Date();
    for (const { caller, subscribed } of this.#open)
      await noteReading(this.#database, caller, subscribed, now);
  }

  /** @returns whether there may be more at once. */
  async #sendNext(): Promise<boolean> {
    const reading = [...this.#open].filter(({ isWanting }) => isWanting);
    if (reading.length === 0) return false;
    const pages = await readOn(this.#database, reading);
    for (const [number, stream] of reading.entries())
      for (const event of pages[number] ?? []) stream.send(event);
    return pages.some(({ length }) => length === PAGE);
  }
}

/**
 * Ends the oldest stream of the person who has the most, if the newcomer would still have fewer than they keep. A page
 * whose stream was ended asks for another one, and is refused then.
 * @returns false if everybody has a fair share, or the newcomer is a program.
 */
function makeRoom(streams: readonly EventStream[], { personId }: Subscription['listener']): boolean {
  if (personId === undefined) return false;
  const byPerson = Map.groupBy(streams, ({ listener }) => listener.personId);
  const [most = []] = [...byPerson.values()].sort((a, b) => b.length - a.length);
  const own = byPerson.get(personId) ?? [];
  if (own.length + 1 >= most.length) return false;
  most[0]?.finish();
  return true;
}

function tooMany(which: string): ApiError {
  const message = `Too many streams of events ${which}; end one, or try again`;
  return new ApiError(429, 'TOO_MANY_REQUESTS', message, undefined, TRY_AGAIN);
}

/** One client's stream. It is asked for more only while its client reads. */
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
    // From where to go on, should it end before its first event.
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

  /** A comment now and then, so that nobody on the way takes the connection for a dead one. */
  beat(): void {
    if (this.isWanting && performance.now() - this.#lastSentMs >= HEARTBEAT_MS) this.#push(':\n\n');
  }

  /** Nothing more will come. What is on its way still arrives. */
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
