import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Database } from '../src/database/orm.ts';
import { storeTimeOf } from '../src/database/store-clock.ts';
import type { Moment } from '../workflows/store-clock.contract.ts';

/** Machines' clocks may differ by less than this. An attempt that waited longer really waited. */
const WAITED_MS = 60_000;

/**
 * A retried activity works with the time of its current attempt, not of its first one: after an outage of days, a
 * deadline counted from the first attempt would already have passed. The time is the server's, like the workflow's.
 * An attempt that waited for a worker is the exception, as the server does not say when the wait began. A local
 * activity retries for seconds only and keeps the workflow's time.
 *
 * In a dev environment the time is the store's, read from its row when the activity begins: the run may not know
 * yet that the clock was moved.
 */
export function activityClock(database: Database): ActivityInterceptorsFactory {
  return ({ info: { isLocal, currentAttemptScheduledTimestampMs } }) => ({
    inbound: {
      async execute(input, next) {
        const attemptMs = isLocal ? 0 : attemptTimeMs(currentAttemptScheduledTimestampMs, Date.now());
        const args = await Promise.all(input.args.map((arg) => at(database, attemptMs, arg)));
        return next({ ...input, args });
      },
    },
  });
}

/** @returns the time that an attempt works with, from when it was scheduled and when it began. */
export function attemptTimeMs(scheduledMs: number, beginsMs: number): number {
  return beginsMs - scheduledMs > WAITED_MS ? beginsMs : scheduledMs;
}

async function at(database: Database, attemptMs: number, arg: unknown): Promise<unknown> {
  if (!isMoment(arg)) return arg;
  const nowMs = Math.max(arg.nowMs, attemptMs);
  const { devStoreId } = arg;
  if (devStoreId === undefined) return { ...arg, nowMs };
  const now = await storeTimeOf(database, { storeId: devStoreId, devMode: true }, new Date(nowMs));
  return { ...arg, nowMs: now.getTime() };
}

function isMoment(arg: unknown): arg is Moment {
  return typeof arg === 'object' && arg !== null && 'nowMs' in arg;
}
