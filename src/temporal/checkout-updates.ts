import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import {
  CHECKOUT_WORKFLOW,
  cancelCheckoutUpdate,
  type PaymentAccepted,
  paymentAcceptedSignal,
} from '../../workflows/checkout.contract.ts';
import type { CheckoutStatus } from '../domain/checkout.ts';
import { type CheckoutToStart, checkoutStart } from './checkout.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

/**
 * What reaches a checkout's workflow from outside. Each call starts the workflow if nothing has yet, and wakes it if it
 * sleeps. Every call rejects where Temporal is out of reach, and may be repeated.
 */
export class CheckoutUpdates {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>;

  constructor(client: Client, taskQueue: string, starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#starter = starter;
  }

  /**
   * A charge has made the checkout PAID. A run that has ended knows so already, unless it ended unpaid: then the payment had
   * been made in time and was heard of later, and a new run (`reopens`) takes it in.
   */
  async paymentAccepted(
    checkout: CheckoutToStart,
    accepted: PaymentAccepted,
    reopens: boolean,
  ): Promise<void> {
    // Where the checkout's own start still waits in this process, the signal brings it along: one call instead of two.
    this.#starter.takeOver(checkout.id);
    try {
      await this.#client.workflow.signalWithStart(CHECKOUT_WORKFLOW, {
        ...checkoutStart(checkout, null).options,
        taskQueue: this.#taskQueue,
        workflowIdReusePolicy: reopens ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        signal: paymentAcceptedSignal,
        signalArgs: [accepted],
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    if (checkout.workflowStartedAt === null)
      this.#starter.markStarted({ table: 'checkouts', id: checkout.id });
  }

  /** The integrator cancels. @returns the checkout's status after it: PAID where a payer was first. */
  cancel(checkout: CheckoutToStart, requestId: string | null): Promise<CheckoutStatus> {
    return this.#client.workflow.executeUpdateWithStart(cancelCheckoutUpdate, {
      startWorkflowOperation: new WithStartWorkflowOperation(CHECKOUT_WORKFLOW, {
        ...checkoutStart(checkout, requestId).options,
        taskQueue: this.#taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  }
}
