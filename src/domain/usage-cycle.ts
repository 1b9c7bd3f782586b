import { firstPeriodAfter, monthsOf, type ProductCycle, periodStarts } from './cycle.ts';

/** How often usage can be charged within a longer cycle of a plan (contract section 6.7). */
export const USAGE_CYCLES = [
  'MONTHLY',
  'QUARTERLY',
  'SEMIANNUALLY',
] as const satisfies readonly ProductCycle[];
export type UsageCycle = (typeof USAGE_CYCLES)[number];

/** Whether several whole periods of usage make up a cycle of the plan. Weeks do not make up months. */
export function dividesCycle(usageCycle: UsageCycle, cycle: ProductCycle): boolean {
  if (cycle === 'WEEKLY') return false;
  const [usageMonths, months] = [monthsOf(usageCycle), monthsOf(cycle)];
  return usageMonths < months && months % usageMonths === 0;
}

/** A period of a plan, and how often usage is charged within it. */
export interface PeriodOfUsage {
  readonly anchorAt: Date;
  readonly plan: { readonly usageCycle?: UsageCycle };
  readonly cycleEndsAt: Date;
}

/**
 * When usage is charged next by itself. Periods of usage are counted from the anchor of the plan, so both fall on the same day of
 * the month. The anchor may follow the period, after a pause.
 * @param after the usage up to then is charged already.
 * @returns null if the plan's next cycle comes first, which charges usage too.
 */
export function usageEndsAtOf({ anchorAt, plan, cycleEndsAt }: PeriodOfUsage, after: Date): Date | null {
  const { usageCycle } = plan;
  if (usageCycle === undefined) return null;
  const index = firstPeriodAfter(anchorAt, usageCycle, after, Number.NEGATIVE_INFINITY);
  const endsAt = periodStarts(anchorAt, usageCycle)(index);
  return endsAt < cycleEndsAt ? endsAt : null;
}

/** What {@link isUsageNext} needs of a subscription. */
export interface NextCycleDates {
  readonly cycleEndsAt: Date;
  readonly usageEndsAt: Date | null;
}

/** Whether the next cycle charges usage only. After an outage beyond the end of the plan's period, the plan's cycle charges it. */
export function isUsageNext({ cycleEndsAt, usageEndsAt }: NextCycleDates, now: Date): boolean {
  return usageEndsAt !== null && cycleEndsAt > now;
}

/** When the next cycle opens, of usage or of the plan. */
export function nextCycleAtOf({ cycleEndsAt, usageEndsAt }: NextCycleDates): Date {
  return usageEndsAt ?? cycleEndsAt;
}
