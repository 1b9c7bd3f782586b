import { setTimeout as sleep } from 'node:timers/promises';
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
const UNATTEMPTED_BATCH = 30;
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

/** What is looked at in batches, oldest first. */
type Looked = WorkflowStart['table'] | 'refunds';

/** Before anything that was created. */
const BEGINNING = '-infinity';

/** One thing that is looked for. It resolves to true where there may be more of it at once. */
type Part = (now: Date) => Promise<unknown>;

/**
 * Finds what a crash left between two steps: rows whose workflow was never started, webhooks whose run was lost
 * before its first attempt, refunds that no workflow has heard of, and news, such as payments, that nobody
 * acknowledged. Any number of workers may sweep at once.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #stop = new AbortController();
  readonly #parts: readonly Part[];
  #loops: Promise<unknown> = Promise.resolve();
  /** The table that is next: each sweep begins with another one. */
  #first = Math.floor(Math.random() * TABLES.length);
  /** When the last row of a table was created that was looked at; left out where the oldest is next. */
  readonly #lookedAt = new Map<Looked, string>();

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
    const { notices, clocks } = deps;
    this.#parts = [
      ...notices.map(
        (each): Part =>
          (now) =>
            this.#bounded(() => each.notifyAgain(patience(now), BATCH)),
      ),
      (now) => this.#resumeRefunds(now),
      (now) => this.#startAllForgotten(now),
      (now) => this.#startUnattempted(now),
      (now) => this.#bounded(() => clocks.keep(now)),
    ];
  }

  /** Each part goes at its own pace: what waits for a Temporal that answers slowly holds up nothing else. */
  start(): void {
    this.#loops = Promise.all(this.#parts.map((part) => this.#repeat(part)));
  }

  /** Resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loops;
  }

  async #repeat(part: Part): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const wasFull = await part(new Date());
        if (wasFull === true) continue;
      } catch (error) {
        // Postgres or Temporal is away; what was not done is still in the tables for the next sweep.
        this.#deps.log.warn({ err: error }, 'sweep ended early');
      }
      await sleep(SWEEP_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** Everything once. */
  async sweep(now: Date): Promise<void> {
    const parts = await Promise.allSettled(this.#parts.map((part) => part(now)));
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  }

  /** In turn, as each holds a connection. @returns whether there may be more of them. */
  async #startAllForgotten(now: Date): Promise<boolean> {
    let isFull = false;
    this.#first += 1;
    for (let index = 0; index < TABLES.length; index += 1) {
      const table = TABLES[(this.#first + index) % TABLES.length] as WorkflowStart['table'];
      if ((await this.#startForgotten(table, now)) === BATCH) isFull = true;
    }
    return isFull;
  }

  /**
   * Has refunds carried out that were asked for while Temporal was away, or by a process that died right
   * after.
   */
  async #resumeRefunds(now: Date): Promise<void> {
    const where = {
      status: 'REQUESTED' as const,
      createdAt: { $gt: new Date(this.#lookedAt.get('refunds') ?? 0) },
      $or: [{ createdAt: { $lt: patience(now) } }, { createdAt: { $gt: now } }],
    };
    const oldestFirst = { orderBy: { createdAt: 'asc' as const }, limit: BATCH };
    const refunds = await this.#deps.database.em.fork().find(RefundEntity, where, oldestFirst);
    this.#goOnAfter('refunds', refunds[BATCH - 1]?.createdAt.toISOString());
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

  /** However many of a table cannot be moved on, they hold up no others for long. */
  #goOnAfter(table: Looked, last: string | undefined): void {
    if (last === undefined) this.#lookedAt.delete(table);
    else this.#lookedAt.set(table, last);
  }

  /**
   * The rows stay locked meanwhile, so that other workers start other ones.
   * @returns how many workflows were started. What could not be is left to a later look.
   */
  #startForgotten(table: WorkflowStart['table'], now: Date): Promise<number> {
    return this.#deps.database.em.fork().transactional(async (em) => {
      const rows = await em.execute<Found[]>(
        `select id, created_at::text as "createdAt" from ${table}
         where workflow_started_at is null and created_at > cast(:after as timestamptz)
           and (created_at < :before or created_at > :now)
         order by created_at limit :limit for update skip locked`,
        { after: this.#lookedAt.get(table) ?? BEGINNING, before: patience(now), now, limit: BATCH },
      );
      const last = rows[BATCH - 1];
      this.#goOnAfter(table, last?.createdAt);
      const ids = await this.#startEach(em.fork(), table, rows);
      const where = { id: { $in: ids } } as never;
      await em.nativeUpdate<StartedRow>(STARTED_TABLES[table] as never, where, { workflowStartedAt: now });
      return ids.length;
    });
  }

  /**
   * Webhooks are marked as started by whoever writes them, and so a run that was lost since leaves no trace but
   * that no attempt is made. One that runs stays as it is. Each is marked again as it is looked at, whatever comes of
   * it, and those that were looked at longest ago come first: many that wait for their endpoint, or cannot be started,
   * hold up no others.
   */
  async #startUnattempted(now: Date): Promise<void> {
    const before = new Date(now.getTime() - UNATTEMPTED_MS);
    const em = this.#deps.database.em.fork();
    for (const range of ['workflow_started_at < :before', 'workflow_started_at > :now']) {
      const rows = await em.execute<Found[]>(
        `update deliveries set workflow_started_at = :now where id in (
           select id from deliveries
           where status = 'PENDING' and attempts = 0 and ${range}
             and (coalesce(next_attempt_at, created_at) < :before or coalesce(next_attempt_at, created_at) > :now)
           order by workflow_started_at limit :limit for update skip locked
         ) returning id`,
        { before, now, limit: UNATTEMPTED_BATCH },
      );
      await this.#startEach(em, 'deliveries', rows, true);
    }
  }

  /** @returns those whose workflow was started. */
  async #startEach(
    em: Em,
    table: WorkflowStart['table'],
    rows: readonly Pick<Found, 'id'>[],
    mayRunAgain?: true,
  ): Promise<WorkflowStart['id'][]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const starts = await forgottenStarts(em, table, ids);
    // Each within a time of its own, which begins when its turn has come.
    const started = await Promise.all(starts.map((start) => this.#tryStart(start, mayRunAgain)));
    return started.filter((id) => id !== null);
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
  /** Postgres's own text: a Date would cut its last three digits. */
  readonly createdAt: string;
}

interface StartedRow {
  workflowStartedAt: Date | null;
}

/** What was written before it is not with the process any more that wrote it. */
function patience(now: Date): Date {
  return new Date(now.getTime() - PATIENCE_MS);
}
