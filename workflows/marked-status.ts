import { upsertSearchAttributes } from '@temporalio/workflow';
import type { MarkedStatus } from '../activities/charges/activities.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/** The status that a transition answered; where something needs a person, this run is marked for good. */
export function statusIn(answer: ChargeStatus | MarkedStatus): ChargeStatus {
  if (typeof answer === 'string') return answer;
  upsertSearchAttributes([{ key: searchAttribute.needsAttention, value: true }]);
  return answer.status;
}
