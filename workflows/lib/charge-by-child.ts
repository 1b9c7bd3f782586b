import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { formatBrl } from '../../src/domain/money.ts';
import type { CycleCharge } from '../../src/subscriptions/dunning/begin-attempt.ts';
import { CHARGE_WORKFLOW, type ChargeInput, chargeWorkflowId } from '../charge.contract.ts';
import type { charge as chargeWorkflow } from '../charge.ts';
import { searchAttribute } from '../search-attributes.contract.ts';
import { cycleWaits, transitionsIn } from './activity-options.ts';
import { statusIn } from './marked-status.ts';
import type { Mutex } from './mutex.ts';
import { moment } from './run-clock.ts';

/**
 * Older runs wait for an attempt by starting its charge as a child workflow; at that time charges did not signal
 * their end. If the activity that began the attempt started the charge first, they wait for that charge's end.
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
      // A charge that waits for its payer must reach its own end, even if this run ends first.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      typedSearchAttributes: searchAttributesOf(charge),
    });
  } catch (error) {
    // Someone terminated the charge's run. The provider's answer decides, so that nothing stays open.
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
