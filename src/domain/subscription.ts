import type { ProductCycle } from './cycle.ts';
import type { SubscriptionId } from './ids.ts';
import { roundHalfUpDivide } from './money.ts';
import { nextCycleAtOf } from './usage-cycle.ts';

/** Contract section 6. A checkout that awaits its first payment has no subscription yet. */
export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'CANCELLED'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** How a subscription ended: at once, or with a period. */
export const CANCEL_POLICIES = ['NOW', 'AT_PERIOD_END'] as const;
export type CancelPolicy = (typeof CANCEL_POLICIES)[number];

/**
 * Why nothing is charged after the last failed attempt at a cycle, if the store does not want the subscription cancelled.
 * - RETRIES_EXCEEDED: it is paused, and the unpaid cycle is given up.
 * - PAST_DUE: it stays past due. The unpaid cycle can still be paid, and no attempt follows by itself.
 */
export const PAUSE_CAUSES = ['RETRIES_EXCEEDED', 'PAST_DUE'] as const;
export type PauseCause = (typeof PAUSE_CAUSES)[number];

/**
 * How a subscription stands, in more detail than its status. Later releases may add states, so a program should accept unknown ones.
 * - TRIALING: in its trial.
 * - ACTIVE: nothing is overdue. The current cycle is paid, or its first attempt still runs.
 * - PAST_DUE: an attempt at the current cycle has failed. Another one follows, or the cycle waits for its payer. A cancellation may be
 *   scheduled as well.
 * - PAUSED: nothing is charged until it is resumed.
 * - CANCELLING: it ends with the current cycle.
 * - CANCELLED: it has ended.
 */
export const SUBSCRIPTION_STATES = [
  'TRIALING',
  'ACTIVE',
  'PAST_DUE',
  'PAUSED',
  'CANCELLING',
  'CANCELLED',
] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** What {@link subscriptionStateOf} needs of a subscription. */
export interface SubscriptionStanding {
  readonly status: SubscriptionStatus;
  /** Failed attempts at the current cycle. */
  readonly failedAttempts: number;
  /** 0 during the trial. */
  readonly cycleNumber: number;
  /** When a scheduled cancellation takes effect. */
  readonly cancelAt: Date | null;
  readonly pausedAt: Date | null;
  readonly pauseCause: PauseCause | null;
}

/** Whether it is paused: nothing is charged, and there is no cycle to pay. */
export function isPaused({
  pausedAt,
  pauseCause,
}: Pick<SubscriptionStanding, 'pausedAt' | 'pauseCause'>): boolean {
  return pausedAt !== null && pauseCause !== 'PAST_DUE';
}

/** Whether its unpaid cycle waits for the payer, without further attempts. */
export function isKeptPastDue({ pauseCause }: Pick<SubscriptionStanding, 'pauseCause'>): boolean {
  return pauseCause === 'PAST_DUE';
}

/** The state of a subscription, from its row alone. */
export function subscriptionStateOf({
  status,
  failedAttempts,
  cycleNumber,
  cancelAt,
  pausedAt,
  pauseCause,
}: SubscriptionStanding): SubscriptionState {
  if (status !== 'ACTIVE') return status;
  if (isPaused({ pausedAt, pauseCause })) return 'PAUSED';
  if (failedAttempts > 0) return 'PAST_DUE';
  if (cancelAt !== null) return 'CANCELLING';
  return cycleNumber === 0 ? 'TRIALING' : 'ACTIVE';
}

/** Attempts of one cycle that somebody may ask for, beside those of the retry policy. */
export const MOST_EXTRA_ATTEMPTS = 10;

/** Whether another attempt at an overdue cycle can be made before it is due by itself: none is under way. */
export function canBePaidNow(
  subscription: SubscriptionStanding & { readonly attemptDueAt: Date | null },
  now: Date,
): boolean {
  const { status, failedAttempts, attemptDueAt } = subscription;
  if (status !== 'ACTIVE' || failedAttempts === 0 || isPaused(subscription)) return false;
  return isKeptPastDue(subscription) || (attemptDueAt !== null && attemptDueAt > now);
}

/** What {@link nextChargeAtOf} needs of a subscription. */
export interface SubscriptionDates {
  readonly status: SubscriptionStatus;
  /** When the newest attempt at the open cycle is or was due; null while no cycle is open. */
  readonly attemptDueAt: Date | null;
  readonly cycleEndsAt: Date;
  readonly usageEndsAt: Date | null;
  readonly cancelAt: Date | null;
  readonly pausedAt: Date | null;
}

/**
 * When a subscription is charged next: another attempt at the open cycle, or the start of the next one, of usage too.
 * @returns null if nothing is charged: it has ended, ends before, or is paused.
 */
export function nextChargeAtOf(subscription: SubscriptionDates, now: Date): Date | null {
  const { status, attemptDueAt, cancelAt, pausedAt } = subscription;
  if (status !== 'ACTIVE' || pausedAt !== null) return null;
  const next = attemptDueAt !== null && attemptDueAt > now ? attemptDueAt : nextCycleAtOf(subscription);
  return cancelAt !== null && next >= cancelAt ? null : next;
}

/**
 * The seed of a cycle charge's id, so that a repeated attempt orders the same charge at the provider.
 * @param generation counts the attempt's codes from 0: each later one replaces a dead one.
 */
export function cycleChargeSeed(
  subscriptionId: SubscriptionId,
  cycleNumber: number,
  attempt: number,
  generation = 0,
): string {
  const seed = `${subscriptionId}/${cycleNumber}/${attempt}`;
  return generation === 0 ? seed : `${seed}/${generation}`;
}

/** Cycles of each kind in a year. */
const CYCLES_PER_YEAR: Readonly<Record<ProductCycle, number>> = {
  WEEKLY: 52,
  MONTHLY: 12,
  QUARTERLY: 4,
  SEMIANNUALLY: 2,
  ANNUALLY: 1,
};

/**
 * Monthly recurring revenue in cents: what each cycle's subscriptions pay in a year, divided by twelve,
 * rounded half up once over all of them (contract section 6).
 * @param cycleCents the sum of what is charged per cycle, by kind of cycle.
 */
export function mrrCentsOf(cycleCents: Partial<Record<ProductCycle, number>>): number {
  const yearCents = Object.entries(cycleCents).reduce(
    (sum, [cycle, cents]) => sum + BigInt(cents) * BigInt(CYCLES_PER_YEAR[cycle as ProductCycle]),
    0n,
  );
  return roundHalfUpDivide(yearCents, 12n);
}
