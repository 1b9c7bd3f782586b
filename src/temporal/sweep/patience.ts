/** Rows taken at once: those that stay locked while they are started do so for seconds at most. */
export const BATCH = 50;

const PATIENCE_MS = 5_000;

/**
 * What was written before it is not with the process any more that wrote it. Rows of the future are those of a store
 * whose clock was moved: how old they are is not known, and what is started twice is started once.
 */
export function patience(now: Date): Date {
  return new Date(now.getTime() - PATIENCE_MS);
}
