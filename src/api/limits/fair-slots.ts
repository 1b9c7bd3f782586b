import { ApiError, outOfReach } from '../frame/errors.ts';

const TOO_MANY = 'Too many requests of this store are in progress at the moment; please retry';

function unavailable(): ApiError {
  return outOfReach(TOO_MANY);
}

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
}

interface OwnerQueue {
  running: number;
  /** 0 if no request was served since the owner's queue was last empty. */
  servedAtTurn: number;
  readonly waiting: Waiting[];
}

/**
 * Limits parallel requests. Their owners, such as stores, take turns: a hundred waiting requests of one owner delay the
 * request of another by one request only.
 */
export class FairSlots<Owner extends string> {
  readonly #limits: SlotLimits<Owner>;
  #running = 0;
  #turn = 0;
  /** Owners with running or waiting requests. */
  readonly #owners = new Map<Owner, OwnerQueue>();

  constructor(limits: SlotLimits<Owner>) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a slot of this owner. @throws ApiError if no slot is free in time; `work` has not run
   * then.
   */
  async run<Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> {
    await this.#taken(owner);
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

  #taken(owner: Owner): Promise<void> {
    const queue = this.#owners.get(owner) ?? { running: 0, servedAtTurn: 0, waiting: [] };
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
      };
      queue.waiting.push(waiting);
      this.#startNext();
    });
  }

  #release(owner: Owner): void {
    this.#running -= 1;
    const queue = this.#owners.get(owner);
    if (queue !== undefined) queue.running -= 1;
    this.#forgetIfIdle(owner);
    this.#startNext();
  }

  #startNext(): void {
    if (this.#running >= this.#limits.count) return;
    const queue = this.#nextOwner();
    const next = queue?.waiting.shift();
    if (queue === undefined || next === undefined) return;
    this.#running += 1;
    this.#turn += 1;
    queue.running += 1;
    queue.servedAtTurn = this.#turn;
    next.start();
  }

  /** Among waiting owners below their limit, the one whose last turn is the longest ago. */
  #nextOwner(): OwnerQueue | undefined {
    const mayRun = ([owner, { running, waiting }]: [Owner, OwnerQueue]) =>
      waiting.length > 0 && running < this.#limits.perOwner(owner);
    return [...this.#owners]
      .filter(mayRun)
      .map(([, queue]) => queue)
      .reduce<OwnerQueue | undefined>(
        (first, other) => (first === undefined || other.servedAtTurn < first.servedAtTurn ? other : first),
        undefined,
      );
  }

  #forgetIfIdle(owner: Owner): void {
    const queue = this.#owners.get(owner);
    if (queue?.running === 0 && queue.waiting.length === 0) this.#owners.delete(owner);
  }
}
