import type { Client } from '@temporalio/client';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  type PaymentDueInput,
  paymentDueSignal,
  SETTLEMENT_WORKFLOW,
  type SettlementInput,
  settlementWorkflowId,
} from '../../workflows/settlement.contract.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { type TaskQueues, taskQueueOf } from './task-queues.ts';
import { startOnce } from './workflow-start.ts';

/**
 * A payment that settles sooner than this may be accepted while its day's run collects payments, so it also sends a
 * signal.
 */
const SOON_MS = 10 * 60 * 1_000;

/** Days known to be started; for days beyond this limit, the start is repeated. */
const REMEMBERED_DAYS = 10_000;

/** How to start the settlement of a store's day: with a delay until its payments become available. */
export function settlementStart({ storeId, devMode }: StoreEnvironment, settlesAt: Date) {
  const day = saoPauloDateOf(settlesAt);
  const input: SettlementInput = { storeId, devMode, settlesAtMs: settlesAt.getTime() };
  return {
    workflowType: SETTLEMENT_WORKFLOW,
    devMode,
    sleepsUntil: settlesAt,
    options: {
      workflowId: settlementWorkflowId(storeId, devMode, day),
      args: [input] as [SettlementInput],
      staticSummary: `Settlement of ${day}`,
      staticDetails: `Asleep until **${settlesAt.toISOString()}**, when the payments of its day become available.`,
      typedSearchAttributes: [
        { key: searchAttribute.storeId, value: storeId },
        { key: searchAttribute.devMode, value: devMode },
      ],
      priority: { fairnessKey: storeId },
    },
  };
}

/** Starts the settlement of a store's day once per process, however many payments settle on it. */
export class SettlementStarts {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #started = new Set<string>();

  constructor(client: Client, queues: TaskQueues) {
    this.#client = client;
    this.#queues = queues;
  }

  /** Ensures that what is due then will settle. @throws if Temporal is unavailable. */
  async start({ storeId, devMode }: StoreEnvironment, settlesAt: Date, nowMs = Date.now()): Promise<void> {
    const start = settlementStart({ storeId, devMode }, settlesAt);
    const { options } = start;
    const { workflowId } = options;
    if (settlesAt.getTime() - nowMs < SOON_MS) {
      await this.#client.workflow.signalWithStart(SETTLEMENT_WORKFLOW, {
        ...options,
        taskQueue: taskQueueOf(this.#queues, start),
        signal: paymentDueSignal,
        signalArgs: [{ settlesAtMs: settlesAt.getTime() }] as [PaymentDueInput],
      });
      return;
    }
    if (this.#started.has(workflowId)) return;
    await startOnce(this.#client, this.#queues, start, { nowMs, mayRunAgain: true });
    if (this.#started.size >= REMEMBERED_DAYS) this.#started.clear();
    this.#started.add(workflowId);
  }
}
