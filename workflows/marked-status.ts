import { upsertSearchAttributes } from '@temporalio/workflow';
import type { MarkedStatus } from '../activities/charges/activities.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/** The status that a transition answered; where something needs a person, this run is marked for good. */
export function statusIn(answer: ChargeStatus | MarkedStatus): ChargeStatus {
  if (typeof answer === 'string') return answer;
  if (answer.needsAttention) upsertSearchAttributes([{ key: searchAttribute.needsAttention, value: true }]);
  return answer.status;
}

/** What a run has to ask its provider again. */
export interface AskAgain {
  readonly afterMs: number;
  /** The provider does not know the notified payment yet. */
  readonly isPaymentUnknown: boolean;
}

/** Whether and when the same has to be asked again; null where it is done. */
export function askAgainIn(answer: ChargeStatus | MarkedStatus): AskAgain | null {
  if (typeof answer === 'string' || answer.askAgainMs === undefined) return null;
  return { afterMs: answer.askAgainMs, isPaymentUnknown: answer.isPaymentUnknown === true };
}

/** Why the charge has FAILED; null where it has not, and where that was not asked for. */
export function failureReasonIn(answer: ChargeStatus | MarkedStatus): string | null {
  return typeof answer === 'string' ? null : (answer.failureReason ?? null);
}
