import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  deliveryWorkflowId,
  resendUpdate,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../workflows/webhook-delivery.contract.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { AT_ONCE, askedAgain, type WorkflowStart } from './workflow-start.ts';

function deliveryStart(delivery: DeliveryToStart, resend: boolean) {
  const input: WebhookDeliveryInput = { deliveryId: delivery.deliveryId, resend };
  return {
    workflowId: deliveryWorkflowId(delivery.deliveryId),
    args: [input],
    staticSummary: `${delivery.eventName} to ${delivery.webhookId}`,
    typedSearchAttributes: [
      { key: searchAttribute.storeId, value: delivery.storeId },
      { key: searchAttribute.devMode, value: delivery.devMode },
      { key: searchAttribute.eventName, value: delivery.eventName },
      { key: searchAttribute.webhookId, value: delivery.webhookId },
    ],
    priority: { fairnessKey: delivery.webhookId },
  };
}

/**
 * How to start the workflow of a delivery. A delivery whose run was lost continues with its next attempt, at its
 * scheduled time.
 */
export function deliveryWorkflowStart(delivery: DeliveryToStart): WorkflowStart {
  const { deliveryId: id, progress } = delivery;
  const begin = deliveryStart(delivery, false);
  const { storeId, devMode } = delivery;
  const workflow = {
    table: 'deliveries',
    id,
    workflowType: WEBHOOK_DELIVERY_WORKFLOW,
    storeId,
    devMode,
  } as const;
  if (progress === undefined) return { ...workflow, sleepsUntil: AT_ONCE, options: begin };
  const { attemptsMade, nextAttemptAt } = progress;
  const input: WebhookDeliveryInput = { deliveryId: id, resend: false, attemptsMade };
  const staticDetails = `Attempt ${attemptsMade + 1} is due at **${nextAttemptAt.toISOString()}**.`;
  return { ...workflow, sleepsUntil: nextAttemptAt, options: { ...begin, args: [input], staticDetails } };
}

/** Attempts a delivery now: wakes the workflow that waits for its next attempt, or opens a new run. */
export async function resendDelivery(
  client: Client,
  taskQueue: string,
  delivery: DeliveryToStart,
): Promise<void> {
  const start = deliveryStart(delivery, true);
  await askedAgain(client, start.workflowId, () =>
    client.workflow.executeUpdateWithStart(resendUpdate, {
      startWorkflowOperation: new WithStartWorkflowOperation(WEBHOOK_DELIVERY_WORKFLOW, {
        ...start,
        taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    }),
  );
}
