import { outOfReach } from '../frame/errors.ts';

interface SlotLimits {
  /** Parallel requests across all stores. */
  readonly count: number;
  /** Parallel requests of one store at this moment. */
  readonly perStore: (storeId: string) => number;
  /** How long a request waits for a slot; null waits without limit. */
  readonly waitMs: number | null;
}

interface Waiting {
  readonly start: () => void;
}

interface StoreQueue {
  running: number;
  /** 0 if no request was served since the store's queue was last empty. */
  servedAtTurn: number;
  readonly waiting: Waiting[];
}

/**
 * Limits parallel requests. Stores take turns: a hundred waiting requests of one store delay another store's
 * request by one request only.
 */
export class StoreSlots {
  readonly #limits: SlotLimits;
  #running = 0;
  #turn = 0;
  /** Stores with running or waiting requests. */
  readonly #stores = new Map<string, StoreQueue>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a slot of this store. @throws ApiError 503 if no slot is free in time; `work` has not run
   * then.
   */
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

  /** Among waiting stores below their limit, the one whose last turn is the longest ago. */
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
