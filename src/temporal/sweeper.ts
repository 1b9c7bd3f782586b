import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ChargeEntity } from '../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../database/entities/refund.ts';
import type { Database, Em } from '../database/orm.ts';
import type { ChargeUpdates } from './charge.ts';
import type { ClockKeeper } from './clock/keep-clocks.ts';
import { forgottenStarts } from './forgotten-starts.ts';
import { STARTED_TABLES, type WorkflowStart } from './workflow-start.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

const TABLES = Object.keys(STARTED_TABLES) as WorkflowStart['table'][];

/** How often a worker looks for what fell between two steps. */
const SWEEP_EVERY_MS = 2_000;
/**
 * Younger rows are still with the process that inserted them. Rows of the future are those of a store whose clock was
 * moved: how old they are is not known, and what is started twice is started once.
 */
const PATIENCE_MS = 5_000;
/**
 * Rows taken at once. They stay locked while they are started, so that other workers sweep other rows, but
 * not for long.
 */
const BATCH = 50;
/** By then the first attempt at a webhook has been made, unless its run was lost or its endpoint is slow. */
const UNATTEMPTED_MS = 60_000;
/** Few, as most of them have a run that is about to make it: they are looked at once a minute at most. */
const UNATTEMPTED_BATCH = 10;
/** What news told again may take in one sweep; the next one goes on. */
const TEMPORAL_TIMEOUT_MS = 10_000;

/** News that somebody has to take in, such as payments, and that are told until then. */
export interface Notices {
  /** Tells again what is older than `changedBefore`: at most `limit` of them. */
  notifyAgain(changedBefore: Date, limit: number): Promise<void>;
}

export interface SweeperDeps {
  readonly client: Client;
  readonly database: Database;
  readonly starter: Pick<WorkflowStarter, 'startOnly'>;
  readonly chargeUpdates: Pick<ChargeUpdates, 'refund'>;
  readonly notices: readonly Notices[];
  readonly clocks: Pick<ClockKeeper, 'keep'>;
  readonly log: Logger;
}

/**
 * Finds what a crash left between two steps: rows whose workflow was never started, webhooks whose run was lost
 * before its first attempt, refunds that no workflow has heard of, and news, such as payments, that nobody
 * acknowledged. Any number of workers may sweep at once.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** The table that the next sweep begins with, each time another one. */
  #first = Math.floor(Math.random() * TABLES.length);

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Resolves when the running sweep has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const wasFull = await this.sweep(new Date());
        if (wasFull) continue;
      } catch (error) {
        // Postgres or Temporal is away; what was not done is still in the tables for the next sweep.
        this.#deps.log.warn({ err: error }, 'sweep ended early');
      }
      await pause(SWEEP_EVERY_MS, this.#stop.signal);
    }
  }

  /** One sweep. @returns true where there may be more to do at once. */
  async sweep(now: Date): Promise<boolean> {
    const { notices, clocks } = this.#deps;
    const patience = new Date(now.getTime() - PATIENCE_MS);
    const starting = this.#startAllForgotten(patience, now);
    // Beside each other: a worker that lives for half a minute, while Temporal answers slowly, would never come to the last.
    const parts = await Promise.allSettled([
      ...notices.map((each) => this.#bounded(() => each.notifyAgain(patience, BATCH))),
      this.#resumeRefunds(patience, now),
      starting,
      this.#startUnattempted(now),
      this.#bounded(() => clocks.keep(now)),
    ]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
    return starting;
  }

  /** @returns whether there may be more of them. */
  async #startAllForgotten(createdBefore: Date, now: Date): Promise<boolean> {
    let isFull = false;
    this.#first += 1;
    for (let index = 0; index < TABLES.length; index += 1) {
      const table = TABLES[(this.#first + index) % TABLES.length] as WorkflowStart['table'];
      if ((await this.#startForgotten(table, createdBefore, now)) === BATCH) isFull = true;
    }
    return isFull;
  }

  /**
   * Has refunds carried out that were asked for while Temporal was away, or by a process that died right
   * after.
   */
  async #resumeRefunds(requestedBefore: Date, now: Date): Promise<void> {
    const where = {
      status: 'REQUESTED' as const,
      $or: [{ createdAt: { $lt: requestedBefore } }, { createdAt: { $gt: now } }],
    };
    const oldestFirst = { orderBy: { createdAt: 'asc' as const }, limit: BATCH };
    const refunds = await this.#deps.database.em.fork().find(RefundEntity, where, oldestFirst);
    await this.#bounded(() => Promise.all(refunds.map((refund) => this.#resumeRefund(refund))));
  }

  async #resumeRefund({ id, chargeId }: Refund): Promise<void> {
    const { chargeUpdates, database, log } = this.#deps;
    try {
      const charge = await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
      await chargeUpdates.refund(charge, id, null);
    } catch (error) {
      // Once the workflow knows of it, it goes on by itself; else a later sweep tells it again.
      log.warn({ refundId: id, err: error }, 'refund could not be waited for');
    }
  }

  /**
   * @returns how many workflows were started. What could not be is left to a later sweep, without holding up
   *   others.
   */
  #startForgotten(table: WorkflowStart['table'], createdBefore: Date, now: Date): Promise<number> {
    return this.#startFound(table, now, (em) =>
      em.execute<Found[]>(
        `select id from ${table}
         where workflow_started_at is null and (created_at < :createdBefore or created_at > :now)
         order by created_at limit :limit for update skip locked`,
        { createdBefore, now, limit: BATCH },
      ),
    );
  }

  /**
   * Webhooks are marked as started by whoever writes them, and so a run that was lost since leaves no trace but
   * that no attempt is made. One that runs stays as it is.
   */
  async #startUnattempted(now: Date): Promise<void> {
    const before = new Date(now.getTime() - UNATTEMPTED_MS);
    await this.#startFound(
      'deliveries',
      now,
      (em) =>
        em.execute<Found[]>(
          `select id from deliveries
         where status = 'PENDING' and attempts = 0
           and (workflow_started_at < :before or workflow_started_at > :now)
           and (coalesce(next_attempt_at, created_at) < :before or coalesce(next_attempt_at, created_at) > :now)
         order by coalesce(next_attempt_at, created_at), id limit :limit for update skip locked`,
          { before, now, limit: UNATTEMPTED_BATCH },
        ),
      true,
    );
  }

  /** @param find locks the rows: other workers sweep other ones. */
  #startFound(
    table: WorkflowStart['table'],
    now: Date,
    find: (em: Em) => Promise<Found[]>,
    mayRunAgain?: true,
  ): Promise<number> {
    return this.#deps.database.em.fork().transactional(async (em) => {
      const rows = await find(em);
      if (rows.length === 0) return 0;
      const forgotten = rows.map(({ id }) => id);
      const starts = await forgottenStarts(em.fork(), table, forgotten);
      // Each within a time of its own, which begins when its turn has come.
      const started = await Promise.all(starts.map((start) => this.#tryStart(start, mayRunAgain)));
      const ids = started.filter((id) => id !== null);
      const where = { id: { $in: ids } } as never;
      await em.nativeUpdate<StartedRow>(STARTED_TABLES[table] as never, where, {
        workflowStartedAt: now,
      });
      return ids.length;
    });
  }

  async #tryStart(start: WorkflowStart, mayRunAgain?: true): Promise<WorkflowStart['id'] | null> {
    try {
      await this.#deps.starter.startOnly(start, mayRunAgain);
      return start.id;
    } catch (error) {
      this.#deps.log.warn({ id: start.id, err: error }, 'workflow could not be started');
      return null;
    }
  }

  /**
   * Calls to Temporal end within a time, so that one that is not answered cannot keep the rest of the sweep
   * waiting.
   */
  #bounded<Result>(calls: () => Promise<Result>): Promise<Result> {
    return this.#deps.client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, calls);
  }
}

interface Found {
  readonly id: string;
}

interface StartedRow {
  workflowStartedAt: Date | null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
