import { setTimeout as delay } from 'node:timers/promises';

/** Long enough for a busy machine; a condition that comes true is noticed within a few milliseconds. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** Resolves once `condition` holds. @throws when it does not in time. */
export async function waitFor(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not true after ${TIMEOUT_MS} ms: ${condition}`);
    await delay(POLL_MS);
  }
}
