import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Database } from '../src/database/orm.ts';
import { storeTimeOf } from '../src/database/store-clock.ts';
import type { Moment } from '../workflows/store-clock.contract.ts';

/** Clocks of machines that differ by less are told apart by nobody; an attempt that waited longer has waited. */
const WAITED_MS = 60_000;

/**
 * An activity that is retried works with the time at which it is tried, not with that of its first attempt:
 * after an outage of days a deadline that is counted from then would have passed already. It is the server's
 * time, as the workflow's is, but where the attempt has waited for a worker: of when that began the server tells
 * nothing. A local activity is retried for seconds only and keeps the workflow's.
 *
 * In a dev environment it is the store's time, as its row has it when the activity begins: the run may not have heard
 * yet that the clock was moved.
 * @param clock this machine's, in milliseconds since 1970.
 */
export function activityClock(
  database: Database,
  clock: () => number | Promise<number> = Date.now,
): ActivityInterceptorsFactory {
  return ({ info: { isLocal, currentAttemptScheduledTimestampMs } }) => ({
    inbound: {
      async execute(input, next) {
        const attemptMs = isLocal ? 0 : attemptTimeMs(currentAttemptScheduledTimestampMs, await clock());
        const args = await Promise.all(input.args.map((arg) => at(database, attemptMs, arg)));
        return next({ ...input, args });
      },
    },
  });
}

/** @returns the time that an attempt works with, which was scheduled at one and begins at another. */
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
