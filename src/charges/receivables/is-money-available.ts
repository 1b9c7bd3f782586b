/** By how much the clock of the bank that reports a payment may be ahead of the workflow's. */
const CLOCK_DIFFERENCE_MS = 10_000;

/**
 * Whether the money of a payment is available when it is accepted. A method that settles at once does so although
 * the bank's clock is a few seconds ahead. A payment that is dated further in the future waits for its time.
 */
export function isMoneyAvailable(settlesAt: Date, paidAt: Date, now: Date): boolean {
  if (settlesAt <= now) return true;
  return settlesAt <= paidAt && settlesAt.getTime() - now.getTime() <= CLOCK_DIFFERENCE_MS;
}
