import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Logger } from 'pino';

/** How often to verify that the schedule exists: Temporal may have lost its data. */
const LOOK_EVERY_MS = 5 * 60_000;

/** A start that was missed for longer than this waits for the next one. */
const CATCH_UP_MS = 60_000;

/** The pause before a failed creation is retried: Temporal is unavailable or supports no schedules. */
const TRY_AGAIN_MS = 60_000;

/** What a schedule starts. It never starts a second run while one is open. */
export interface Scheduled {
  /** Also the prefix of its runs' ids, to which the schedule appends the time. */
  readonly scheduleId: string;
  readonly workflowType: string;
  /** Between two starts. */
  readonly everyMs: number;
  /** What one run does, for operators. */
  readonly summary: string;
}

/**
 * Maintains a Temporal schedule. Any number of workers do so: the first one creates it, and a starting worker
 * updates it if this release has changed it. A pause that an operator has set stays.
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

  /** Starts the checks in the background. */
  start(): void {
    this.#loop = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Creates or updates the schedule. @throws if Temporal is unavailable or supports no schedules. */
  async keep(): Promise<void> {
    const options = optionsOf(this.#scheduled, this.#taskQueue);
    try {
      await this.#client.schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      if (this.#isCurrent) return;
      await this.#update(options);
    }
    this.#isCurrent = true;
  }

  /**
   * An update replaces the whole schedule, and Temporal may apply it after a pause that came later. So it is sent
   * only if something differs.
   */
  async #update(options: Options): Promise<void> {
    const schedule = this.#client.schedule.getHandle(options.scheduleId);
    if (isCurrent(await schedule.describe(), this.#scheduled, this.#taskQueue)) return;
    await schedule.update(({ state }) => ({ ...options, state }));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const pauseMs = (await this.#tryToKeep()) ? LOOK_EVERY_MS : TRY_AGAIN_MS;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Logs only the first failure: a server without schedules would fill the log. */
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

type Options = ScheduleOptions<ScheduleOptionsStartWorkflowAction<() => Promise<unknown>>>;

/** Whether a schedule at the server does what this release wants. */
function isCurrent(
  { spec, action, policies }: ScheduleDescription,
  { workflowType, everyMs, summary }: Scheduled,
  taskQueue: string,
): boolean {
  return (
    spec.intervals?.length === 1 &&
    spec.intervals[0]?.every === everyMs &&
    action.workflowType === workflowType &&
    action.taskQueue === taskQueue &&
    action.staticSummary === summary &&
    policies.overlap === ScheduleOverlapPolicy.SKIP &&
    policies.catchupWindow === CATCH_UP_MS
  );
}

function optionsOf({ scheduleId, workflowType, everyMs, summary }: Scheduled, taskQueue: string): Options {
  return {
    scheduleId,
    spec: { intervals: [{ every: everyMs }] },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: scheduleId,
      taskQueue,
      args: [],
      staticSummary: summary,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP_MS },
  };
}
