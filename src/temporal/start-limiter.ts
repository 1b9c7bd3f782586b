import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { type RateLimit, RateLimiter } from '../http/rate-limiter.ts';
import type { BusyEnvironments } from './busy-environments.ts';
import { PacedStarts } from './paced-starts.ts';
import { StartConcurrency } from './start-concurrency.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** Starts of charges and checkouts per process that never wait, for each environment. */
const SHARE: RateLimit = { perSecond: 10, burst: 10 };

type Table = WorkflowStart['table'];

/** Starts that come by the hundred and yield. All other starts are rare, or concern someone's money. */
const GIVE_WAY: ReadonlySet<Table> = new Set(['charges', 'checkouts']);

/** What decides when a start may run. */
export type StartOf = StoreEnvironment & Pick<WorkflowStart, 'table' | 'givesWay'>;

/**
 * Limits the starts of this process. Each environment has a share that starts at once. Starts beyond it yield while
 * others are busy, and run at once otherwise. Payments do not pass this limiter.
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

  /** A charge arrived. */
  noteArrival(): void {
    this.#limiter.noteArrival();
  }

  /** Counts a start towards its environment's share. @returns how it runs: all but `paced` start at once. */
  turnOf(start: StartOf): 'share' | 'alone' | 'paced' {
    // One after the other even if nobody else is busy: the next payment of another store would meet all that had begun at once.
    if (start.givesWay === true) return 'paced';
    if (!GIVE_WAY.has(start.table) || this.#isWithinShare(start)) return 'share';
    return this.#busy.othersThan(start) ? 'paced' : 'alone';
  }

  #isWithinShare(start: StartOf): boolean {
    return this.#shares.take(environmentName(start), performance.now()).isAllowed;
  }

  /**
   * Runs a start when it may.
   * @throws StartPostponed if it could not begin within `waitMs`; what `run` throws.
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

  /** Leaves yielding starts to the sweeper, and resolves when nothing runs or waits any more. */
  async close(): Promise<void> {
    await Promise.all([this.#paced.close(), this.#limiter.idle()]);
  }
}
