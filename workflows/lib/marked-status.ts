import { upsertSearchAttributes } from '@temporalio/workflow';
import type { MarkedStatus } from '../../activities/charges.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { searchAttribute } from '../search-attributes.contract.ts';

/**
 * The status that a transition returned. If a person is needed, this also sets the run's search attribute, which is
 * never unset.
 */
export function statusIn(answer: ChargeStatus | MarkedStatus): ChargeStatus {
  if (typeof answer === 'string') return answer;
  if (answer.needsAttention) upsertSearchAttributes([{ key: searchAttribute.needsAttention, value: true }]);
  return answer.status;
}

/** When and what a run must ask its provider again. */
export interface AskAgain {
  readonly afterMs: number;
  /** The provider does not know the notified payment yet. */
  readonly isPaymentUnknown: boolean;
}

/** When to ask again; null if the transition is done. */
export function askAgainIn(answer: ChargeStatus | MarkedStatus): AskAgain | null {
  if (typeof answer === 'string' || answer.askAgainMs === undefined) return null;
  return { afterMs: answer.askAgainMs, isPaymentUnknown: answer.isPaymentUnknown === true };
}

/** Why the charge has FAILED; null if it has not. */
export function failureReasonIn(answer: ChargeStatus | MarkedStatus): string | null {
  return typeof answer === 'string' ? null : (answer.failureReason ?? null);
}
