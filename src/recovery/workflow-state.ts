import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { checkoutWorkflowId } from '../../workflows/checkout.contract.ts';
import { payoutWorkflowId } from '../../workflows/payout.contract.ts';
import { subscriptionWorkflowId } from '../../workflows/subscription.contract.ts';
import { deliveryWorkflowId } from '../../workflows/webhook-delivery.contract.ts';
import { resendWorkflowId } from '../../workflows/webhook-resend.contract.ts';
import type { AuditKind } from '../domain/audit.ts';
import type { OpenItem } from './page.ts';

const WORKFLOW_ID: Partial<Readonly<Record<AuditKind, (id: never) => string>>> = {
  charge: chargeWorkflowId,
  checkout: checkoutWorkflowId,
  subscription: subscriptionWorkflowId,
  payout: payoutWorkflowId,
  delivery: deliveryWorkflowId,
  resend: resendWorkflowId,
  settlement: (id: string) => id,
};

/**
 * The state of an item's workflow: RUNNING, how its last run ended (TERMINATED, …), or NONE. Null if another
 * workflow advances the item. @throws if Temporal is unavailable.
 */
export async function workflowStateOf(client: Client, { kind, id }: OpenItem): Promise<string | null> {
  const workflowId = WORKFLOW_ID[kind]?.(id as never);
  if (workflowId === undefined) return null;
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NONE';
    throw error;
  }
}
