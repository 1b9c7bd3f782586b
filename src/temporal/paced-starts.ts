import { availableParallelism } from 'node:os';
import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { restMsAfter } from './busy-environments.ts';

/** Starts may use half of the processor's cores at a time; a pause follows each start. */
const SLOTS = Math.max(1, Math.floor(availableParallelism() / 2));

/** How long a start waits at most; then the sweeper starts it. */
export const LONGEST_WAIT_MS = 4_000;

/** Waiting starts of one environment in memory, at most. */
const MOST_WAITING = 500;

/** The start found no slot in time. Its row is stored, and the sweeper starts its workflow. */
export class StartPostponed extends Error {
  constructor() {
    super('The start gives way to work of others');
    this.name = 'StartPostponed';
  }
}

interface Waiting {
  readonly environment: StoreEnvironment;
  readonly begin: () => Promise<unknown>;
  readonly giveUp: () => void;
}

/**
 * Starts beyond their environment's share while others are busy. They run one after the other in a few queues with
 * a pause after each, so they use a fixed part of the machine however expensive a start is. Environments alternate.
 */
export class PacedStarts {
  readonly #othersThan: (environment: StoreEnvironment) => boolean;
  readonly #slots: number;
  #occupied = 0;
  readonly #starting = new Set<Promise<unknown>>();
  /** The next environment comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** @param othersThan whether any other environment than this one is busy. */
  constructor(othersThan: (environment: StoreEnvironment) => boolean, slots = SLOTS) {
    this.#othersThan = othersThan;
    this.#slots = slots;
  }

  /**
   * Runs a start when its slot comes.
   * @throws StartPostponed if none came within `waitMs`; what `start` throws.
   */
  run<Result>(
    environment: StoreEnvironment,
    start: () => Promise<Result>,
    waitMs = LONGEST_WAIT_MS,
  ): Promise<Result> {
    const name = environmentName(environment);
    const queue = this.#waiting.get(name) ?? [];
    if (queue.length >= MOST_WAITING) return Promise.reject(new StartPostponed());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const giveUp = () => {
      this.#remove(name, waiting);
      reject(new StartPostponed());
    };
    const timer = setTimeout(giveUp, waitMs).unref();
    const begin = () => {
      clearTimeout(timer);
      return start().then(resolve, reject);
    };
    const waiting: Waiting = { environment, begin, giveUp };
    queue.push(waiting);
    this.#waiting.set(name, queue);
    this.#fillSlots();
    return promise;
  }

  /** Leaves waiting starts to the sweeper. Resolves when no start is running any more. */
  async close(): Promise<void> {
    for (const { giveUp } of [...this.#waiting.values()].flat()) giveUp();
    await Promise.all(this.#starting);
  }

  #fillSlots(): void {
    while (this.#occupied < this.#slots) {
      const next = this.#takeNext();
      if (next === null) return;
      this.#occupied += 1;
      void this.#occupy(next);
    }
  }

  async #occupy({ environment, begin }: Waiting): Promise<void> {
    const beganMs = performance.now();
    const started = begin();
    this.#starting.add(started);
    await started;
    this.#starting.delete(started);
    const tookMs = performance.now() - beganMs;
    const restMs = this.#othersThan(environment) ? restMsAfter(tookMs) : 0;
    setTimeout(() => {
      this.#occupied -= 1;
      this.#fillSlots();
    }, restMs).unref();
  }

  /** The next start of the first environment, which then moves to the end. */
  #takeNext(): Waiting | null {
    for (const [name, queue] of this.#waiting) {
      const next = queue.shift();
      this.#waiting.delete(name);
      if (queue.length > 0) this.#waiting.set(name, queue);
      if (next !== undefined) return next;
    }
    return null;
  }

  #remove(name: string, waiting: Waiting): void {
    const queue = this.#waiting.get(name);
    const index = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || index === -1) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(name);
  }
}
