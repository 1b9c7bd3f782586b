import { isKeptPastDue, type PauseCause } from './subscription.ts';
import { nextCycleAtOf } from './usage-cycle.ts';

/** An attempt at a cycle that is open. */
export interface DueAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  /** When it is or was due, in milliseconds since 1970. */
  readonly dueAtMs: number;
  /** Why the previous attempt failed; null if there was none. */
  readonly lastFailure: string | null;
}

/** Where a run of a subscription's workflow continues. Instants are milliseconds since 1970. */
export interface SubscriptionPosition {
  /** The cycle that is charged next or is being charged; the first payment is number 1. */
  readonly nextNumber: number;
  /** When that cycle starts. */
  readonly nextChargeAtMs: number;
  /** Set if the run continues in the middle of a cycle: this attempt is due or under way. */
  readonly resumes?: DueAttempt;
  /** Set if a cancellation is scheduled: when the current cycle ends. */
  readonly cancelAtMs?: number;
  /** Set if it is paused: when the pause ends, or null if somebody ends it. */
  readonly pausedUntilMs?: number | null;
  /** Set if its unpaid cycle waits for the payer, without further attempts; `pausedUntilMs` is null then. */
  readonly awaitsPayment?: true;
}

/** What {@link positionOf} needs of a subscription. */
export interface PositionedSubscription {
  readonly cycleNumber: number;
  readonly cycleStartsAt: Date;
  readonly cycleEndsAt: Date;
  readonly usageStartsAt: Date | null;
  readonly usageEndsAt: Date | null;
  readonly attemptDueAt: Date | null;
  readonly failedAttempts: number;
  readonly lastFailure: string | null;
  readonly cancelAt: Date | null;
  readonly pausedAt: Date | null;
  readonly resumesAt: Date | null;
  readonly pauseCause: PauseCause | null;
}

/**
 * Where a run of the workflow continues, from the row alone: at the next cycle, at an attempt at the open one, or in
 * a pause.
 */
export function positionOf(subscription: PositionedSubscription): SubscriptionPosition {
  const { cycleNumber, cycleStartsAt, usageStartsAt, attemptDueAt, failedAttempts, lastFailure } =
    subscription;
  const { cancelAt, pausedAt, resumesAt } = subscription;
  const cycle =
    attemptDueAt === null
      ? { nextNumber: cycleNumber + 1, nextChargeAtMs: nextCycleAtOf(subscription).getTime() }
      : {
          nextNumber: cycleNumber,
          nextChargeAtMs: (usageStartsAt ?? cycleStartsAt).getTime(),
          resumes: { attempt: failedAttempts + 1, dueAtMs: attemptDueAt.getTime(), lastFailure },
        };
  return {
    ...cycle,
    ...(cancelAt !== null && { cancelAtMs: cancelAt.getTime() }),
    ...(pausedAt !== null && { pausedUntilMs: resumesAt?.getTime() ?? null }),
    ...(isKeptPastDue(subscription) && { awaitsPayment: true as const }),
  };
}
