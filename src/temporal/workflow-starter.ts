import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { MARK_STARTED } from './mark-started.ts';
import { StartGate } from './start-gate.ts';
import type { TaskQueues } from './task-queues.ts';
import { startOnce, type WorkflowStart } from './workflow-start.ts';

/**
 * Starts that wait in memory at most. What exceeds it, or waits longer than the sweeper's patience, is left
 * to the sweeper, which reads it from Postgres: memory stays bounded however long Temporal is slow or down.
 */
const WAITING_STARTS = 2_000;
const WAITING_MS = 4_000;

/**
 * Of one start. What takes longer is left to the sweeper: where a part of Temporal does not answer, starts that it holds
 * up would take the places of all others.
 */
const START_TIMEOUT_MS = 5_000;

/** A mark only keeps the sweeper away, which waits seconds: 20 updates for 200 starts instead of 200. */
const MARK_AFTER_MS = 100;

interface Waiting {
  readonly start: WorkflowStart;
  readonly sinceMs: number;
  /** Runs what follows where the request stood, whose trace it belongs to, and not in that of whoever comes to it. */
  readonly inItsPlace: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

type RowId = WorkflowStart['id'];

/**
 * Starts the workflows of rows that have been committed, soon but behind the answer to the request. Nothing
 * here has to survive a crash: a row without `workflow_started_at` is found by the sweeper.
 */
export class WorkflowStarter {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #database: Database;
  readonly #log: Logger;
  readonly #gate = new StartGate();
  /** First in, first out; a Map so that a row whose payment was faster can be taken out. */
  readonly #waiting = new Map<RowId, Waiting>();
  #started: Pick<WorkflowStart, 'table' | 'id'>[] = [];
  #marking: Promise<void> | null = null;

  constructor(client: Client, queues: TaskQueues, database: Database, log: Logger) {
    this.#client = client;
    this.#queues = queues;
    this.#database = database;
    this.#log = log;
  }

  /** Queues the start of a row's workflow. Call it after the commit. */
  startSoon(start: WorkflowStart): void {
    this.#gate.noteArrival();
    if (this.#waiting.size >= WAITING_STARTS) return;
    this.#waiting.set(start.id, { start, sinceMs: Date.now(), inItsPlace: AsyncLocalStorage.snapshot() });
    void this.#startNext();
  }

  /**
   * Takes a waiting start out, because an update is about to bring it along. Should that update fail, the
   * sweeper finds the row. @returns whether the start was waiting here; then `markStarted` is due after the
   * update.
   */
  takeOver(id: RowId): boolean {
    return this.#waiting.delete(id);
  }

  /** Notes, soon, that the row's workflow has been started. */
  markStarted({ table, id }: Pick<WorkflowStart, 'table' | 'id'>): void {
    this.#started.push({ table, id });
    this.#marking ??= sleep(MARK_AFTER_MS).then(() => this.#mark());
  }

  /**
   * Starts the workflow of one row, in its turn; the caller marks the row. Started already is a success.
   * @param mayRunAgain whether one that has ended may be started again.
   * @throws where Temporal is out of reach.
   */
  async startOnly(start: WorkflowStart, mayRunAgain?: true): Promise<void> {
    await this.#gate.enter();
    try {
      await this.#start(start, mayRunAgain);
    } finally {
      this.#gate.leave();
    }
  }

  /** Waits until nothing is in flight any more; what still waits is left to the sweeper. */
  async close(): Promise<void> {
    this.#waiting.clear();
    await this.#gate.idle();
    await this.#marking;
  }

  async #startNext(): Promise<void> {
    await this.#gate.enter();
    try {
      const next = this.#takeNext();
      if (next === null) return;
      await next.inItsPlace(() => this.#start(next.start));
      this.markStarted(next.start);
    } catch (error) {
      this.#log.warn({ err: error }, 'a start was left to the sweeper');
    } finally {
      this.#gate.leave();
    }
  }

  #takeNext(): Waiting | null {
    for (const [id, next] of this.#waiting) {
      this.#waiting.delete(id);
      if (Date.now() - next.sinceMs <= WAITING_MS) return next;
    }
    return null;
  }

  #start(start: WorkflowStart, mayRunAgain?: true): Promise<void> {
    const nowMs = Date.now();
    return this.#client.withDeadline(nowMs + START_TIMEOUT_MS, () =>
      startOnce(this.#client, this.#queues, start, { nowMs, ...(mayRunAgain && { mayRunAgain }) }),
    );
  }

  /** All starts that end within a moment share one update of their rows. */
  async #mark(): Promise<void> {
    const batch = this.#started;
    this.#started = [];
    this.#marking = null;
    try {
      const now = new Date();
      for (const [table, markStarted] of Object.entries(MARK_STARTED)) {
        const ids = batch.filter((started) => started.table === table).map(({ id }) => id);
        if (ids.length > 0) await markStarted(this.#database, { ids, now, isAnew: false });
      }
    } catch (error) {
      // The sweeper finds them; its starts then meet workflows that were started already.
      this.#log.warn({ err: error, rows: batch.length }, 'started workflows were not marked');
    }
  }
}
