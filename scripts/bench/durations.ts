/** How long each part of a round takes. */
export interface Durations {
  /** Inserts, starts and completions, for this long each. */
  readonly ceilingMs: number;
  readonly burstMs: number;
  readonly sustainedMs: number;
  readonly halfRateMs: number;
  readonly chargesMs: number;
  /** Payments made one at a time. */
  readonly payments: number;
  /** Charges that exist before the measurements. Zero skips this scenario. */
  readonly filledCharges: number;
  /** Deliveries of another store that wait for endpoints that time out. */
  readonly waitingDeliveries: number;
  /** Subscriptions of the store whose clock is advanced by a year. */
  readonly clocked: number;
  /** The number of subscriptions, cycles and parts. */
  readonly subscriptions: { readonly count: number; readonly cycles: number; readonly parts: number };
  /** The number of subscriptions and cycles of one store, alternately by card and by debit. */
  readonly debits: { readonly count: number; readonly cycles: number; readonly turns: number };
}

/**
 * The burst's length and the numbers of payments and subscriptions are part of the targets.
 */
export const FULL: Durations = {
  ceilingMs: 5_000,
  burstMs: 30_000,
  sustainedMs: 10_000,
  halfRateMs: 10_000,
  chargesMs: 15_000,
  payments: 200,
  filledCharges: 3_000_000,
  waitingDeliveries: 2_000,
  clocked: 100,
  subscriptions: { count: 2_000, cycles: 12, parts: 5 },
  debits: { count: 100, cycles: 6, turns: 3 },
};

/** A short run to see the direction of a change. Its figures vary more. */
export const QUICK: Durations = {
  ceilingMs: 2_000,
  burstMs: 5_000,
  sustainedMs: 4_000,
  halfRateMs: 4_000,
  chargesMs: 6_000,
  payments: 60,
  filledCharges: 300_000,
  waitingDeliveries: 2_000,
  clocked: 20,
  subscriptions: { count: 200, cycles: 6, parts: 2 },
  debits: { count: 40, cycles: 3, turns: 2 },
};

/** The warm-up: code is compiled, connections are opened, and query plans are made. */
export const WARM_UP: Durations = {
  ceilingMs: 500,
  burstMs: 2_000,
  sustainedMs: 500,
  halfRateMs: 500,
  chargesMs: 3_000,
  payments: 10,
  filledCharges: 0,
  waitingDeliveries: 40,
  clocked: 2,
  subscriptions: { count: 20, cycles: 1, parts: 1 },
  debits: { count: 5, cycles: 1, turns: 1 },
};
