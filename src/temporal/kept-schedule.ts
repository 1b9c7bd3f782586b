import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type IntervalSpec,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Logger } from 'pino';

/** How often it is looked whether the schedule is there: Temporal may have come back without its data. */
const LOOK_EVERY_MS = 5 * 60_000;

/** A schedule that could not be made, since Temporal is away or has none, is tried again. */
const TRY_AGAIN_MS = 60_000;

/** What a schedule starts again and again, never while it still runs. */
export interface Scheduled {
  /** Also begins the ids of its runs, to which the schedule appends the time. */
  readonly scheduleId: string;
  readonly workflowType: string;
  readonly every: IntervalSpec['every'];
  /** What one run does, for operators. */
  readonly summary: string;
}

/**
 * Keeps a Temporal schedule. Any number of workers do so: the first one makes it, each one that starts brings it
 * up to date, and whether an operator has paused it stays as it is.
 */
export class KeptSchedule {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #scheduled: Scheduled;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #isCurrent = false;
  #hasFailed = false;

  constructor(client: Client, taskQueue: string, scheduled: Scheduled, log: Logger) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#scheduled = scheduled;
    this.#log = log;
  }

  /** Returns at once. */
  start(): void {
    this.#loop = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Makes the schedule, or brings it up to date. @throws where Temporal is away or has no schedules. */
  async keep(): Promise<void> {
    const options = optionsOf(this.#scheduled, this.#taskQueue);
    try {
      await this.#client.schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      if (this.#isCurrent) return;
      const schedule = this.#client.schedule.getHandle(options.scheduleId);
      await schedule.update(({ state }) => ({ ...options, state }));
    }
    this.#isCurrent = true;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const pauseMs = (await this.#tryToKeep()) ? LOOK_EVERY_MS : TRY_AGAIN_MS;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Says so once where it begins to fail: a server without schedules would fill the log. */
  async #tryToKeep(): Promise<boolean> {
    try {
      await this.keep();
      this.#hasFailed = false;
      return true;
    } catch (error) {
      const { scheduleId } = this.#scheduled;
      if (!this.#hasFailed) this.#log.warn({ scheduleId, err: error }, 'schedule update failed');
      this.#hasFailed = true;
      return false;
    }
  }
}

function optionsOf(
  { scheduleId, workflowType, every, summary }: Scheduled,
  taskQueue: string,
): ScheduleOptions<ScheduleOptionsStartWorkflowAction<() => Promise<unknown>>> {
  return {
    scheduleId,
    spec: { intervals: [{ every }] },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: scheduleId,
      taskQueue,
      args: [],
      staticSummary: summary,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  };
}
