import { outOfReach } from './errors.ts';

interface SlotLimits {
  /** How many requests may run at once, of all stores. */
  readonly count: number;
  /** How many of them may be of one store, just now. */
  readonly perStore: (storeId: string) => number;
  /** How long a request waits for its slot; null for as long as it takes. */
  readonly waitMs: number | null;
}

interface Waiting {
  readonly start: () => void;
}

interface StoreQueue {
  running: number;
  /** 0 where none of its requests was served since it last had nothing to do. */
  servedAtTurn: number;
  readonly waiting: Waiting[];
}

/**
 * Lets a bounded number of requests do the same at once. Stores take turns: a store with a hundred requests waiting
 * delays another store's request by one request, not by a hundred.
 */
export class StoreSlots {
  readonly #limits: SlotLimits;
  #running = 0;
  #turn = 0;
  /** Stores with requests that run or wait. */
  readonly #stores = new Map<string, StoreQueue>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Runs `work` in a slot of this store. @throws ApiError 503 where none came free in time; `work` has not run then. */
  async run<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    await this.#taken(storeId);
    try {
      return await work();
    } finally {
      this.#release(storeId);
    }
  }

  #taken(storeId: string): Promise<void> {
    const queue = this.#stores.get(storeId) ?? { running: 0, servedAtTurn: 0, waiting: [] };
    this.#stores.set(storeId, queue);
    return new Promise((resolve, reject) => {
      const { waitMs } = this.#limits;
      const giveUp = () => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        this.#forgetIfIdle(storeId);
        reject(outOfReach('Too many requests of this store are in progress at the moment; please retry'));
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

  #release(storeId: string): void {
    this.#running -= 1;
    const queue = this.#stores.get(storeId);
    if (queue !== undefined) queue.running -= 1;
    this.#forgetIfIdle(storeId);
    this.#startNext();
  }

  #startNext(): void {
    if (this.#running >= this.#limits.count) return;
    const queue = this.#nextStore();
    const next = queue?.waiting.shift();
    if (queue === undefined || next === undefined) return;
    this.#running += 1;
    this.#turn += 1;
    queue.running += 1;
    queue.servedAtTurn = this.#turn;
    next.start();
  }

  /** Of the stores that wait and may run one more: the one whose last turn is the longest ago. */
  #nextStore(): StoreQueue | undefined {
    const mayRun = ([storeId, { running, waiting }]: [string, StoreQueue]) =>
      waiting.length > 0 && running < this.#limits.perStore(storeId);
    return [...this.#stores]
      .filter(mayRun)
      .map(([, queue]) => queue)
      .reduce<StoreQueue | undefined>(
        (first, other) => (first === undefined || other.servedAtTurn < first.servedAtTurn ? other : first),
        undefined,
      );
  }

  #forgetIfIdle(storeId: string): void {
    const queue = this.#stores.get(storeId);
    if (queue?.running === 0 && queue.waiting.length === 0) this.#stores.delete(storeId);
  }
}
