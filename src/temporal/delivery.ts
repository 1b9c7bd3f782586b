import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  deliveryWorkflowId,
  resendUpdate,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../workflows/webhook-delivery.contract.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { WorkflowStart } from './workflow-start.ts';

function deliveryStart(delivery: DeliveryToStart, resend: boolean) {
  const input: WebhookDeliveryInput = { deliveryId: delivery.deliveryId, resend };
  return {
    workflowId: deliveryWorkflowId(delivery.deliveryId),
    args: [input],
    staticSummary: `${delivery.eventName} to ${delivery.webhookId}`,
    typedSearchAttributes: [
      { key: searchAttribute.storeId, value: delivery.storeId },
      { key: searchAttribute.devMode, value: delivery.devMode },
      { key: searchAttribute.status, value: 'PENDING' },
      { key: searchAttribute.eventName, value: delivery.eventName },
      { key: searchAttribute.webhookId, value: delivery.webhookId },
    ],
  };
}

/** How a delivery's workflow is started that no activity has written, and so none starts: soon, or else by the sweeper. */
export function deliveryWorkflowStart(delivery: DeliveryToStart): WorkflowStart {
  return {
    table: 'deliveries',
    id: delivery.deliveryId,
    workflowType: WEBHOOK_DELIVERY_WORKFLOW,
    sleepsUntil: new Date(0),
    options: deliveryStart(delivery, false),
  };
}

/**
 * Starts a delivery's workflow; started already is a success. Eager: the worker that shares this client's connection
 * gets the first task with the answer, without a trip through the task queue.
 */
export async function startDelivery(
  client: Client,
  taskQueue: string,
  delivery: DeliveryToStart,
): Promise<void> {
  try {
    await client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
      ...deliveryStart(delivery, false),
      taskQueue,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      requestEagerStart: true,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Has a delivery attempted now: wakes the workflow that waits for its next attempt, else opens a new run. */
export async function resendDelivery(
  client: Client,
  taskQueue: string,
  delivery: DeliveryToStart,
): Promise<void> {
  await client.workflow.executeUpdateWithStart(resendUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation(WEBHOOK_DELIVERY_WORKFLOW, {
      ...deliveryStart(delivery, true),
      taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}
