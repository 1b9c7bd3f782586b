import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/**
 * An activity that is retried works with the time at which it is tried, not with that of its first attempt:
 * after an outage of days a deadline that is counted from then would have passed already. It is the server's
 * time, as the workflow's is. A local activity is retried for seconds only and keeps the workflow's.
 */
export function activityClock(): ActivityInterceptorsFactory {
  return ({ info: { isLocal, currentAttemptScheduledTimestampMs } }) => ({
    inbound: {
      execute(input, next) {
        if (isLocal) return next(input);
        return next({ ...input, args: input.args.map((arg) => at(currentAttemptScheduledTimestampMs, arg)) });
      },
    },
  });
}

function at(attemptMs: number, arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('nowMs' in arg)) return arg;
  return { ...arg, nowMs: Math.max(Number(arg.nowMs), attemptMs) };
}
