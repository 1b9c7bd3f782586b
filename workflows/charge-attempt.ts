import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { InstallmentCharge } from '../activities/begin-attempt.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import { formatBrl } from '../src/domain/money.ts';
import { billingWaits, transitions } from './activity-options.ts';
import { CHARGE_WORKFLOW, type ChargeInput, chargeWorkflowId } from './charge.contract.ts';
import type { charge as chargeWorkflow } from './charge.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/** Has one attempt at a cycle run as a child workflow. @returns how its charge ended. */
export async function chargeAttempt(charge: InstallmentCharge): Promise<ChargeStatus> {
  const { chargeId, method, amountCents, closesAtMs } = charge;
  const input: ChargeInput = {
    chargeId,
    lateFromMs: null,
    closesAtMs,
    ...(method === 'CARD' && { authorizes: true }),
  };
  try {
    return await executeChild<typeof chargeWorkflow>(CHARGE_WORKFLOW, {
      workflowId: chargeWorkflowId(chargeId),
      args: [input],
      staticSummary: `${method} ${formatBrl(amountCents)}`,
      // A charge that waits for its payer must end in its own good order, whatever becomes of this run.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      // A run that was started by the payment itself may have ended already: another one would only sleep until the code expires.
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      typedSearchAttributes: searchAttributesOf(charge),
    });
  } catch (error) {
    // A payer who was faster than this start has had the charge's workflow started by their payment.
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      return billingWaits.chargeOutcome({ chargeId });
    // Somebody terminated it: what the provider knows decides, and nothing is left open.
    if (error instanceof ChildWorkflowFailure) return transitions.failCharge({ chargeId, nowMs: Date.now() });
    throw error;
  }
}

function searchAttributesOf({ storeId, devMode, customerId, method, amountCents }: InstallmentCharge) {
  return [
    { key: searchAttribute.storeId, value: storeId },
    { key: searchAttribute.devMode, value: devMode },
    { key: searchAttribute.status, value: 'PENDING' },
    { key: searchAttribute.method, value: method },
    { key: searchAttribute.amountCents, value: amountCents },
    ...(customerId === null ? [] : [{ key: searchAttribute.customerId, value: customerId }]),
  ];
}
