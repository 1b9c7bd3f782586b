import { ApplicationFailure } from '@temporalio/common';

/** The provider has not decided yet. A retry of the same activity after that time may get the answer. */
export function notYet(what: string, pollAfterMs: number): ApplicationFailure {
  return ApplicationFailure.create({ message: what, type: 'NOT_YET', nextRetryDelay: pollAfterMs });
}
