import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { type Charge, ChargeEntity } from '../database/charge.ts';
import { IdempotencyRecordEntity } from '../database/idempotency-record.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { SandboxPayments } from '../notifications/sandbox-payments.ts';
import type { ChargeStarter } from './charge-starter.ts';

/** How often a worker looks for what fell between two steps. */
const SWEEP_EVERY_MS = 2_000;
/** Younger rows are still with the process that inserted them. */
const PATIENCE_MS = 5_000;
/** Rows taken at once. They stay locked while they are started, so that other workers sweep other rows, but not for long. */
const BATCH = 50;
/** What payments told again, and starts, may each take in one sweep; the next one goes on. */
const TEMPORAL_TIMEOUT_MS = 10_000;
/** Idempotency records are honoured for 24 hours (contract section 1) and kept no longer. */
const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1_000;

export interface SweeperDeps {
  readonly client: Client;
  readonly database: Database;
  readonly starter: Pick<ChargeStarter, 'startOnly'>;
  readonly sandboxPayments: Pick<SandboxPayments, 'notifyAgain'>;
  readonly log: Logger;
}

/**
 * Finds what a crash left between two steps: charges whose workflow was never started, and sandbox payments nobody
 * acknowledged. Any number of workers may sweep at once.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

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
    const { database, sandboxPayments } = this.#deps;
    const patience = new Date(now.getTime() - PATIENCE_MS);
    await this.#bounded(() => sandboxPayments.notifyAgain(patience, BATCH));
    const expired = new Date(now.getTime() - IDEMPOTENCY_TTL_MS);
    await database.em.fork().nativeDelete(IdempotencyRecordEntity, { createdAt: { $lt: expired } });
    return (await this.#startForgotten(patience)) === BATCH;
  }

  /** @returns how many charges were started. Those that could not be are left to a later sweep, without holding up others. */
  async #startForgotten(createdBefore: Date): Promise<number> {
    return this.#deps.database.em.fork().transactional(async (em) => {
      const rows = await em.execute<{ id: ChargeId }[]>(
        `select id from charges where workflow_started_at is null and created_at < ?
         order by created_at limit ? for update skip locked`,
        [createdBefore, BATCH],
      );
      if (rows.length === 0) return 0;
      const charges = await em.fork().find(ChargeEntity, { id: { $in: rows.map((row) => row.id) } });
      const started = await this.#bounded(() => Promise.all(charges.map((charge) => this.#tryStart(charge))));
      const ids = started.filter((id) => id !== null);
      await em.nativeUpdate(ChargeEntity, { id: { $in: ids } }, { workflowStartedAt: new Date() });
      return ids.length;
    });
  }

  async #tryStart(charge: Charge): Promise<ChargeId | null> {
    try {
      await this.#deps.starter.startOnly(charge, null);
      return charge.id;
    } catch (error) {
      this.#deps.log.warn({ chargeId: charge.id, err: error }, 'charge could not be started');
      return null;
    }
  }

  /** Calls to Temporal end within a time, so that one that is not answered cannot keep the rest of the sweep waiting. */
  #bounded<Result>(calls: () => Promise<Result>): Promise<Result> {
    return this.#deps.client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, calls);
  }
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
