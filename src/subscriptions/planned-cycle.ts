import type { Cycle } from '../database/entities/cycle.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import { discountCentsOf } from '../domain/coupon.ts';
import { cyclePeriod } from '../domain/cycle.ts';
import { cyclePriceOf, recurringDiscountCentsOf } from '../domain/cycle-price.ts';
import type { CycleId } from '../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import type { Payer } from '../domain/payer.ts';
import {
  type PeriodPart,
  restOfPeriodCents,
  secondsBetween,
  settledCycle,
  takenByDebit,
} from '../domain/proration.ts';
import { usageEndsAtOf } from '../domain/usage-cycle.ts';
import { derivedId } from '../ids.ts';

/** A cycle that is about to open. */
export interface CycleToPlan {
  /** With the plan, the dates and the credit that apply to this cycle. */
  readonly subscription: Subscription;
  readonly number: number;
  readonly usageCents: number;
  /** Set if it covers the rest of a period that has begun: since when, and the parts that were paid. */
  readonly rest: { readonly startsAt: Date; readonly paidParts: readonly PeriodPart[] } | null;
  /**
   * What a debit that was ordered before takes; absent without one. What the cycle costs more or less by now is carried to the next
   * one, as credit.
   */
  readonly debitCents?: number;
}

/** A cycle and its owner. */
export interface OpenCycle {
  readonly subscription: Subscription;
  readonly cycle: Cycle;
  /** The payer of the first payment, as given then. */
  readonly payer: Payer;
}

/** A cycle, and what its opening changes in the row of its subscription. */
export interface PlannedCycle {
  readonly cycle: Cycle;
  readonly change: Partial<Subscription>;
}

/**
 * What a cycle costs and how long it lasts. It reads and writes nothing, so a preview shows what will be charged.
 * @param now when it opens.
 */
export function plannedCycle(planned: CycleToPlan, now: Date): PlannedCycle {
  const { subscription, number, usageCents, rest } = planned;
  const { id, anchorAt, anchorNumber } = subscription;
  const period = cyclePeriod(anchorAt, subscription.cycle, number - anchorNumber);
  const startsAt = rest?.startsAt ?? period.startsAt;
  const { endsAt } = period;
  const { discountCents, planCents, discount, recurringDiscountCents, part } = priceOf(planned, endsAt);
  const costs = Math.min(planCents + usageCents, MAX_AMOUNT_CENTS) - usageCents;
  const settled = takenByDebit(
    settledCycle({
      planCents: costs,
      usageCents,
      creditCents: subscription.creditCents,
      isPart: part !== null,
    }),
    planned.debitCents,
  );
  const cycle: Cycle = {
    id: derivedId<CycleId>('cycle', startsAt, `${id}/${number}`),
    subscriptionId: id,
    number,
    status: 'PENDING',
    amountCents: settled.amountCents,
    discountCents,
    usageCents,
    creditCents: settled.creditUsedCents,
    part,
    isUsage: false,
    startsAt,
    endsAt,
    paidByChargeId: null,
    createdAt: now,
  };
  const change = {
    discount,
    recurringDiscountCents,
    creditCents: settled.creditLeftCents,
    cycleNumber: number,
    cycleStartsAt: startsAt,
    cycleEndsAt: endsAt,
    usageStartsAt: null,
    usageEndsAt: usageEndsAtOf(
      { anchorAt, plan: subscription.plan, cycleEndsAt: endsAt },
      now > startsAt ? now : startsAt,
    ),
    failedAttempts: 0,
    lastFailure: null,
    extraAttempts: 0,
    attemptDueAt: now,
    updatedAt: now,
  };
  return { cycle, change };
}

/**
 * A cycle of usage only, within a period of the plan (decision 29). It reads and writes nothing, as {@link plannedCycle}. The plan keeps
 * its period, and a coupon its cycles. Less than R$ 1.00 is left open for the next cycle, because providers refuse smaller payments.
 * @param now when it opens.
 */
export function plannedUsageCycle(subscription: Subscription, usageCents: number, now: Date): PlannedCycle {
  const { id, cycleStartsAt, usageStartsAt, usageEndsAt: endsAt, discount } = subscription;
  if (endsAt === null) throw new Error(`the next cycle of ${id} is the plan's`);
  const number = subscription.cycleNumber + 1;
  const isFree = usageCents === 0;
  const { creditCents } = subscription;
  const settled = isFree
    ? { amountCents: 0, creditUsedCents: 0, creditLeftCents: creditCents }
    : settledCycle({ planCents: 0, usageCents, creditCents, isPart: true });
  const cycle: Cycle = {
    id: derivedId<CycleId>('cycle', endsAt, `${id}/${number}`),
    subscriptionId: id,
    number,
    status: isFree ? 'PAID' : 'PENDING',
    amountCents: settled.amountCents,
    discountCents: 0,
    usageCents,
    creditCents: settled.creditUsedCents,
    part: null,
    isUsage: true,
    startsAt: usageStartsAt ?? cycleStartsAt,
    endsAt,
    paidByChargeId: null,
    createdAt: now,
  };
  const change = {
    discount: discount && { ...discount, lastNumber: discount.lastNumber && discount.lastNumber + 1 },
    creditCents: settled.creditLeftCents,
    cycleNumber: number,
    anchorNumber: subscription.anchorNumber + 1,
    usageStartsAt: endsAt,
    usageEndsAt: usageEndsAtOf(subscription, now > endsAt ? now : endsAt),
    failedAttempts: 0,
    lastFailure: null,
    extraAttempts: 0,
    attemptDueAt: isFree ? null : now,
    updatedAt: now,
  };
  return { cycle, change };
}

/** Whether a cycle has no charge: nothing was used in its period. */
export function hasNoCharge({ isUsage, usageCents }: Pick<Cycle, 'isUsage' | 'usageCents'>): boolean {
  return isUsage && usageCents === 0;
}

/** When a cycle opened: a cycle of usage charges the period before it. */
export function openedAtOf({
  isUsage,
  startsAt,
  endsAt,
}: Pick<Cycle, 'isUsage' | 'startsAt' | 'endsAt'>): Date {
  return isUsage ? endsAt : startsAt;
}

/** What the plan costs in this cycle: for the whole period, or for the rest of it. */
function priceOf({ subscription, number, rest }: CycleToPlan, endsAt: Date) {
  const { amountCents: planCents, discount } = subscription;
  if (rest === null) {
    const priced = { number, planCents, usageCents: 0, discount };
    const { discountCents, amountCents } = cyclePriceOf(priced);
    const recurringDiscountCents = recurringDiscountCentsOf(priced);
    return { discountCents, planCents: amountCents, discount, recurringDiscountCents, part: null };
  }
  const { paidParts } = rest;
  // The period counts once for the coupon, in however many parts it is charged.
  const kept = discount && { ...discount, lastNumber: discount.lastNumber && discount.lastNumber + 1 };
  const price = cyclePriceOf({ number, planCents, usageCents: 0, discount: kept }).amountCents;
  const remainingSeconds = secondsBetween(rest.startsAt, endsAt);
  const first = paidParts[0];
  if (first === undefined) throw new Error('the rest of a period follows a part that was paid');
  const part = {
    periodNumber: first.periodNumber,
    periodSeconds: first.periodSeconds,
    remainingSeconds,
    priceCents: price,
    planCents: restOfPeriodCents(paidParts, price, remainingSeconds),
  };
  const isDiscountedLater = discount !== null && subscription.recurringDiscountCents > 0;
  return {
    // Its share is part of the price: a receipt shows one line.
    discountCents: 0,
    planCents: part.planCents,
    discount: kept,
    recurringDiscountCents: isDiscountedLater ? discountCentsOf(discount, planCents) : 0,
    part,
  };
}
