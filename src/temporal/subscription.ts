import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  attemptNowUpdate,
  type ChangePlanInput,
  type ChargeEnded,
  cancelSubscriptionUpdate,
  changePlanUpdate,
  changeTrialUpdate,
  chargeEndedSignal,
  type PauseInput,
  pauseUpdate,
  payUpdate,
  resumeUpdate,
  SUBSCRIPTION_WORKFLOW,
  type SubscriptionInput,
  scheduleCancellationUpdate,
  subscriptionWorkflowId,
  type TrialInput,
} from '../../workflows/subscription.contract.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { formatBrl } from '../domain/money.ts';
import type { SubscriptionStatus } from '../domain/subscription.ts';
import { positionOf } from '../domain/subscription-position.ts';
import { nextCycleAtOf } from '../domain/usage-cycle.ts';
import { type TaskQueues, taskQueueOf } from './task-queues.ts';
import { AT_ONCE, askedAgain, ownSearchAttributes, startOnce, type WorkflowStart } from './workflow-start.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

/**
 * How to start the workflow of a subscription: with a delay until its next cycle begins. If a run was lost in the
 * middle of a cycle, the delay ends with the cycle's due attempt.
 */
export function subscriptionStart(subscription: Subscription, requestId: string | null): WorkflowStart {
  const { id, plan, amountCents, cycle, method } = subscription;
  const next = { productId: plan.productId, quantity: plan.quantity, amountCents, cycle };
  const input: SubscriptionInput = { ...positionOf(subscription), subscriptionId: id, plan: next };
  const sleepsUntil = nextWorkAt(subscription);
  return {
    table: 'subscriptions',
    id,
    workflowType: SUBSCRIPTION_WORKFLOW,
    storeId: subscription.storeId,
    devMode: subscription.devMode,
    sleepsUntil,
    options: {
      workflowId: subscriptionWorkflowId(id),
      args: [input],
      staticSummary: `${cycle} ${method} ${formatBrl(amountCents)}`,
      staticDetails: asleepUntil(sleepsUntil),
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: searchAttributesOf(subscription),
      priority: { fairnessKey: subscription.storeId },
    },
  };
}

/** When its run has work: at the end of a pause, another attempt, the next cycle or the end of the period. */
function nextWorkAt(subscription: Subscription): Date {
  const { attemptDueAt, cancelAt, pausedAt, resumesAt } = subscription;
  // A pause without an end has no timer: its run waits for a request.
  const next =
    pausedAt === null ? (attemptDueAt ?? nextCycleAtOf(subscription)) : (resumesAt ?? cancelAt ?? AT_ONCE);
  return cancelAt !== null && cancelAt < next ? cancelAt : next;
}

function asleepUntil(instant: Date): string {
  return `Asleep until **${instant.toISOString()}**, when it is charged or ends. A request, such as a cancellation, wakes it.`;
}

/** Sends messages to subscription workflows. Every call rejects if Temporal is unavailable, and may be repeated. */
export class SubscriptionUpdates {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #starter: Pick<WorkflowStarter, 'markStarted'>;

  constructor(client: Client, queues: TaskQueues, starter: Pick<WorkflowStarter, 'markStarted'>) {
    this.#client = client;
    this.#queues = queues;
    this.#starter = starter;
  }

  /** Starts the workflow of a subscription that has just become active; succeeds if it was already started. */
  async start(subscription: Subscription, nowMs = Date.now()): Promise<void> {
    const start = subscriptionStart(subscription, null);
    await startOnce(this.#client, this.#queues, start, { nowMs });
    this.#starter.markStarted(start);
  }

  /** The integrator cancels. @returns the status afterwards. */
  cancel(subscription: Subscription, requestId: string | null): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(cancelSubscriptionUpdate, {
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** Somebody cancels with the end of the current cycle. @returns the status afterwards. */
  scheduleCancellation(subscription: Subscription, requestId: string | null): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(scheduleCancellationUpdate, {
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** Somebody pauses it, or changes its pause. @returns the status afterwards. */
  pause(
    subscription: Subscription,
    terms: PauseInput,
    requestId: string | null,
  ): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(pauseUpdate, {
        args: [terms],
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** Somebody ends a pause and undoes a scheduled cancellation. @returns the status afterwards: CANCELLED if it came too late. */
  resume(subscription: Subscription, requestId: string | null): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(resumeUpdate, {
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** An attempt at an open cycle is due earlier than its run knows. @returns the status afterwards. */
  attemptNow(subscription: Subscription, requestId: string | null): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(attemptNowUpdate, {
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** Somebody has another attempt at an overdue cycle made now. @returns the status afterwards. */
  pay(subscription: Subscription, requestId: string | null): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(payUpdate, {
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** Somebody moves the end of a trial. @returns the status afterwards. */
  changeTrial(
    subscription: Subscription,
    terms: TrialInput,
    requestId: string | null,
  ): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(changeTrialUpdate, {
        args: [terms],
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** The integrator changes the plan. @returns the status afterwards: the change is stored only if it is ACTIVE. */
  changePlan(
    subscription: Subscription,
    change: ChangePlanInput,
    requestId: string | null,
  ): Promise<SubscriptionStatus> {
    return askedAgain(this.#client, subscriptionWorkflowId(subscription.id), () =>
      this.#client.workflow.executeUpdateWithStart(changePlanUpdate, {
        args: [change],
        updateId: change.planUpdateId,
        startWorkflowOperation: this.#start(subscription, requestId),
      }),
    );
  }

  /** A charge of the subscription has ended. Does nothing if the subscription's run has ended. */
  async chargeEnded(id: SubscriptionId, ended: ChargeEnded): Promise<void> {
    try {
      await this.#client.workflow.getHandle(subscriptionWorkflowId(id)).signal(chargeEndedSignal, ended);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  #start(subscription: Subscription, requestId: string | null) {
    const start = subscriptionStart(subscription, requestId);
    return new WithStartWorkflowOperation(SUBSCRIPTION_WORKFLOW, {
      ...start.options,
      taskQueue: taskQueueOf(this.#queues, start),
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }
}

/** Has the run of a subscription read its row, which has changed. One that has ended needs no news. */
export async function wakeSubscription(
  updates: Pick<SubscriptionUpdates, 'attemptNow'>,
  subscription: Subscription,
): Promise<void> {
  try {
    await updates.attemptNow(subscription, null);
  } catch (error) {
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
  }
}

function searchAttributesOf(subscription: Subscription): SearchAttributePair[] {
  const { method, cycleNumber } = subscription;
  return [
    { key: searchAttribute.method, value: method },
    { key: searchAttribute.cycleNumber, value: cycleNumber },
    { key: searchAttribute.nextChargeAt, value: nextCycleAtOf(subscription) },
    ...ownSearchAttributes(subscription, 'ACTIVE'),
  ];
}
