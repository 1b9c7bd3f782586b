import { ApplicationFailure } from '@temporalio/workflow';

/**
 * The failure that ends a run whose subject has failed: a declined card, or a webhook delivery that was given up.
 * It has no stack: histories should not contain our code's structure, and the log recognizes such failures by its
 * absence (src/temporal/runtime.ts).
 * @param type distinguishes it from other failures. It must never be renamed.
 */
export function failedOutcome(message: string, type: string, ...details: unknown[]): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(message, type, ...details);
  failure.stack = '';
  return failure;
}
