import { ApiError, ConnectionError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/** A caller should not be kept waiting longer than this: it gets the error with its `retryAfterSeconds`. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Answers after which the same request may succeed. Every POST has a key, so repeating it is safe. */
const TEMPORARY = new Set([429, 500, 502, 503, 504]);

/**
 * How long to wait before the next attempt, or null to give up.
 * @param attempt how many attempts have failed, from 1.
 */
export function retryDelayMs(error: unknown, attempt: number): number | null {
  if (!isTemporary(error)) return null;
  const afterMs =
    error instanceof ApiError && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1_000 : 0;
  if (afterMs > LONGEST_RETRY_AFTER_MS) return null;
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  // Clients that failed together should not come back together.
  return Math.max(afterMs, backoffMs * (0.5 + Math.random() / 2));
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  // The first attempt may still be running when the second one arrives.
  return TEMPORARY.has(error.status) || error.code === 'IDEMPOTENCY_KEY_IN_FLIGHT';
}
