import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import {
  CHECKOUT_WORKFLOW,
  type CheckoutInput,
  cancelCheckoutUpdate,
  checkoutWorkflowId,
  type PaymentAccepted,
  paymentAcceptedSignal,
} from '../../workflows/checkout.contract.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { CheckoutStatus } from '../domain/checkout.ts';
import { formatBrl } from '../domain/money.ts';
import { type TaskQueues, taskQueueOf } from './task-queues.ts';
import { askedAgain, ownSearchAttributes, unlessStarted, type WorkflowStart } from './workflow-start.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

/** A payment link has no deadline. Its workflow wakes once a year, because a start delay has to end. */
const LINK_SLEEP_MS = 365 * 24 * 60 * 60 * 1_000;

/** The columns that starting a checkout's workflow needs. */
export type CheckoutToStart = Pick<
  Checkout,
  | 'id'
  | 'storeId'
  | 'devMode'
  | 'frequency'
  | 'amountCents'
  | 'customerId'
  | 'externalId'
  | 'expiresAt'
  | 'createdAt'
  | 'workflowStartedAt'
>;

/** How to start the workflow of a checkout or payment link. */
export function checkoutStart(checkout: CheckoutToStart, requestId: string | null): WorkflowStart {
  const { id, frequency, amountCents, expiresAt, createdAt } = checkout;
  const input: CheckoutInput = { checkoutId: id, expiresAtMs: expiresAt?.getTime() ?? null };
  return {
    table: 'checkouts',
    id,
    workflowType: CHECKOUT_WORKFLOW,
    storeId: checkout.storeId,
    devMode: checkout.devMode,
    sleepsUntil: expiresAt ?? new Date(createdAt.getTime() + LINK_SLEEP_MS),
    options: {
      workflowId: checkoutWorkflowId(id),
      args: [input],
      staticSummary: `${frequency} ${formatBrl(amountCents)}`,
      staticDetails:
        expiresAt === null
          ? 'A payment link: each payment is a charge of its own. A cancellation wakes it.'
          : `Asleep until **${expiresAt.toISOString()}**, when it expires. A payment or a cancellation wakes it.`,
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: ownSearchAttributes(checkout, 'PENDING'),
      priority: { fairnessKey: checkout.storeId },
    },
  };
}

/**
 * Sends messages to checkout workflows. Each call starts the workflow if necessary and wakes it from its start
 * delay. Every call rejects if Temporal is unavailable, and may be repeated.
 */
export class CheckoutUpdates {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>;

  constructor(
    client: Client,
    queues: TaskQueues,
    starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>,
  ) {
    this.#client = client;
    this.#queues = queues;
    this.#starter = starter;
  }

  /**
   * A charge has made the checkout PAID. A run that has ended already knows, unless it ended unpaid: then the
   * payment was made in time and its notification was late, and a new run (`reopens`) handles it.
   */
  async paymentAccepted(
    checkout: CheckoutToStart,
    accepted: PaymentAccepted,
    reopens: boolean,
  ): Promise<void> {
    // If the checkout's own start is still queued in this process, the signal replaces it: one call instead of two.
    this.#starter.takeOver(checkout);
    const start = checkoutStart(checkout, null);
    await unlessStarted(
      this.#client.workflow.signalWithStart(CHECKOUT_WORKFLOW, {
        ...start.options,
        taskQueue: taskQueueOf(this.#queues, start),
        workflowIdReusePolicy: reopens ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        signal: paymentAcceptedSignal,
        signalArgs: [accepted],
      }),
    );
    if (checkout.workflowStartedAt === null)
      this.#starter.markStarted({ table: 'checkouts', id: checkout.id });
  }

  /** The integrator cancels. @returns the checkout's status afterwards: PAID if a payer was first. */
  cancel(checkout: CheckoutToStart, requestId: string | null): Promise<CheckoutStatus> {
    const start = checkoutStart(checkout, requestId);
    return askedAgain(this.#client, start.options.workflowId, () =>
      this.#client.workflow.executeUpdateWithStart(cancelCheckoutUpdate, {
        startWorkflowOperation: new WithStartWorkflowOperation(CHECKOUT_WORKFLOW, {
          ...start.options,
          taskQueue: taskQueueOf(this.#queues, start),
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      }),
    );
  }
}
