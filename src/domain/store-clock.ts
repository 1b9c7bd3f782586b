/** The maximum length of one advance. */
export const LONGEST_ADVANCE_YEARS = 5;

/**
 * A moved clock of a store's dev environment. It either stands still while work due by its target is done, or runs
 * ahead of real time.
 */
export interface StoreClock {
  /** How far it is ahead of real time while it runs, in milliseconds. */
  readonly aheadMs: number;
  /** The instant at which it stands still; null while it runs. */
  readonly standsAt: Date | null;
}

/**
 * The time of a store. It is never behind real time, so no timer fires early.
 * @param clock null for a store whose clock was never moved, and in production.
 */
export function storeTime(clock: StoreClock | null, real: Date): Date {
  if (clock === null) return real;
  const shown = clock.standsAt ?? new Date(real.getTime() + clock.aheadMs);
  return shown > real ? shown : real;
}

/** The progress of a clock. Instants are milliseconds since 1970. */
export interface ClockProgress {
  /** Where it was when it was last moved. */
  readonly fromMs: number;
  readonly nowMs: number;
  /** Null once it has arrived and runs. */
  readonly targetMs: number | null;
  /** The number of due instants at which it has stopped. */
  readonly steps: number;
  /** The id of a due item that is not done yet; null if none is known. */
  readonly waitsFor: string | null;
}
