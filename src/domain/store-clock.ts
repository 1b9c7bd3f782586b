/**
 * How the clock of a store's dev environment stands that was ever moved. Either it stands still, while what is due
 * by its target happens; or it runs, ahead of real time.
 */
export interface StoreClock {
  /** By how much it is ahead of real time where it runs, in milliseconds. */
  readonly aheadMs: number;
  /** The instant at which it stands still; null where it runs. */
  readonly standsAt: Date | null;
}

/**
 * The time of a store. It is never behind real time, whose timers must not come before what they wait for.
 * @param clock null for a store whose clock was never moved, and in production.
 */
export function storeTime(clock: StoreClock | null, real: Date): Date {
  if (clock === null) return real;
  const shown = clock.standsAt ?? new Date(real.getTime() + clock.aheadMs);
  return shown > real ? shown : real;
}

/** How far a clock has come. Instants are milliseconds since 1970. */
export interface ClockProgress {
  /** Where it stood when it was last moved. */
  readonly fromMs: number;
  readonly nowMs: number;
  /** Null once it has come there, and runs. */
  readonly targetMs: number | null;
  /** At how many instants it has stopped on the way, because something was due. */
  readonly steps: number;
  /** The id of something that is due, and has not happened yet; null where nothing is known to be. */
  readonly waitsFor: string | null;
}
