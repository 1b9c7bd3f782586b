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

/** After how long the same has to be asked again, in milliseconds; null where it is done. */
export function askAgainMsIn(answer: ChargeStatus | MarkedStatus): number | null {
  return typeof answer === 'string' ? null : (answer.askAgainMs ?? null);
}

/** Why the charge has FAILED; null where it has not, and where that was not asked for. */
export function failureReasonIn(answer: ChargeStatus | MarkedStatus): string | null {
  return typeof answer === 'string' ? null : (answer.failureReason ?? null);
}
