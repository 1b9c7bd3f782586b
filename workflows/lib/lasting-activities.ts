import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
} from '@temporalio/workflow';
import type { Mutex } from './mutex.ts';

/** Six attempts within about three seconds: enough to reconnect after a lost connection. */
export const FIRST_SECONDS = { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 6 } as const;

/**
 * The limit for all tries of a local activity. A worker reports its task as done after eight seconds, even if the
 * activity still runs. A replay would receive later messages together with the activity's result, could decide in
 * another order, and the run would be stuck. A try may still run while its successor does: every activity is safe
 * to run twice.
 */
const LOCAL_WITHIN = '6s';

/** The regular activity retries without limit, and often enough to continue soon after an outage. */
const UNTIL_IT_WORKS = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

interface Moment {
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

type Transitions = { [name: string]: (input: Moment) => Promise<unknown> };

/**
 * Activities that succeed in the end, however long Postgres or the provider is unavailable. Each begins as a local
 * activity, which costs a quarter of the events and no round trip. After a few seconds it continues as a regular
 * one, whose retries add nothing to the history. The server ends a run at 51 200 events, and a local activity that
 * retries for ever reaches that within days.
 *
 * An activity that begins while another one is running is a regular one from the start. Two consecutive local ones
 * may outlast a task, and a regular one may end in the same task as a local one.
 *
 * A regular activity that is retried works with the time of each attempt (activities/activity-clock.ts).
 * @returns the activities of one run; its local ones share a mutex.
 */
export function lastingActivities<Activities extends object>(
  startToCloseTimeout: '20s',
): (mutex: Mutex) => Activities {
  // Without a limit per attempt: the SDK lowers that to the limit for all attempts. If it fires first, the SDK retries.
  const local = proxyLocalActivities<Transitions>({
    scheduleToCloseTimeout: LOCAL_WITHIN,
    retry: FIRST_SECONDS,
  });
  const regular = proxyActivities<Transitions>({ startToCloseTimeout, retry: UNTIL_IT_WORKS });
  const lasting = (mutex: Mutex, name: string) => async (input: Moment) => {
    const goOn = (at: Moment) => mutex.beside(regular[name]?.(at) ?? Promise.resolve());
    if (mutex.isBusy) return goOn(input);
    try {
      return await mutex.take(async () => local[name]?.(input));
    } catch (error) {
      if (!isOutage(error)) throw error;
      return goOn({ ...input, nowMs: Date.now() });
    }
  };
  return (mutex) => new Proxy({}, { get: (_, name) => lasting(mutex, String(name)) }) as Activities;
}

/** Whether a later attempt may succeed: the activity did not fail with a non-retryable error. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof TemporalFailure) || isCancellation(error)) return false;
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return !(cause instanceof ApplicationFailure && cause.nonRetryable === true);
}
