/**
 * Lets a bounded number of requests with an `Idempotency-Key` run at once, first come first served. Each
 * holds a connection of the pool in its transaction while its handler may need a second one; were every
 * connection held so, all of them would wait for each other for ever.
 */
export class KeyedSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param poolSize connections in the pool. Half of them stay for what those requests, and all others, do
   *   besides.
   */
  constructor(poolSize: number) {
    this.#free = Math.max(1, Math.floor(poolSize / 2));
  }

  /** Runs `work` in its turn. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot goes straight to who waits, so that nobody who comes later is faster.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
