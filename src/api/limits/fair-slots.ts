import { RecentMap } from '../../http/recent-map.ts';
import { noteResumed } from '../../request-cost.ts';
import { ApiError, outOfReach } from '../frame/errors.ts';

const TOO_MANY = 'Too many requests of this store are in progress at the moment; please retry';

function unavailable(): ApiError {
  return outOfReach(TOO_MANY);
}

/** How many turns a part that was not served lately goes before one that was served just now. */
const HEAD_START = 16;

/** Parts of one owner that are remembered while the owner's queue is not empty. */
const MOST_PARTS = 10_000;

/** A limit may grow as time passes, without a request that begins or ends. */
const LOOK_AGAIN_MS = 250;

/** For reads: only the store's own ones are in the way. Programs that take a 429 as the answer lose nothing. */
export function tooManyReads(): ApiError {
  return new ApiError(429, 'TOO_MANY_REQUESTS', TOO_MANY, undefined, { 'Retry-After': '5' });
}

interface SlotLimits<Owner> {
  /** Parallel requests of all owners. */
  readonly count: number;
  /** Parallel requests of one owner at this moment. */
  readonly perOwner: (owner: Owner) => number;
  /** How long a request waits for a slot; null waits without limit. */
  readonly waitMs: number | null;
  /** How long a slot rests after a request that took `tookMs`; without it, slots do not rest. */
  readonly restMs?: (owner: Owner, tookMs: number) => number;
  /** What a request gets that found no slot in time. Without it a 503, which clients that move money repeat. */
  readonly refusal?: () => ApiError;
}

interface Waiting {
  readonly start: () => void;
  readonly part: string;
  /** The turn before which it does not matter when its part was served last. */
  readonly fromTurn: number;
}

interface OwnerQueue {
  running: number;
  /** 0 if no request was served since the owner's queue was last empty. */
  servedAtTurn: number;
  readonly waiting: Waiting[];
  /** How many were served since the owner's queue was last empty. */
  turn: number;
  /** The last turn of each part. */
  readonly partsServedAtTurn: RecentMap<string, number>;
}

/**
 * Limits parallel requests. Their owners, such as stores, take turns: a hundred waiting requests of one owner delay the
 * request of another by one request only.
 */
export class FairSlots<Owner extends string> {
  readonly #limits: SlotLimits<Owner>;
  #running = 0;
  #turn = 0;
  #lookingAgain: NodeJS.Timeout | null = null;
  /** Owners with running or waiting requests. */
  readonly #owners = new Map<Owner, OwnerQueue>();

  constructor(limits: SlotLimits<Owner>) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a slot of this owner.
   * @param part of the owner, such as a member of a store. The parts of an owner take turns, too.
   * @throws ApiError if no slot is free in time; `work` has not run then.
   */
  async run<Result>(owner: Owner, work: () => Promise<Result>, part = ''): Promise<Result> {
    await this.#taken(owner, part);
    // The request that released the slot is another one.
    noteResumed();
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      this.#rest(owner, performance.now() - startedMs);
    }
  }

  #rest(owner: Owner, tookMs: number): void {
    const ms = this.#limits.restMs?.(owner, tookMs) ?? 0;
    if (ms === 0) this.#release(owner);
    else setTimeout(() => this.#release(owner), ms).unref();
  }

  #taken(owner: Owner, part: string): Promise<void> {
    const queue = this.#owners.get(owner) ?? emptyQueue();
    this.#owners.set(owner, queue);
    return new Promise((resolve, reject) => {
      const { waitMs } = this.#limits;
      const giveUp = () => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        this.#forgetIfIdle(owner);
        reject((this.#limits.refusal ?? unavailable)());
      };
      const timer = waitMs === null ? undefined : setTimeout(giveUp, waitMs);
      const waiting: Waiting = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        part,
        fromTurn: queue.turn - HEAD_START,
      };
      queue.waiting.push(waiting);
      this.#startWaiting();
    });
  }

  #release(owner: Owner): void {
    this.#running -= 1;
    const queue = this.#owners.get(owner);
    if (queue !== undefined) queue.running -= 1;
    this.#forgetIfIdle(owner);
    this.#startWaiting();
  }

  /** Starts all that may run, and looks again later if any still wait. */
  #startWaiting(): void {
    while (this.#startNext());
    if (this.#lookingAgain !== null || !this.#doesAnyWait()) return;
    this.#lookingAgain = setTimeout(() => {
      this.#lookingAgain = null;
      this.#startWaiting();
    }, LOOK_AGAIN_MS).unref();
  }

  #doesAnyWait(): boolean {
    return [...this.#owners.values()].some(({ waiting }) => waiting.length > 0);
  }

  /** @returns whether one was started. */
  #startNext(): boolean {
    if (this.#running >= this.#limits.count) return false;
    const queue = this.#nextOwner();
    const next = queue && takeNext(queue);
    if (queue === undefined || next === undefined) return false;
    this.#running += 1;
    this.#turn += 1;
    queue.running += 1;
    queue.servedAtTurn = this.#turn;
    queue.turn += 1;
    queue.partsServedAtTurn.set(next.part, queue.turn);
    next.start();
    return true;
  }

  /** Among waiting owners below their limit, the one whose last turn is the longest ago. */
  #nextOwner(): OwnerQueue | undefined {
    let next: OwnerQueue | undefined;
    for (const [owner, queue] of this.#owners) {
      const mayRun = queue.waiting.length > 0 && queue.running < this.#limits.perOwner(owner);
      if (mayRun && (next === undefined || queue.servedAtTurn < next.servedAtTurn)) next = queue;
    }
    return next;
  }

  #forgetIfIdle(owner: Owner): void {
    const queue = this.#owners.get(owner);
    if (queue?.running === 0 && queue.waiting.length === 0) this.#owners.delete(owner);
  }
}

function emptyQueue(): OwnerQueue {
  return { running: 0, servedAtTurn: 0, waiting: [], turn: 0, partsServedAtTurn: new RecentMap(MOST_PARTS) };
}

/**
 * Removes the first waiting request of the part whose last turn is the longest ago. Parts that were not served lately go in the order in
 * which they came: otherwise a stream of new ones would keep all waiting that were served once.
 */
function takeNext({ waiting, partsServedAtTurn }: OwnerQueue): Waiting | undefined {
  const turnOf = ({ part, fromTurn }: Waiting) => Math.max(fromTurn, partsServedAtTurn.get(part) ?? fromTurn);
  let next = 0;
  for (const [index, other] of waiting.entries()) {
    const first = waiting[next];
    if (first !== undefined && turnOf(other) < turnOf(first)) next = index;
  }
  return waiting.splice(next, 1)[0];
}
