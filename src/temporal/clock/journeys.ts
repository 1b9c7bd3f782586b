import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { searchAttribute } from '../../../workflows/search-attributes.contract.ts';
import {
  STORE_CLOCK_WORKFLOW,
  type StoreClockInput,
  storeClockWorkflowId,
} from '../../../workflows/store-clock.contract.ts';
import type { StoreId } from '../../domain/ids.ts';
import type { TaskQueues } from '../task-queues.ts';
import { AT_ONCE, startUnlessRunning } from '../workflow-start.ts';

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

  /** Returns at once. Where it fails, the workers' sweeper starts it. */
  startSoon(storeId: StoreId): void {
    this.start(storeId).catch((error: unknown) =>
      this.#log.warn({ storeId, err: error }, 'the start of a clock was left to the sweeper'),
    );
  }

  /** One that runs stays as it is. @throws where Temporal is out of reach. */
  async start(storeId: StoreId): Promise<void> {
    const input: StoreClockInput = { storeId };
    const options = {
      workflowId: storeClockWorkflowId(storeId),
      args: [input],
      staticSummary: 'Advances the clock of a dev environment',
      typedSearchAttributes: [
        { key: searchAttribute.storeId, value: storeId },
        { key: searchAttribute.devMode, value: true },
      ],
      priority: { fairnessKey: storeId },
    };
    const start = { workflowType: STORE_CLOCK_WORKFLOW, options, sleepsUntil: AT_ONCE };
    await startUnlessRunning(this.#client, this.#queues, start, Date.now());
  }
}
