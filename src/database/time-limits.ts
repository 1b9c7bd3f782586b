/**
 * How long to wait for a connection and for each of its statements. Without limits, a server that hangs, a network
 * that drops packets, or a lock that stays would block its caller, and in the end every connection of the pool, for
 * ever.
 */
export interface TimeLimits {
  /** For a free connection of the pool, or a new one. */
  readonly connectMs: number;
  /** Until Postgres cancels a statement by itself. */
  readonly statementMs: number;
  /** Until Postgres gives up waiting for a lock. */
  readonly lockMs: number;
  /** Until we abandon a statement that Postgres does not answer, and its connection. */
  readonly answerMs: number;
  /** Until Postgres rolls back a transaction whose process has stopped in the middle. */
  readonly idleInTransactionMs: number;
}

/** A request fails within five seconds if it cannot be answered. */
export const REQUEST_LIMITS: TimeLimits = {
  connectMs: 3_000,
  statementMs: 3_500,
  lockMs: 3_000,
  answerMs: 4_000,
  idleInTransactionMs: 10_000,
};

/** An activity is repeated after 20 seconds; nobody waits for it. */
export const ACTIVITY_LIMITS: TimeLimits = {
  connectMs: 10_000,
  statementMs: 15_000,
  lockMs: 10_000,
  answerMs: 17_000,
  idleInTransactionMs: 30_000,
};
