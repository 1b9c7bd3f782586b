import { ApplicationFailure } from '@temporalio/workflow';

/**
 * The failure in which a run ends whose subject has failed: a card that was declined, a webhook that was given up. Without
 * a stack, which would say how our code is built, in every such history; by that, too, the log knows it (src/temporal/runtime.ts).
 * @param type tells it from what fails otherwise, and is never renamed.
 */
export function failedOutcome(message: string, type: string, ...details: unknown[]): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(message, type, ...details);
  failure.stack = '';
  return failure;
}
