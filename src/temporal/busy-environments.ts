import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';

/** How long an environment counts as busy after its last work. */
const BUSY_MS = 5_000;

/**
 * The same for reads and pages, which give way to others: most stores send a request now and then, and each of these would otherwise meet
 * all that others read while nobody seems to need the process.
 */
export const EXPECTED_MS = 60_000;

/** Production of unnamed stores: a worker knows only that their runs do not belong to a dev environment. */
const PRODUCTION = 'production';

/** An environment has at most two names, so one of the last three belongs to another environment. */
const REMEMBERED = 3;

/** The pause after work that gives way to others, relative to its duration: it takes at most a quarter of the time. */
const REST_PART = 3;

/** The duration of work that hung does not show how busy the process is. */
const LONGEST_REST_MS = 2_000;

/** How long work that gives way to others pauses after a piece that took `tookMs`. */
export function restMsAfter(tookMs: number): number {
  return Math.min(tookMs * REST_PART, LONGEST_REST_MS);
}

interface Work {
  readonly name: string;
  readonly atMs: number;
}

/** Remembers which environments had work in this process last. */
export class BusyEnvironments {
  /** The latest first, each name once. */
  #latest: readonly Work[] = [];
  /** The same for what was read only. */
  #latestReads: readonly Work[] = [];
  readonly #nowMs: () => number;

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Records that this environment has work here now. */
  note(environment: StoreEnvironment | typeof PRODUCTION): void {
    const name = environment === PRODUCTION ? PRODUCTION : environmentName(environment);
    this.#latest = this.#noted(name, this.#latest);
  }

  /** Records that somebody reads of this environment now. Other reads give way to it, and starts of workflows do not. */
  noteRead(environment: StoreEnvironment): void {
    this.#latestReads = this.#noted(environmentName(environment), this.#latestReads);
  }

  /** Whether any environment has had work lately. */
  any(withinMs = BUSY_MS): boolean {
    return this.#isRecent(this.#latest[0], withinMs);
  }

  /** Whether any other environment has had work lately. */
  othersThan(environment: StoreEnvironment, withinMs = BUSY_MS): boolean {
    return this.#hasOther(environment, this.#latest, withinMs);
  }

  /** Whether any other environment was read of lately. */
  readersOtherThan(environment: StoreEnvironment, withinMs = BUSY_MS): boolean {
    return this.#hasOther(environment, this.#latestReads, withinMs);
  }

  #noted(name: string, latest: readonly Work[]): readonly Work[] {
    const others = latest.filter((work) => work.name !== name);
    return [{ name, atMs: this.#nowMs() }, ...others].slice(0, REMEMBERED);
  }

  #hasOther(environment: StoreEnvironment, latest: readonly Work[], withinMs: number): boolean {
    const own = environmentName(environment);
    // Unnamed production may be this store's own.
    const isOther = ({ name }: Work) => name !== own && (environment.devMode || name !== PRODUCTION);
    return this.#isRecent(latest.find(isOther), withinMs);
  }

  #isRecent(work: Work | undefined, withinMs: number): boolean {
    return work !== undefined && this.#nowMs() - work.atMs < withinMs;
  }
}
