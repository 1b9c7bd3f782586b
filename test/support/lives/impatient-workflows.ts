import type { LocalActivityOptions } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import type { WorkflowInterceptors } from '@temporalio/workflow';

/** A minute of the service is a second here. */
const TIMES_FASTER = 60;

/** What the SDK has where `localRetryThreshold` is not set. */
const DEFAULT_THRESHOLD = '1 minute';

/** What an attempt may take on a slow machine, however few seconds all of them have. */
const ONE_ATTEMPT_MS = 2_000;

/**
 * For a bundle of workflows whose local activities are retried, and given up, 60 times as fast. Their retries
 * wait in the worker, and so in real time, which no time-skipping server can shorten.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      { scheduleLocalActivity: (input, next) => next({ ...input, options: hastened(input.options) }) },
    ],
  };
}

/** How long one attempt may take stays as it is: attempts are no faster here. */
function hastened(options: LocalActivityOptions): LocalActivityOptions {
  const { scheduleToCloseTimeout, retry, localRetryThreshold = DEFAULT_THRESHOLD } = options;
  return {
    ...options,
    localRetryThreshold: faster(localRetryThreshold),
    ...(scheduleToCloseTimeout !== undefined && {
      scheduleToCloseTimeout: Math.max(faster(scheduleToCloseTimeout), ONE_ATTEMPT_MS),
    }),
    ...(retry !== undefined && {
      retry: {
        ...retry,
        initialInterval: faster(retry.initialInterval ?? '1s'),
        maximumInterval: faster(retry.maximumInterval ?? '100s'),
      },
    }),
  };
}

function faster(duration: Parameters<typeof msToNumber>[0]): number {
  return Math.ceil(msToNumber(duration) / TIMES_FASTER);
}
