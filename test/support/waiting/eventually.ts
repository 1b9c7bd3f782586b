import { setTimeout as delay } from 'node:timers/promises';

/** Long enough for what a machine does in a moment that is busy with other things for most of it. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Repeats `check`, usually a read and an expectation of it, until it no longer throws.
 * @returns what it returned then.
 * @throws the last error if it still fails after `timeoutMs`.
 */
export async function eventually<Result>(
  check: () => Promise<Result> | Result,
  timeoutMs = TIMEOUT_MS,
): Promise<Result> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await delay(POLL_MS);
    }
  }
}
