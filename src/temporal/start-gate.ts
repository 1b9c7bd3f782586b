import type { BusyEnvironments, Environment } from './busy-environments.ts';
import { PacedStarts } from './paced-starts.ts';
import { StartLimiter } from './start-limiter.ts';
import { type StartKind, StartShares } from './start-shares.ts';
import type { WorkflowStart } from './workflow-start.ts';

type Table = WorkflowStart['table'];

/** What is asked for by the hundred, and gives way. All other starts are rare, or somebody's money. */
const KINDS: Partial<Record<Table, StartKind>> = {
  charges: 'charges',
  checkouts: 'charges',
  deliveries: 'deliveries',
};

/**
 * How recently others must have had work for starts to give way to them. A code that is started sleeps; a webhook that is
 * started now is sent, and where its endpoint hangs it is work for half a minute.
 */
const BUSY_WITHIN_MS: Readonly<Record<StartKind, number>> = { charges: 5_000, deliveries: 30_000 };

/** What of a start decides when its turn is. */
export type StartOf = Environment & Pick<WorkflowStart, 'table'>;

/**
 * Where starts wait for their turn in this process. Each environment has a share that goes at once. What exceeds it gives way
 * while others are busy, and goes at once as well while nobody else is. Payments do not come through here.
 */
export class StartGate {
  readonly #busy: BusyEnvironments;
  readonly #shares = new StartShares();
  readonly #limiter = new StartLimiter();
  readonly #paced: PacedStarts;

  constructor(busy: BusyEnvironments) {
    this.#busy = busy;
    this.#paced = new PacedStarts((environment, kind) => busy.othersThan(environment, BUSY_WITHIN_MS[kind]));
  }

  /** A charge came in. */
  noteArrival(): void {
    this.#limiter.noteArrival();
  }

  /**
   * Counts a start towards its environment's share.
   * @returns `share` and `alone` for one that goes at once, else what it is paced as.
   */
  turnOf(start: StartOf): 'share' | 'alone' | StartKind {
    const kind = KINDS[start.table];
    if (kind === undefined || this.#shares.take(start, kind)) return 'share';
    return this.#busy.othersThan(start, BUSY_WITHIN_MS[kind]) ? kind : 'alone';
  }

  /**
   * Runs a start in its turn.
   * @throws StartPostponed if none came within `waitMs`; what `run` throws.
   */
  async run<Result>(start: StartOf, run: () => Promise<Result>, waitMs?: number): Promise<Result> {
    const turn = this.turnOf(start);
    if (turn !== 'share' && turn !== 'alone') return this.pace(start, turn, run, waitMs);
    await this.#limiter.enter(turn === 'share');
    try {
      return await run();
    } finally {
      this.#limiter.leave();
    }
  }

  /** Runs a start behind those that give way already. @throws as {@link run} does. */
  pace<Result>(
    start: StartOf,
    kind: StartKind,
    run: () => Promise<Result>,
    waitMs?: number,
  ): Promise<Result> {
    return this.#paced.run(start, kind, run, waitMs);
  }

  /** Leaves to the sweeper what gives way, and resolves when nothing runs or waits any more. */
  async close(): Promise<void> {
    await Promise.all([this.#paced.close(), this.#limiter.idle()]);
  }
}
