import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { searchAttribute } from '../../../workflows/search-attributes.contract.ts';
import {
  journeyBegunSignal,
  STORE_CLOCK_WORKFLOW,
  type StoreClockInput,
  storeClockWorkflowId,
} from '../../../workflows/store-clock.contract.ts';
import type { StoreId } from '../../domain/ids.ts';
import { type TaskQueues, taskQueueOf } from '../task-queues.ts';
import { AT_ONCE, startUnlessRunning } from '../workflow-start.ts';

const QUEUED = { workflowType: STORE_CLOCK_WORKFLOW, devMode: true } as const;

/** Starts the workflow that has a store's clock go on; its row has been committed. */
export class ClockJourneys {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #log: Logger;

  constructor(client: Client, queues: TaskQueues, log: Logger) {
    this.#client = client;
    this.#queues = queues;
    this.#log = log;
  }

  /**
   * Has a journey that has just begun made; returns at once. A run of the one before is told, lest it ends just then.
   * Where it fails, the workers' sweeper starts it.
   */
  beginSoon(storeId: StoreId): void {
    this.begin(storeId).catch((error: unknown) =>
      this.#log.warn({ storeId, err: error }, 'store clock start postponed'),
    );
  }

  /** The same, and waits for it. @throws where Temporal is out of reach. */
  async begin(storeId: StoreId): Promise<void> {
    await this.#client.workflow.signalWithStart(STORE_CLOCK_WORKFLOW, {
      ...optionsOf(storeId),
      taskQueue: taskQueueOf(this.#queues, QUEUED),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      signal: journeyBegunSignal,
    });
  }

  /** Has a journey go on whose run was lost; one that runs stays as it is. @throws where Temporal is out of reach. */
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
