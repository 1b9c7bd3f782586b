import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { BusyEnvironments } from './busy-environments.ts';
import { LONGEST_WAIT_MS, StartPostponed } from './paced-starts.ts';
import { StartLimiter } from './start-limiter.ts';
import { StartMarks } from './start-marks.ts';
import type { TaskQueues } from './task-queues.ts';
import { type StartTerms, startOnce, type WorkflowStart } from './workflow-start.ts';

/**
 * Starts that wait in memory at most. What exceeds it, or waits longer than the sweeper's patience, is left
 * to the sweeper, which reads it from Postgres: memory stays bounded however long Temporal is slow or down.
 */
const WAITING_STARTS = 2_000;

/** A store of which fewer wait finds a place however many starts of others do. */
const OWN_WAITING_STARTS = 50;

/** The sweeper comes again: what finds no turn soon would only keep its row locked. */
const SWEEPER_WAITS_MS = 1_000;

/**
 * Of one start. What takes longer is left to the sweeper: where a part of Temporal does not answer, starts that it holds
 * up would take the places of all others.
 */
const START_TIMEOUT_MS = 5_000;

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
  readonly #marks: StartMarks;
  readonly #log: Logger;
  readonly #busy: BusyEnvironments;
  readonly #trafficLimiter: StartLimiter;
  /** First in, first out; a Map so that a row whose payment was faster can be taken out. */
  readonly #waiting = new Map<RowId, Waiting>();
  /** How many of them each environment has. */
  readonly #waitingOf = new Map<string, number>();

  /** @param busy what this process knows of environments that have work. */
  constructor(
    client: Client,
    queues: TaskQueues,
    database: Database,
    log: Logger,
    busy = new BusyEnvironments(),
  ) {
    this.#busy = busy;
    this.#trafficLimiter = new StartLimiter(busy);
    this.#client = client;
    this.#queues = queues;
    this.#marks = new StartMarks(database, log);
    this.#log = log;
  }

  /** Queues the start of a row's workflow. Call it after the commit. */
  startSoon(start: WorkflowStart): void {
    this.#busy.note(start);
    this.#trafficLimiter.noteArrival();
    if (this.#waiting.has(start.id)) return;
    const own = this.#waitingOf.get(environmentName(start)) ?? 0;
    if (this.#waiting.size >= WAITING_STARTS && own >= OWN_WAITING_STARTS) return;
    this.#waiting.set(start.id, { start, sinceMs: Date.now(), inItsPlace: AsyncLocalStorage.snapshot() });
    this.#waitingOf.set(environmentName(start), own + 1);
    void this.#startWaiting(start);
  }

  /**
   * Takes a waiting start out, because an update is about to bring it along. Should that update fail, the
   * sweeper finds the row. @returns whether the start was waiting here; then `markStarted` is due after the
   * update.
   */
  takeOver(row: StoreEnvironment & { readonly id: RowId }): boolean {
    this.#busy.note(row);
    return this.#takeOut(row.id) !== null;
  }

  /** Notes, soon, that the row's workflow has been started. */
  markStarted({ table, id }: Pick<WorkflowStart, 'table' | 'id'>): void {
    this.#marks.started({ table, id });
  }

  /**
   * Starts the workflow of one row, in its turn; the caller marks the row. Started already is a success.
   * @param mayRunAgain whether one that has ended may be started again.
   * @throws StartPostponed if it gives way to others; else if Temporal is out of reach.
   */
  startOnly(start: WorkflowStart, mayRunAgain?: true): Promise<void> {
    const terms = { ...(mayRunAgain && { mayRunAgain }) };
    return this.#trafficLimiter.run(start, () => this.#start(start, terms), SWEEPER_WAITS_MS);
  }

  /**
   * Starts the workflow of a webhook that has just been written, and marked as started. @throws if Temporal is out of reach.
   */
  startDelivery(start: WorkflowStart): Promise<void> {
    this.#busy.note(start);
    return this.#start(start, { isEager: true });
  }

  /** Waits until nothing is in flight any more; what still waits is left to the sweeper. */
  async close(): Promise<void> {
    this.#waiting.clear();
    this.#waitingOf.clear();
    await this.#trafficLimiter.close();
    // Whoever waited for a turn is told first, and has it noted.
    await setImmediate();
    await this.#marks.written();
  }

  async #startWaiting(start: WorkflowStart): Promise<void> {
    try {
      await this.#trafficLimiter.run(start, () => this.#startTakenOut(start.id));
    } catch (error) {
      this.#takeOut(start.id);
      if (!(error instanceof StartPostponed)) this.#log.warn({ err: error }, 'start postponed');
    }
  }

  /** Starts what still waits, unless it has waited for so long that the sweeper may be at it. */
  async #startTakenOut(id: RowId): Promise<void> {
    const waiting = this.#takeOut(id);
    if (waiting === null || Date.now() - waiting.sinceMs > LONGEST_WAIT_MS) return;
    await waiting.inItsPlace(() => this.#start(waiting.start));
    this.markStarted(waiting.start);
  }

  #takeOut(id: RowId): Waiting | null {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return null;
    this.#waiting.delete(id);
    const name = environmentName(waiting.start);
    const left = (this.#waitingOf.get(name) ?? 1) - 1;
    if (left > 0) this.#waitingOf.set(name, left);
    else this.#waitingOf.delete(name);
    return waiting;
  }

  #start(start: WorkflowStart, terms: Omit<StartTerms, 'nowMs'> = {}): Promise<void> {
    const nowMs = Date.now();
    return this.#client.withDeadline(nowMs + START_TIMEOUT_MS, () =>
      startOnce(this.#client, this.#queues, start, { nowMs, ...terms }),
    );
  }
}
