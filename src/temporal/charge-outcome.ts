import { type Client, WorkflowFailedError } from '@temporalio/client';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';

/** Waits until a charge's workflow has ended. @returns the charge's status; null where the workflow was terminated. */
export async function chargeOutcome(client: Client, chargeId: ChargeId): Promise<ChargeStatus | null> {
  try {
    return (await client.workflow.getHandle(chargeWorkflowId(chargeId)).result()) as ChargeStatus;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return null;
    throw error;
  }
}
