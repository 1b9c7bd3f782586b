/**
 * Where a delivery stands (contract section 7): PENDING while attempts remain, DELIVERED after a 2xx,
 * FAILED when the schedule is exhausted or the endpoint is gone, disabled or deleted.
 */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Pause after each failed attempt to deliver a webhook, in milliseconds, about three days in all (contract
 * section 7). Short at first, since most failures are a deploy or a hiccup; long at the end, so that a
 * weekend outage is survived.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * Share of a delay by which it may be shortened or lengthened (contract section 7), so that retries do not
 * come in waves.
 */
const JITTER = 0.1;

/**
 * How long to wait after a failed attempt before the next one, or `null` when no attempt is left.
 *
 * @param attemptNumber the attempt that has just failed; the first delivery is 1, so the last is 11.
 * @param random01 a number from 0 up to 1. Workflows pass `Math.random()`, which Temporal makes
 *   deterministic.
 */
export function retryDelayMs(attemptNumber: number, random01: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attemptNumber - 1];
  if (delayMs === undefined) return null;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random01));
}
