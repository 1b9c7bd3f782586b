import { cyclePeriod, type ProductCycle } from './cycle.ts';

/** How many cycles subscriptions may open during one advance of a clock: some minutes of work. */
export const MOST_CYCLES = 2_000;

/** Where a subscription is in its cycles. */
export interface CycleState {
  readonly cycle: ProductCycle;
  readonly anchorAt: Date;
  readonly anchorNumber: number;
  readonly cycleNumber: number;
  /** When its next cycle opens. */
  readonly cycleEndsAt: Date;
}

export interface CycleCount {
  /** How many cycles open by the target, up to the most. */
  readonly count: number;
  /** The last millisecond before the first cycle beyond the most; null where all are within it. */
  readonly lastFit: Date | null;
}

interface Next {
  readonly subscription: CycleState;
  readonly number: number;
  readonly opensAt: Date;
}

/**
 * Counts the cycles that active subscriptions open by an instant, in the order in which they do. Beyond `most` it stops.
 * @param subscriptions those whose next cycle opens first, at least `most` + 1 of them where there are more.
 */
export function countCycles(subscriptions: readonly CycleState[], target: Date, most: number): CycleCount {
  const upcoming = subscriptions
    .map(
      (subscription): Next => ({
        subscription,
        number: subscription.cycleNumber + 1,
        opensAt: subscription.cycleEndsAt,
      }),
    )
    .filter(({ opensAt }) => opensAt <= target)
    .sort((one, other) => other.opensAt.getTime() - one.opensAt.getTime());
  for (let count = 0; ; count += 1) {
    const first = upcoming.pop();
    if (first === undefined) return { count, lastFit: null };
    if (count === most) return { count, lastFit: new Date(first.opensAt.getTime() - 1) };
    const next = after(first);
    if (next.opensAt <= target) upcoming.splice(placeOf(upcoming, next), 0, next);
  }
}

function after({ subscription, number }: Next): Next {
  const { anchorAt, cycle, anchorNumber } = subscription;
  const { endsAt } = cyclePeriod(anchorAt, cycle, number - anchorNumber);
  return { subscription, number: number + 1, opensAt: endsAt };
}

/** Where one belongs in a list whose last one opens first. */
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
