import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../../database/orm.ts';
import type { StoreId } from '../../domain/ids.ts';
import { noteReading } from '../../events/event-readers.ts';
import { ApiError, outOfReach } from '../frame/errors.ts';
import { placeToGiveUp } from '../limits/fair-share.ts';
import type { ReadsBesideOthers } from '../limits/reads-beside-others.ts';
import { EventStream, type Subscription } from './event-stream.ts';
import { readOn } from './events-in-order.ts';
import { StoreTurns } from './store-turns.ts';

/** The maximum delay between an event's commit and its sending. Without streams there are no queries. */
const POLL_MS = 500;

/** New events that a round sends to each stream. A stream that has more of them gets those in turns, as old events. */
const NEW_EVENTS = 25;

/** Old events that a stream gets in its turn: large ones take some hundredths of a second of the main thread. */
const OLD_EVENTS = 100;

/** How often open streams refresh the store's record of active readers, which lasts for weeks. */
const NOTED_AGAIN_MS = 3_600_000;

/**
 * Parallel streams per store and process. Enough for a store's developers, and keeps the shared query within
 * milliseconds.
 */
const STREAMS_OF_A_STORE = 10;
const STREAMS_OF_A_PROCESS = 200;

const TRY_AGAIN = { 'Retry-After': '10' };

/**
 * The event streams of one process (`events/stream`, and dashboard pages). Two queries a second serve all
 * streams that are up to date: one for events, one for keys and sessions that ended. Streams that are behind
 * read old events beside that, one page of one stream at a time: stores take turns, and pause while others are
 * busy. An interrupted client resumes after the last event that it processed, so no event is lost.
 */
export class EventStreams {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #open = new Set<EventStream>();
  readonly #turns = new StoreTurns();
  readonly #beside: Pick<ReadsBesideOthers, 'rest'>;
  #round: Promise<void> | null = null;
  #page: Promise<boolean> | null = null;
  #turn = 0;
  #isCatchingUp: boolean = false;
  #nextRound: NodeJS.Timeout | undefined;
  #isClosed: boolean = false;
  #notedMs = performance.now();

  /** @param beside says how long old events pause after each page. */
  constructor(database: Database, log: Logger, beside: Pick<ReadsBesideOthers, 'rest'>) {
    this.#database = database;
    this.#log = log;
    this.#beside = beside;
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
    const stream = new EventStream(subscription, {
      onWanting: ({ isBehind }) => void (isBehind && this.#catchUp()),
      onEnd: (ended) => this.#open.delete(ended),
    });
    this.#open.add(stream);
    this.#wake();
    return stream;
  }

  /** Ends every stream and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextRound);
    for (const stream of this.#open) stream.finish();
    await Promise.all([this.#round, this.#page]);
  }

  /** Runs one round after the other while there are streams. A stream that is opened meanwhile waits for the next one. */
  #wake(): void {
    if (this.#round !== null || this.#nextRound !== undefined) return;
    if (this.#isClosed || this.#open.size === 0) return;
    this.#round = this.#goRound().finally(() => {
      this.#round = null;
      if (!this.#isClosed) this.#nextRound = setTimeout(() => this.#goOn(), POLL_MS).unref();
    });
  }

  #goOn(): void {
    this.#nextRound = undefined;
    this.#wake();
  }

  async #goRound(): Promise<void> {
    try {
      await this.#noteReaders();
      await this.#sendNew();
    } catch (error) {
      this.#log.warn({ err: error }, 'event stream query failed');
    }
    for (const stream of this.#open) stream.beat();
    void this.#catchUp();
  }

  async #endUnserved(open: Iterable<EventStream>): Promise<void> {
    const ofKind = Map.groupBy(open, ({ listener }) => listener.stillServing);
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

  /** Sends what is new to streams that are up to date, and ends those whose key or session has ended. */
  async #sendNew(): Promise<void> {
    const reading = [...this.#open].filter(({ isWanting, isBehind }) => isWanting && !isBehind);
    const pages = reading.length === 0 ? [] : await readOn(this.#database, reading, NEW_EVENTS);
    // After the page was read: a key that has ended receives no event that was recorded later.
    await this.#endUnserved(this.#open);
    for (const [number, stream] of reading.entries()) stream.sendAll(pages[number] ?? [], NEW_EVENTS);
  }

  /** Sends old events until every stream is up to date or its client does not read. After a failure the next round tries again. */
  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    for (let stream = this.#nextBehind(); stream !== undefined; stream = this.#nextBehind()) {
      const startedMs = performance.now();
      this.#page = this.#sendOld(stream);
      if (!(await this.#page)) break;
      await this.#beside.rest(stream.caller.storeId, performance.now() - startedMs);
    }
    this.#isCatchingUp = false;
  }

  /** The stream of the store, and among its streams the one, whose last turn is the longest ago. */
  #nextBehind(): EventStream | undefined {
    if (this.#isClosed) return undefined;
    const behind = [...this.#open].filter(({ isWanting, isBehind }) => isWanting && isBehind);
    const store = this.#turns.take(new Set(behind.map(storeOf)));
    return behind.filter(({ caller }) => caller.storeId === store).sort((a, b) => a.turn - b.turn)[0];
  }

  /** @returns false if it could not be read. */
  async #sendOld(stream: EventStream): Promise<boolean> {
    this.#turn += 1;
    stream.turn = this.#turn;
    try {
      const [page = []] = await readOn(this.#database, [stream], OLD_EVENTS);
      await this.#endUnserved([stream]);
      stream.sendAll(page, OLD_EVENTS);
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, 'event stream query failed');
      return false;
    }
  }
}

const personOf = ({ listener }: EventStream): string | undefined => listener.personId;
const storeOf = ({ caller }: EventStream): StoreId => caller.storeId;

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
