import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  journeyBegunSignal,
  STORE_CLOCK_WORKFLOW,
  type StoreClockInput,
  storeClockWorkflowId,
} from '../../workflows/store-clock.contract.ts';
import type { StoreId } from '../domain/ids.ts';
import { type TaskQueues, taskQueueOf } from '../temporal/task-queues.ts';
import { AT_ONCE, startUnlessRunning } from '../temporal/workflow-start.ts';

const QUEUED = { workflowType: STORE_CLOCK_WORKFLOW, devMode: true } as const;

/** Starts the workflow that advances a store's clock; its row has been committed. */
export class ClockRuns {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #log: Logger;

  constructor(client: Client, queues: TaskQueues, log: Logger) {
    this.#client = client;
    this.#queues = queues;
    this.#log = log;
  }

  /**
   * Starts a new journey in the background. It also signals a run of the previous journey, in case that one is
   * about to end. If this fails, the workers' sweeper starts it.
   */
  beginSoon(storeId: StoreId): void {
    this.begin(storeId).catch((error: unknown) =>
      this.#log.warn({ storeId, err: error }, 'store clock start postponed'),
    );
  }

  /** Like {@link beginSoon}, but waits. @throws if Temporal is unavailable. */
  async begin(storeId: StoreId): Promise<void> {
    await this.#client.workflow.signalWithStart(STORE_CLOCK_WORKFLOW, {
      ...optionsOf(storeId),
      taskQueue: taskQueueOf(this.#queues, QUEUED),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      signal: journeyBegunSignal,
    });
  }

  /** Resumes a journey whose run was lost; leaves a running one unchanged. @throws if Temporal is unavailable. */
  async resume(storeId: StoreId): Promise<void> {
    const start = { ...QUEUED, options: optionsOf(storeId), sleepsUntil: AT_ONCE };
    await startUnlessRunning(this.#client, this.#queues, start, Date.now());
  }
}

function optionsOf(storeId: StoreId) {
  const input: StoreClockInput = { storeId };
  return {
    workflowId: storeClockWorkflowId(storeId),
    args: [input] as [StoreClockInput],
    staticSummary: 'Advances the clock of a dev environment',
    typedSearchAttributes: [
      { key: searchAttribute.storeId, value: storeId },
      { key: searchAttribute.devMode, value: true },
    ],
    priority: { fairnessKey: storeId },
  };
}
