import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { type RateLimit, RateLimiter } from '../traffic/rate-limiter.ts';
import type { BusyEnvironments } from './busy-environments.ts';
import { PacedStarts } from './paced-starts.ts';
import { StartConcurrency } from './start-concurrency.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** Starts of charges and checkouts, in each process, for which an environment never waits. */
const SHARE: RateLimit = { perSecond: 10, burst: 10 };

type Table = WorkflowStart['table'];

/** What is asked for by the hundred, and gives way. All other starts are rare, or news of somebody's money. */
const GIVE_WAY: ReadonlySet<Table> = new Set(['charges', 'checkouts']);

/** What of a start decides when its turn is. */
export type StartOf = StoreEnvironment & Pick<WorkflowStart, 'table'>;

/**
 * Where starts wait for their turn in this process. Each environment has a share that goes at once. What exceeds it gives way
 * while others are busy, and goes at once as well while nobody else is. Payments do not come through here.
 */
export class StartLimiter {
  readonly #busy: BusyEnvironments;
  readonly #shares = new RateLimiter(SHARE);
  readonly #limiter = new StartConcurrency();
  readonly #paced: PacedStarts;

  constructor(busy: BusyEnvironments) {
    this.#busy = busy;
    this.#paced = new PacedStarts((environment) => busy.othersThan(environment));
  }

  /** A charge came in. */
  noteArrival(): void {
    this.#limiter.noteArrival();
  }

  /** Counts a start towards its environment's share. @returns what it goes by: all but `paced` go at once. */
  turnOf(start: StartOf): 'share' | 'alone' | 'paced' {
    if (!GIVE_WAY.has(start.table) || this.#shares.take(environmentName(start), performance.now()).isAllowed)
      return 'share';
    return this.#busy.othersThan(start) ? 'paced' : 'alone';
  }

  /**
   * Runs a start in its turn.
   * @throws StartPostponed if none came within `waitMs`; what `run` throws.
   */
  async run<Result>(start: StartOf, run: () => Promise<Result>, waitMs?: number): Promise<Result> {
    const turn = this.turnOf(start);
    if (turn === 'paced') return this.#paced.run(start, run, waitMs);
    await this.#limiter.enter(turn === 'share');
    try {
      return await run();
    } finally {
      this.#limiter.leave();
    }
  }

  /** Leaves to the sweeper what gives way, and resolves when nothing runs or waits any more. */
  async close(): Promise<void> {
    await Promise.all([this.#paced.close(), this.#limiter.idle()]);
  }
}
