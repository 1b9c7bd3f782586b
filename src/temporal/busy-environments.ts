/** For so long after its last work an environment counts as busy. */
const BUSY_MS = 5_000;

/** A store's dev environment, or its production. */
export interface Environment {
  readonly storeId: string;
  readonly devMode: boolean;
}

/** Production of stores that are not named: a worker knows of its runs only that they are no dev environment's. */
const PRODUCTION = 'production';

/** Knows for which environments this process has had work in the last seconds. */
export class BusyEnvironments {
  /** When each had work last; the last one to work is the last in the map. */
  readonly #lastWorkMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Notes that this environment has work here now. */
  note(environment: Environment | typeof PRODUCTION): void {
    const name = environment === PRODUCTION ? PRODUCTION : nameOf(environment);
    this.#lastWorkMs.delete(name);
    this.#lastWorkMs.set(name, this.#nowMs());
  }

  /** Whether any other environment than this one is busy. */
  othersThan(environment: Environment): boolean {
    this.#forgetIdle();
    // Production as a whole may be this very store's.
    const own = [nameOf(environment), ...(environment.devMode ? [] : [PRODUCTION])];
    const busy = own.filter((name) => this.#lastWorkMs.has(name)).length;
    return this.#lastWorkMs.size > busy;
  }

  #forgetIdle(): void {
    const busySinceMs = this.#nowMs() - BUSY_MS;
    for (const [name, lastMs] of this.#lastWorkMs) {
      if (lastMs >= busySinceMs) return;
      this.#lastWorkMs.delete(name);
    }
  }
}

/** One text that stands for an environment. */
export function nameOf({ storeId, devMode }: Environment): string {
  return `${storeId}/${devMode ? 'dev' : 'prod'}`;
}
