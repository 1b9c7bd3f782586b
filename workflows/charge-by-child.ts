import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { CycleCharge } from '../activities/subscriptions/begin-attempt.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import { formatBrl } from '../src/domain/money.ts';
import { cycleWaits, transitionsIn } from './activity-options.ts';
import { CHARGE_WORKFLOW, type ChargeInput, chargeWorkflowId } from './charge.contract.ts';
import type { charge as chargeWorkflow } from './charge.ts';
import { statusIn } from './marked-status.ts';
import type { Mutex } from './mutex.ts';
import { moment } from './run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/**
 * How runs wait for the end of an attempt that were begun before charges told it: they start it as a child
 * workflow. Today the activity that begins the attempt is faster, so they wait for the end of what it
 * started.
 * @returns how the charge ended.
 */
export async function chargedByChild(mutex: Mutex, charge: CycleCharge): Promise<ChargeStatus> {
  const { chargeId, method, amountCents, closesAtMs } = charge;
  const input: ChargeInput = {
    chargeId,
    lateFromMs: null,
    closesAtMs,
    ...(method === 'CARD' && { authorizes: true }),
  };
  const failed = async () => statusIn(await transitionsIn(mutex).failCharge({ chargeId, ...moment() }));
  try {
    return await executeChild<typeof chargeWorkflow>(CHARGE_WORKFLOW, {
      workflowId: chargeWorkflowId(chargeId),
      args: [input],
      staticSummary: `${method} ${formatBrl(amountCents)}`,
      // A charge that waits for its payer must end in its own good order, whatever becomes of this run.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      typedSearchAttributes: searchAttributesOf(charge),
    });
  } catch (error) {
    // Somebody terminated it, whoever started it: what the provider knows decides, and nothing is left open.
    if (error instanceof ChildWorkflowFailure) return failed();
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return (await cycleWaits.chargeOutcome({ chargeId })) ?? failed();
  }
}

function searchAttributesOf({ storeId, devMode, customerId, method, amountCents }: CycleCharge) {
  return [
    { key: searchAttribute.storeId, value: storeId },
    { key: searchAttribute.devMode, value: devMode },
    { key: searchAttribute.status, value: 'PENDING' },
    { key: searchAttribute.method, value: method },
    { key: searchAttribute.amountCents, value: amountCents },
    ...(customerId === null ? [] : [{ key: searchAttribute.customerId, value: customerId }]),
  ];
}
