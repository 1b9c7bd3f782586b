import { type ProductCycle, periodStarts } from './cycle.ts';
import { nextCycleAtOf, type PeriodOfUsage, usageEndsAtOf } from './usage-cycle.ts';

/** How many cycles subscriptions may open during one advance of a clock: some minutes of work. */
export const MOST_CYCLES = 2_000;

/** What {@link countCycles} counts before it yields: some milliseconds of work on a slow machine. */
const STEP = 100;

/** Where a subscription is in its cycles. */
export interface CycleState {
  readonly cycle: ProductCycle;
  readonly anchorAt: Date;
  readonly anchorNumber: number;
  readonly cycleNumber: number;
  readonly cycleEndsAt: Date;
  /** When its next cycle opens, if that charges usage only. */
  readonly usageEndsAt: Date | null;
  readonly plan: PeriodOfUsage['plan'];
  /** No further cycle opens from then on; null if it has no end. */
  readonly cancelAt: Date | null;
}

export interface CycleCount {
  /** The number of cycles that open by the target, up to the maximum. */
  readonly count: number;
  /** The last millisecond before the first cycle beyond the maximum; null if there is none. */
  readonly lastFit: Date | null;
}

interface Next {
  readonly subscription: CycleState;
  readonly startOf: (index: number) => Date;
  /** The end of the plan's period, and which one from the anchor follows it. */
  readonly period: { readonly endsAt: Date; readonly nextIndex: number };
  readonly opensAt: Date;
}

/**
 * Counts the cycles that active subscriptions open by an instant, in order. Stops beyond `most`. Thousands take tens of milliseconds, so it
 * yields now and then, for the caller to let other work run.
 * @param subscriptions the ones whose next cycle opens first: at least `most` + 1, if there are more.
 */
export function* countCycles(
  subscriptions: readonly CycleState[],
  target: Date,
  most: number,
): Generator<undefined, CycleCount> {
  const upcoming: Next[] = [];
  for (const [index, subscription] of subscriptions.entries()) {
    if (index % STEP === STEP - 1) yield;
    const next = nextOf(subscription);
    if (next.opensAt <= target) upcoming.push(next);
  }
  upcoming.sort((one, other) => other.opensAt.getTime() - one.opensAt.getTime());
  for (let count = 0; ; count += 1) {
    if (count % STEP === STEP - 1) yield;
    const first = upcoming.pop();
    if (first === undefined) return { count, lastFit: null };
    if (count === most) return { count, lastFit: new Date(first.opensAt.getTime() - 1) };
    const next = after(first);
    if (next.opensAt <= target && !hasEnded(next)) upcoming.splice(placeOf(upcoming, next), 0, next);
  }
}

function nextOf(subscription: CycleState): Next {
  return {
    subscription,
    startOf: periodStarts(subscription.anchorAt, subscription.cycle),
    period: {
      endsAt: subscription.cycleEndsAt,
      nextIndex: subscription.cycleNumber + 1 - subscription.anchorNumber,
    },
    opensAt: nextCycleAtOf(subscription),
  };
}

function after({ subscription, startOf, period, opensAt }: Next): Next {
  const { anchorAt, plan } = subscription;
  const isUsage = opensAt < period.endsAt;
  const lasting = isUsage
    ? period
    : { endsAt: startOf(period.nextIndex + 1), nextIndex: period.nextIndex + 1 };
  const usageEndsAt = usageEndsAtOf({ anchorAt, plan, cycleEndsAt: lasting.endsAt }, opensAt);
  return { subscription, startOf, period: lasting, opensAt: usageEndsAt ?? lasting.endsAt };
}

function hasEnded({ subscription: { cancelAt }, opensAt }: Next): boolean {
  return cancelAt !== null && opensAt >= cancelAt;
}

/** The position of an item in a list with the earliest one last. */
function placeOf(upcoming: readonly Next[], { opensAt }: Next): number {
  let [low, high] = [0, upcoming.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = upcoming[middle];
    if (other !== undefined && other.opensAt > opensAt) low = middle + 1;
    else high = middle;
  }
  return low;
}
