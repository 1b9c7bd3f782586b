/** Rows per batch: they stay locked during their starts, which takes seconds at most. */
export const BATCH = 50;

const PATIENCE_MS = 5_000;

/**
 * Rows written before this instant are no longer with the process that wrote them. Rows in the future belong to a
 * store whose clock was moved: their age is unknown, and a second start has no effect.
 */
export function patience(now: Date): Date {
  return new Date(now.getTime() - PATIENCE_MS);
}
