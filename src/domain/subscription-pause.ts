import { firstPeriodFrom, type ProductCycle, periodStarts } from './cycle.ts';

/** What the end of a pause needs of a subscription. */
export interface PausedCycle {
  readonly cycle: ProductCycle;
  readonly anchorAt: Date;
  readonly anchorNumber: number;
  readonly cycleNumber: number;
  readonly cycleStartsAt: Date;
  readonly cycleEndsAt: Date;
  readonly pausedAt: Date;
  readonly keepsAnchor: boolean;
  /** The end of the current cycle if it was not paid, so that a pause has given it up; null if it is paid, or is the trial. */
  readonly unpaidUntil: Date | null;
}

/** How the cycles after a pause are counted: the next one starts at `cycleEndsAt`. */
export interface ResumedCycle {
  readonly anchorAt: Date;
  readonly anchorNumber: number;
  readonly cycleEndsAt: Date;
}

/**
 * The dates of a subscription that is resumed (decision 27). No missed cycle is charged.
 * - With its anchor: the next cycle starts on the next of its usual dates. A period that was not paid and still lasts
 *   is charged first, so that a pause is no way around a payment.
 * - Without: the rest of the paid cycle follows the pause, and every later cycle moves by its length.
 */
export function resumedCycle(paused: PausedCycle, now: Date): ResumedCycle {
  const { anchorAt, anchorNumber, cycle, cycleNumber, cycleEndsAt, keepsAnchor, unpaidUntil } = paused;
  const next = cycleNumber + 1;
  if (!keepsAnchor) {
    const restMs = unpaidUntil === null ? Math.max(0, cycleEndsAt.getTime() - paused.pausedAt.getTime()) : 0;
    const startsAt = new Date(now.getTime() + restMs);
    return { anchorAt: startsAt, anchorNumber: next, cycleEndsAt: startsAt };
  }
  if (unpaidUntil !== null && unpaidUntil > now)
    return { anchorAt, anchorNumber: anchorNumber + 1, cycleEndsAt: paused.cycleStartsAt };
  // Also after an earlier pause that outlasted the unpaid period: it has set when the next cycle starts.
  if (cycleEndsAt > now) return { anchorAt, anchorNumber, cycleEndsAt };
  const index = firstPeriodFrom(anchorAt, cycle, now, next - anchorNumber);
  return { anchorAt, anchorNumber: next - index, cycleEndsAt: periodStarts(anchorAt, cycle)(index) };
}
