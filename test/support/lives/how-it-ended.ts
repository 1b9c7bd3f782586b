import {
  type Workflow,
  WorkflowFailedError,
  type WorkflowHandle,
  type WorkflowResultType,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { CHARGE_FAILED } from '../../../workflows/charge.contract.ts';
import { WEBHOOK_GIVEN_UP } from '../../../workflows/webhook-delivery.contract.ts';

/** The result of a run, or FAILED where it has ended in the failure that its row has. */
export async function howItEnded<Run extends Workflow>(
  workflow: WorkflowHandle<Run>,
): Promise<WorkflowResultType<Run> | 'FAILED'> {
  try {
    return await workflow.result();
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : null;
    const isOfRow =
      cause instanceof ApplicationFailure && [CHARGE_FAILED, WEBHOOK_GIVEN_UP].includes(cause.type ?? '');
    if (!isOfRow) throw error;
    return 'FAILED';
  }
}
