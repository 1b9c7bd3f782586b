import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { Tally } from '../domain/tally.ts';
import { BusyEnvironments } from './busy-environments.ts';
import { LONGEST_WAIT_MS, StartPostponed } from './paced-starts.ts';
import { StartLimiter } from './start-limiter.ts';
import { StartMarks } from './start-marks.ts';
import type { TaskQueues } from './task-queues.ts';
import { type StartTerms, startOnce, type WorkflowStart } from './workflow-start.ts';

/**
 * Starts that wait in memory at most. The sweeper reads further starts, and those that wait longer than its
 * patience, from Postgres: memory stays bounded however long Temporal is slow or down.
 */
const WAITING_STARTS = 2_000;

/** A store with fewer waiting starts than this is always accepted, however many others wait. */
const OWN_WAITING_STARTS = 50;

/** The sweeper runs again soon: a longer wait would only keep the row locked. */
const SWEEPER_WAITS_MS = 1_000;

/**
 * The time limit of one start. Slower ones are left to the sweeper: if a part of Temporal does not answer, its
 * starts would otherwise block all others.
 */
const START_TIMEOUT_MS = 5_000;

/**
 * Webhooks of one environment that start at once while others are busy. An event may have forty endpoints, and the next payment of another
 * store would wait for all of them.
 */
const DELIVERIES_AT_ONCE = 5;

interface Waiting {
  readonly start: WorkflowStart;
  readonly sinceMs: number;
  /** Runs the start in the request's async context, so that it belongs to the request's trace. */
  readonly inItsPlace: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

type RowId = WorkflowStart['id'];

/**
 * Starts the workflows of committed rows, soon after the answer to the request. Nothing here has to survive a
 * crash: the sweeper finds rows without `workflow_started_at`.
 */
export class WorkflowStarter {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #marks: StartMarks;
  readonly #log: Logger;
  readonly #busy: BusyEnvironments;
  readonly #trafficLimiter: StartLimiter;
  /** First in, first out; a Map, so that a row can be removed if its payment was faster. */
  readonly #waiting = new Map<RowId, Waiting>();
  /** The number of waiting starts of each environment. */
  readonly #waitingOf = new Tally<string>();
  /** The webhooks of each environment whose start is in flight. */
  readonly #deliveriesOf = new Tally<string>();

  /** @param busy which environments have work in this process. */
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
    const own = this.#waitingOf.of(environmentName(start));
    if (this.#waiting.size >= WAITING_STARTS && own >= OWN_WAITING_STARTS) return;
    this.#waiting.set(start.id, { start, sinceMs: Date.now(), inItsPlace: AsyncLocalStorage.snapshot() });
    this.#waitingOf.add(environmentName(start));
    void this.#startWaiting(start);
  }

  /**
   * Removes a waiting start because an update is about to replace it. If that update fails, the sweeper finds the
   * row. @returns whether the start was waiting here; then `markStarted` must follow the update.
   */
  takeOver(row: StoreEnvironment & { readonly id: RowId }): boolean {
    this.#busy.note(row);
    return this.#takeOut(row.id) !== null;
  }

  /** Marks the row as started, soon. */
  markStarted({ table, id }: Pick<WorkflowStart, 'table' | 'id'>): void {
    this.#marks.started({ table, id });
  }

  /**
   * Starts the workflow of one row when the limiter allows; the caller marks the row. Succeeds if it was already
   * started.
   * @param mayRunAgain whether a workflow that has ended may start again.
   * @throws StartPostponed if it yields to others; another error if Temporal is unavailable.
   */
  startOnly(start: WorkflowStart, mayRunAgain?: true): Promise<void> {
    const terms = { ...(mayRunAgain && { mayRunAgain }) };
    const late = { ...start, givesWay: start.table === 'deliveries' };
    return this.#trafficLimiter.run(late, () => this.#start(start, terms), SWEEPER_WAITS_MS);
  }

  /**
   * Starts the workflow of a webhook that was just written as already started; soon, if many of its environment start now and others
   * are busy. @throws if Temporal is unavailable.
   */
  async startDelivery(start: WorkflowStart): Promise<void> {
    this.#busy.note(start);
    const name = environmentName(start);
    if (this.#deliveriesOf.of(name) >= DELIVERIES_AT_ONCE && this.#busy.othersThan(start))
      return this.postponeDelivery(start, 0);
    this.#deliveriesOf.add(name);
    try {
      await this.#start(start, { isEager: true });
    } finally {
      this.#deliveriesOf.remove(name);
    }
  }

  /**
   * Postpones the workflow of a webhook that was just written as already started: its endpoint is crowded, and the run
   * would only wait, or many start at once. It starts soon, or after the work of other environments while they are busy.
   * @param delayMs how long its first attempt waits.
   */
  postponeDelivery(start: WorkflowStart, delayMs: number): void {
    const postponed = { ...start, sleepsUntil: new Date(Date.now() + delayMs), givesWay: true };
    this.#marks.postponed(start.id, () => this.startSoon(postponed));
  }

  /** Waits until no start is in flight; the sweeper starts the waiting ones. */
  async close(): Promise<void> {
    // Postponed starts are then waiting ones.
    await this.#marks.written();
    for (const id of this.#waiting.keys()) this.#takeOut(id);
    await this.#trafficLimiter.close();
    // Lets starts that were just refused settle and be marked first.
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

  /** Starts what still waits, unless it has waited so long that the sweeper may already handle it. */
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
    this.#waitingOf.remove(environmentName(waiting.start));
    return waiting;
  }

  #start(start: WorkflowStart, terms: Omit<StartTerms, 'nowMs'> = {}): Promise<void> {
    const nowMs = Date.now();
    return this.#client.withDeadline(nowMs + START_TIMEOUT_MS, () =>
      startOnce(this.#client, this.#queues, start, { nowMs, ...terms }),
    );
  }
}
