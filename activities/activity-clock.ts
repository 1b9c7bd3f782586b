import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Clocks of machines that differ by less are told apart by nobody; an attempt that waited longer has waited. */
const WAITED_MS = 60_000;

/**
 * An activity that is retried works with the time at which it is tried, not with that of its first attempt:
 * after an outage of days a deadline that is counted from then would have passed already. It is the server's
 * time, as the workflow's is, but where the attempt has waited for a worker: of when that began the server tells
 * nothing. A local activity is retried for seconds only and keeps the workflow's.
 */
export function activityClock(): ActivityInterceptorsFactory {
  return ({ info: { isLocal, currentAttemptScheduledTimestampMs } }) => ({
    inbound: {
      execute(input, next) {
        if (isLocal) return next(input);
        const attemptMs = attemptTimeMs(currentAttemptScheduledTimestampMs, Date.now());
        return next({ ...input, args: input.args.map((arg) => at(attemptMs, arg)) });
      },
    },
  });
}

/** @returns the time that an attempt works with, which was scheduled at one and begins at another. */
export function attemptTimeMs(scheduledMs: number, beginsMs: number): number {
  return beginsMs - scheduledMs > WAITED_MS ? beginsMs : scheduledMs;
}

function at(attemptMs: number, arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('nowMs' in arg)) return arg;
  return { ...arg, nowMs: Math.max(Number(arg.nowMs), attemptMs) };
}
