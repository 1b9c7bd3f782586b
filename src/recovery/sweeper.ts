import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { ChargeUpdates } from '../temporal/charge.ts';
import { OpenRefunds } from './sweep/open-refunds.ts';
import { BATCH, patience } from './sweep/patience.ts';
import type { StartDeps } from './sweep/start-each.ts';
import { UnattemptedDeliveries } from './sweep/start-unattempted.ts';
import { UnstartedWorkflows } from './sweep/start-unstarted.ts';

/** How often a worker looks for work that a crash interrupted. */
const SWEEP_EVERY_MS = 2_000;
/** The time limit of repeated notifications in one sweep; the next one continues. */
const TEMPORAL_TIMEOUT_MS = 10_000;

/** Notifications, such as payments, that are repeated until they are acknowledged. */
export interface Notices {
  /** Repeats notifications older than `changedBefore`: at most `limit` of them. */
  notifyAgain(changedBefore: Date, limit: number): Promise<void>;
}

/** Clocks that a store has moved. */
export interface MovedClocks {
  /** Wakes what has become due. @param now real time. */
  keep(now: Date): Promise<void>;
  /** Writes announcements and reminders that have become due, of one clock. @returns whether there are more. */
  write(): Promise<boolean>;
}

export interface SweeperDeps extends StartDeps {
  readonly client: Client;
  readonly chargeUpdates: Pick<ChargeUpdates, 'isSendingBack' | 'refund'>;
  readonly notices: readonly Notices[];
  readonly clocks: MovedClocks;
}

/** One kind of check. It resolves to true if there may be more right now. */
type Part = (now: Date) => Promise<unknown>;

/**
 * Finds work that a crash interrupted: rows whose workflow was never started, webhooks whose run was lost before
 * its first attempt, refunds that no workflow received or whose run was lost, and unacknowledged notifications,
 * such as payments. Any number of workers may sweep at once.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #stop = new AbortController();
  readonly #parts: readonly Part[];
  #loops: Promise<unknown> = Promise.resolve();

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
    const { notices, clocks } = deps;
    const unstarted = new UnstartedWorkflows(deps);
    const unattempted = new UnattemptedDeliveries(deps);
    const refunds = new OpenRefunds(deps);
    const notifyAgain = (each: Notices, now: Date) =>
      this.#bounded(() => each.notifyAgain(patience(now), BATCH));
    this.#parts = [
      ...notices.map((each) => (now: Date) => notifyAgain(each, now)),
      (now) => this.#bounded(() => refunds.resumeRequested(now)),
      (now) => this.#bounded(() => refunds.resumeInterrupted(now)),
      (now) => unstarted.startAll(now),
      (now) => unattempted.startSome(now),
      (now) => this.#bounded(() => clocks.keep(now)),
      () => clocks.write(),
    ];
  }

  /** Each part has its own pace: waiting for a slow Temporal delays no other part. */
  start(): void {
    this.#loops = Promise.all(this.#parts.map((part) => this.#repeat(part)));
  }

  /** Resolves when all running parts have ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loops;
  }

  /** Runs every part once. */
  async sweep(now: Date): Promise<void> {
    const parts = await Promise.allSettled(this.#parts.map((part) => part(now)));
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  }

  async #repeat(part: Part): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const wasFull = await part(new Date());
        if (wasFull === true) continue;
      } catch (error) {
        // Postgres or Temporal is unavailable; the remaining rows are still there for the next sweep.
        this.#deps.log.warn({ err: error }, 'sweep ended early');
      }
      await sleep(SWEEP_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** Limits the time of calls to Temporal; a later sweep repeats the rest. */
  #bounded<Result>(calls: () => Promise<Result>): Promise<Result> {
    return this.#deps.client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, calls);
  }
}
