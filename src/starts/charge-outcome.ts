import type { Client } from '@temporalio/client';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';

/** Waits until a charge's workflow has ended. @returns the charge's status. @throws where the workflow was terminated. */
export function chargeOutcome(client: Client, chargeId: ChargeId): Promise<ChargeStatus> {
  return client.workflow.getHandle(chargeWorkflowId(chargeId)).result() as Promise<ChargeStatus>;
}
