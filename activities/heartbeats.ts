import { heartbeat } from '@temporalio/activity';

/** A third of the timeout in `workflows/lib/activity-options.ts`, so that one late heartbeat does not time out. */
const HEARTBEAT_EVERY_MS = 3_000;

/**
 * Sends heartbeats while `work` runs. The server notices a dead worker within seconds and gives its work to
 * another. Work shorter than the interval costs nothing.
 */
export async function withHeartbeats<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
