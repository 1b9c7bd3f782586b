import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';

/** For so long after its last work an environment counts as busy. */
const BUSY_MS = 5_000;

/** Production of stores that are not named: a worker knows of its runs only that they are no dev environment's. */
const PRODUCTION = 'production';

/** An environment has two names at most, so the last one to work that is not it is among the last three. */
const REMEMBERED = 3;

interface Work {
  readonly name: string;
  readonly atMs: number;
}

/** Knows for which environments this process had work last. */
export class BusyEnvironments {
  /** The latest first, each name once. */
  #latest: readonly Work[] = [];
  readonly #nowMs: () => number;

  /** @param nowMs a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Notes that this environment has work here now. */
  note(environment: StoreEnvironment | typeof PRODUCTION): void {
    const name = environment === PRODUCTION ? PRODUCTION : environmentName(environment);
    const others = this.#latest.filter((work) => work.name !== name);
    this.#latest = [{ name, atMs: this.#nowMs() }, ...others].slice(0, REMEMBERED);
  }

  /** Whether any other environment than this one has had work lately. */
  othersThan(environment: StoreEnvironment): boolean {
    const own = environmentName(environment);
    // Production as a whole may be this very store's.
    const isOther = ({ name }: Work) => name !== own && (environment.devMode || name !== PRODUCTION);
    const latest = this.#latest.find(isOther);
    return latest !== undefined && this.#nowMs() - latest.atMs < BUSY_MS;
  }
}
