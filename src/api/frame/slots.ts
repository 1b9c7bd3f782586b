/** Lets a bounded number of requests do the same at once, first come first served. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
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

/** The same of many: each may do one thing at a time, so that none keeps all slots from the others. */
export class SharedSlots {
  readonly #all: Slots;
  readonly #own = new Map<string, { readonly slot: Slots; users: number }>();

  constructor(count: number) {
    this.#all = new Slots(count);
  }

  /** Runs `work` in the turn of `owner`. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#own.get(owner) ?? { slot: new Slots(1), users: 0 };
    this.#own.set(owner, own);
    own.users += 1;
    try {
      return await own.slot.run(() => this.#all.run(work));
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#own.delete(owner);
    }
  }
}
