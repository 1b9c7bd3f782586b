import { roundHalfUpDivide } from './money.ts';

/**
 * How a plan that changes within a cycle is charged (decision 29).
 * - NONE: nothing is charged or credited. The new price applies from the next cycle.
 * - DIFFERENCE: the cycle keeps its end. The rest of it is charged at the new price, less what was paid for it already.
 * - FULL: a whole cycle of the new plan begins. The rest of the old one becomes credit.
 */
export type Proration = 'NONE' | 'DIFFERENCE' | 'FULL';

/** A part of a period in which one price applied. A period without a change has one part. */
export interface PeriodPart {
  /** The number of the period's first cycle. */
  readonly periodNumber: number;
  /** How long the whole period lasts. */
  readonly periodSeconds: number;
  /** How much of the period was left when this part began. */
  readonly remainingSeconds: number;
  /** What the plan costs for a whole period, less its coupon. */
  readonly priceCents: number;
  /** What was charged for this part: negative if earlier parts had charged too much. */
  readonly planCents: number;
}

/**
 * What the rest of a period costs at another price, in cents. The whole period costs the sum of price × time, rounded once,
 * however often the price changes; what its earlier parts have charged is taken off.
 * @param parts those before, in their order, with at least one.
 * @returns negative if earlier parts have charged more than the whole period costs now.
 */
export function restOfPeriodCents(
  parts: readonly PeriodPart[],
  priceCents: number,
  remainingSeconds: number,
): number {
  const rest = BigInt(priceCents) * BigInt(remainingSeconds);
  return rounded(usedCentSeconds(parts, remainingSeconds) + rest, parts) - chargedCents(parts);
}

/** What was charged for the rest of a period and is not used, in cents. */
export function unusedCents(parts: readonly PeriodPart[], remainingSeconds: number): number {
  return chargedCents(parts) - rounded(usedCentSeconds(parts, remainingSeconds), parts);
}

/** Whole seconds from one instant to another; none if it is over. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000));
}

/** The sum of price × time up to the moment from which so many seconds are left. */
function usedCentSeconds(parts: readonly PeriodPart[], remainingSeconds: number): bigint {
  return parts.reduce((sum, part, index) => {
    const until = parts[index + 1]?.remainingSeconds ?? remainingSeconds;
    return sum + BigInt(part.priceCents) * BigInt(Math.max(0, part.remainingSeconds - until));
  }, 0n);
}

function chargedCents(parts: readonly PeriodPart[]): number {
  return parts.reduce((sum, { planCents }) => sum + planCents, 0);
}

function rounded(centSeconds: bigint, [first]: readonly PeriodPart[]): number {
  if (first === undefined) throw new RangeError('a period has parts');
  return roundHalfUpDivide(centSeconds, BigInt(first.periodSeconds));
}

/** The least that is charged for a part of a period: providers refuse smaller payments. */
export const LEAST_PRORATED_CENTS = 100;

/** What a whole cycle of this price costs after the credit. */
export function lessCreditCents(priceCents: number, creditCents: number): number {
  return settledCycle({ planCents: priceCents, usageCents: 0, creditCents, isPart: false }).amountCents;
}

/** What a cycle consists of when it is charged. */
export interface CycleToSettle {
  /** The plan less its coupon; negative if earlier parts of the period had charged too much. */
  readonly planCents: number;
  readonly usageCents: number;
  /** The subscription's credit; negative for a small amount that an earlier cycle has left open. */
  readonly creditCents: number;
  /** Whether it covers a part of a period only. */
  readonly isPart: boolean;
}

/** What is charged, and what happens to the credit. `amountCents` + `creditUsedCents` is plan + usage, always. */
export interface SettledCycle {
  readonly amountCents: number;
  readonly creditUsedCents: number;
  readonly creditLeftCents: number;
}

/**
 * Pays a cycle from the subscription's credit first. What is left of the credit stays for later cycles: nothing is paid out. Less
 * than {@link LEAST_PRORATED_CENTS} for a part of a period is charged with the next cycle.
 */
export function settledCycle({ planCents, usageCents, creditCents, isPart }: CycleToSettle): SettledCycle {
  const costCents = planCents + usageCents;
  const due = Math.max(0, costCents - creditCents);
  const amountCents = isPart && due < LEAST_PRORATED_CENTS ? 0 : due;
  const creditUsedCents = costCents - amountCents;
  return { amountCents, creditUsedCents, creditLeftCents: creditCents - creditUsedCents };
}

/** The same cycle, paid by a debit of an amount that was fixed before: the difference becomes credit, or is left open. */
export function takenByDebit(settled: SettledCycle, debitCents: number | undefined): SettledCycle {
  if (debitCents === undefined) return settled;
  const differenceCents = debitCents - settled.amountCents;
  return {
    amountCents: debitCents,
    creditUsedCents: settled.creditUsedCents - differenceCents,
    creditLeftCents: settled.creditLeftCents + differenceCents,
  };
}
