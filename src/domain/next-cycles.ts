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
  /** The number of cycles that open by the target, up to the maximum. */
  readonly count: number;
  /** The last millisecond before the first cycle beyond the maximum; null if there is none. */
  readonly lastFit: Date | null;
}

interface Next {
  readonly subscription: CycleState;
  readonly number: number;
  readonly opensAt: Date;
}

/**
 * Counts the cycles that active subscriptions open by an instant, in order. Stops beyond `most`.
 * @param subscriptions the ones whose next cycle opens first: at least `most` + 1, if there are more.
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
