import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
} from '@temporalio/workflow';
import type { Mutex } from './mutex.ts';
import { whatComesBesideIsRegular } from './versions.ts';

/** Six attempts within about three seconds: a connection that was cut has been made anew by then. */
export const FIRST_SECONDS = { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 6 } as const;

/**
 * All tries of a local activity together. It ends well within the eight seconds after which a worker reports its task as
 * done with the activity still running. What the run is told from then on is replayed together with the activity's
 * result, may be decided in another order, and the run is stuck. A try that was under way goes on beside its successor:
 * every activity may run twice.
 */
const LOCAL_WITHIN = '6s';

/** From then on for as long as it takes, and soon enough after what was away is back. */
const UNTIL_IT_WORKS = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

interface Moment {
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

type Transitions = { [name: string]: (input: Moment) => Promise<unknown> };

/**
 * Activities that are done in the end, however long Postgres or the provider is away. Each begins as a local
 * activity, which costs a quarter of the events and no round trip. After a few seconds it goes on as a regular
 * one, whose retries add nothing to the history: the server ends a run of 51 200 events, which a local
 * activity that is retried for ever reaches within days. What comes while another activity of the run is
 * under way is a regular one from its beginning: two local ones after each other may last longer than a task, and the end of
 * a regular one may come in the task in which a local one ends.
 *
 * A regular activity that is retried works with the time of each attempt (activities/activity-clock.ts).
 * @returns the activities of one run, whose local ones take turns.
 */
export function lastingActivities<Activities extends object>(
  startToCloseTimeout: '20s',
): (mutex: Mutex) => Activities {
  const local = proxyLocalActivities<Transitions>({
    startToCloseTimeout,
    scheduleToCloseTimeout: LOCAL_WITHIN,
    retry: FIRST_SECONDS,
  });
  const regular = proxyActivities<Transitions>({ startToCloseTimeout, retry: UNTIL_IT_WORKS });
  const lasting = (mutex: Mutex, name: string) => async (input: Moment) => {
    const goOn = (at: Moment) => mutex.beside(regular[name]?.(at) ?? Promise.resolve());
    if (mutex.isBusy && whatComesBesideIsRegular()) return goOn(input);
    try {
      return await mutex.take(async () => local[name]?.(input));
    } catch (error) {
      if (!isOutage(error)) throw error;
      return goOn({ ...input, nowMs: Date.now() });
    }
  };
  return (mutex) => new Proxy({}, { get: (_, name) => lasting(mutex, String(name)) }) as Activities;
}

/** Whether an activity was given up that may work later: it did not say itself that it never will. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof TemporalFailure) || isCancellation(error)) return false;
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return !(cause instanceof ApplicationFailure && cause.nonRetryable === true);
}
