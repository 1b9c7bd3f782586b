import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import {
  type ChangePlanInput,
  type ChargeEnded,
  cancelSubscriptionUpdate,
  changePlanUpdate,
  chargeEndedSignal,
  SUBSCRIPTION_WORKFLOW,
  subscriptionWorkflowId,
} from '../../workflows/subscription.contract.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { SubscriptionStatus } from '../domain/subscription.ts';
import { subscriptionStart } from './subscription.ts';
import { startDelayMs } from './workflow-start.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

/** What reaches a subscription's workflow from outside. Every call rejects where Temporal is out of reach, and may be repeated. */
export class SubscriptionUpdates {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #starter: Pick<WorkflowStarter, 'markStarted'>;

  constructor(client: Client, taskQueue: string, starter: Pick<WorkflowStarter, 'markStarted'>) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#starter = starter;
  }

  /** Starts the workflow of a subscription that has just become active; started already is a success. */
  async start(subscription: Subscription, nowMs = Date.now()): Promise<void> {
    const start = subscriptionStart(subscription, null);
    try {
      await this.#client.workflow.start(SUBSCRIPTION_WORKFLOW, {
        ...start.options,
        taskQueue: this.#taskQueue,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        startDelay: startDelayMs(start, nowMs),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    this.#starter.markStarted(start);
  }

  /** The integrator cancels. @returns the status after it. */
  cancel(subscription: Subscription, requestId: string | null): Promise<SubscriptionStatus> {
    return this.#client.workflow.executeUpdateWithStart(cancelSubscriptionUpdate, {
      startWorkflowOperation: this.#start(subscription, requestId),
    });
  }

  /** The integrator changes the plan. @returns the status after it: the plan waits only where it is ACTIVE. */
  changePlan(
    subscription: Subscription,
    change: ChangePlanInput,
    requestId: string | null,
  ): Promise<SubscriptionStatus> {
    return this.#client.workflow.executeUpdateWithStart(changePlanUpdate, {
      args: [change],
      updateId: change.planUpdateId,
      startWorkflowOperation: this.#start(subscription, requestId),
    });
  }

  /** A charge of the subscription has ended. A run that has ended itself need not know. */
  async chargeEnded(id: SubscriptionId, ended: ChargeEnded): Promise<void> {
    try {
      await this.#client.workflow.getHandle(subscriptionWorkflowId(id)).signal(chargeEndedSignal, ended);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  #start(subscription: Subscription, requestId: string | null) {
    return new WithStartWorkflowOperation(SUBSCRIPTION_WORKFLOW, {
      ...subscriptionStart(subscription, requestId).options,
      taskQueue: this.#taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }
}
