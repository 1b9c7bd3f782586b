import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../workflows/subscription.contract.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { type ChargeToStart, chargeStart } from './charge.ts';
import { startDelayMs } from './workflow-start.ts';

/**
 * Starts the workflow of an attempt at a cycle; started already is a success. One that has work at once is started eagerly: the
 * worker that shares this client's connection gets the first task with the answer, without a trip through the task queue.
 */
export async function startCharge(
  client: Client,
  taskQueue: string,
  charge: ChargeToStart,
  subscriptionId: SubscriptionId,
  now: Date,
): Promise<void> {
  const start = chargeStart(charge, null);
  const startDelay = startDelayMs(start, now.getTime());
  try {
    await client.workflow.start(start.workflowType, {
      ...start.options,
      staticDetails: `${start.options.staticDetails} Tells **${subscriptionWorkflowId(subscriptionId)}** how it ended.`,
      taskQueue,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      ...(startDelay > 0 ? { startDelay } : { requestEagerStart: true }),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
