import { heartbeat } from '@temporalio/activity';

/** A third of the timeout in `workflows/activity-options.ts`, so that one late heartbeat is no death. */
const HEARTBEAT_EVERY_MS = 3_000;

/**
 * Tells Temporal while `work` runs that its worker is alive: one that died is noticed within seconds, and its
 * work given to another. Work shorter than the interval costs nothing.
 */
export async function withHeartbeats<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
