import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Logger } from 'pino';
import { CHARGE_WORKFLOW } from '../../workflows/charge.contract.ts';
import { ChargeEntity } from '../database/charge.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import { type ChargeToStart, chargeStart, chargeStartDelayMs } from './charge-start.ts';
import { StartGate } from './start-gate.ts';

/**
 * Starts that wait in memory at most. What exceeds it, or waits longer than the sweeper's patience, is left to the
 * sweeper, which reads it from Postgres: memory stays bounded however long Temporal is slow or down.
 */
const WAITING_STARTS = 2_000;
const WAITING_MS = 4_000;

/** A mark only keeps the sweeper away, which waits seconds: 20 updates for 200 starts instead of 200. */
const MARK_AFTER_MS = 100;

interface Waiting {
  readonly charge: ChargeToStart;
  readonly requestId: string | null;
  readonly sinceMs: number;
}

/**
 * Starts the workflows of charges that have been committed, soon but behind the answer to the request. Nothing here
 * has to survive a crash: a charge without `workflow_started_at` is found by the sweeper.
 */
export class ChargeStarter {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #database: Database;
  readonly #log: Logger;
  readonly #gate = new StartGate();
  /** First in, first out; a Map so that a charge whose payment was faster can be taken out. */
  readonly #waiting = new Map<ChargeId, Waiting>();
  #started: ChargeId[] = [];
  #marking: Promise<void> | null = null;

  constructor(client: Client, taskQueue: string, database: Database, log: Logger) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#database = database;
    this.#log = log;
  }

  /** Queues the start of a charge's workflow. Call it after the commit. */
  startSoon(charge: ChargeToStart, requestId: string | null): void {
    this.#gate.noteArrival();
    if (this.#waiting.size >= WAITING_STARTS) return;
    this.#waiting.set(charge.id, { charge, requestId, sinceMs: Date.now() });
    void this.#startNext();
  }

  /**
   * Takes a waiting start out, because an update is about to bring it along. Should that update fail, the sweeper finds
   * the charge. @returns whether the start was waiting here; then `markStarted` is due after the update.
   */
  takeOver(chargeId: ChargeId): boolean {
    return this.#waiting.delete(chargeId);
  }

  /** Notes, soon, that the charge's workflow has been started. */
  markStarted(chargeId: ChargeId): void {
    this.#started.push(chargeId);
    this.#marking ??= sleep(MARK_AFTER_MS).then(() => this.#mark());
  }

  /**
   * Starts the workflow of one charge, in its turn; the caller marks the row. Started already is a success.
   * @throws where Temporal is out of reach.
   */
  async startOnly(charge: ChargeToStart, requestId: string | null): Promise<void> {
    await this.#gate.enter();
    try {
      await this.#start(charge, requestId);
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
      await this.#start(next.charge, next.requestId);
      this.markStarted(next.charge.id);
    } catch (error) {
      this.#log.warn({ err: error }, 'a start was left to the sweeper');
    } finally {
      this.#gate.leave();
    }
  }

  #takeNext(): Waiting | null {
    for (const [chargeId, next] of this.#waiting) {
      this.#waiting.delete(chargeId);
      if (Date.now() - next.sinceMs <= WAITING_MS) return next;
    }
    return null;
  }

  async #start(charge: ChargeToStart, requestId: string | null): Promise<void> {
    try {
      await this.#client.workflow.start(CHARGE_WORKFLOW, {
        ...chargeStart(charge, requestId),
        taskQueue: this.#taskQueue,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        startDelay: chargeStartDelayMs(charge, Date.now()),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /** All starts that end within a moment share one update of their rows. */
  async #mark(): Promise<void> {
    const batch = this.#started;
    this.#started = [];
    this.#marking = null;
    try {
      const unmarked = { id: { $in: batch }, workflowStartedAt: null };
      await this.#database.em.fork().nativeUpdate(ChargeEntity, unmarked, { workflowStartedAt: new Date() });
    } catch (error) {
      // The sweeper finds them; its starts then meet workflows that were started already.
      this.#log.warn({ err: error, charges: batch.length }, 'started charges were not marked');
    }
  }
}
