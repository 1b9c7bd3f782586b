import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { type Proration, secondsBetween, unusedCents } from '../domain/proration.ts';
import { foundOf } from './found-for-opening.ts';
import { type NewPlan, planNow } from './next-opening.ts';
import { openingWith, writeOpening } from './open-cycle.ts';
import { paidPartsOf } from './period-parts.ts';
import type { CycleToPlan } from './planned-cycle.ts';

/** The plan of a change, and how it is charged. */
export type PlanNow = NewPlan & { readonly proration: Proration };

/**
 * Whether a plan may change within the current cycle of a subscription: it is paid, nothing is paused, and no cancellation is
 * scheduled. The next cycle of one that ends, or that is paused, is not known yet.
 */
export function canChangeNow({
  attemptDueAt,
  pausedAt,
  cancelAt,
}: Pick<Subscription, 'attemptDueAt' | 'pausedAt' | 'cancelAt'>): boolean {
  return attemptDueAt === null && pausedAt === null && cancelAt === null;
}

/** Whether the change starts without a charge: in a trial, or because nobody wants one. */
export function startsWithoutCycle(
  { cycleNumber }: Pick<Subscription, 'cycleNumber'>,
  proration: Proration,
): boolean {
  return cycleNumber === 0 || proration === 'NONE';
}

/**
 * The cycle that a change of plan opens now. It reads and writes nothing, so a preview shows what will be charged.
 * @param paidParts of the current period.
 */
export function cycleOfChange(
  subscription: Subscription,
  change: PlanNow,
  { usageCents, paidParts }: Pick<NonNullable<CycleToPlan['rest']>, 'paidParts'> & { usageCents: number },
  now: Date,
): CycleToPlan {
  const { cycleNumber, cycleEndsAt, anchorNumber, creditCents } = subscription;
  const { plan, amountCents, cycle } = change;
  const number = cycleNumber + 1;
  const changed = { ...subscription, plan, amountCents, cycle };
  if (change.proration === 'DIFFERENCE' && paidParts.length > 0) {
    // The new cycle lies in the period of the current one.
    const inPeriod = { ...changed, anchorNumber: anchorNumber + 1 };
    return { subscription: inPeriod, number, usageCents, rest: { startsAt: now, paidParts } };
  }
  const remainingSeconds = secondsBetween(now, cycleEndsAt);
  const unused = paidParts.length === 0 ? 0 : unusedCents(paidParts, remainingSeconds);
  const credited = { ...changed, creditCents: creditCents + unused, anchorAt: now, anchorNumber: number };
  return { subscription: credited, number, usageCents, rest: null };
}

/**
 * Changes the plan of a locked subscription now, in the caller's transaction: its row, and the cycle that it opens. Its charge
 * follows.
 * @returns the subscription after it.
 */
export async function startPlanNow(
  tx: Em,
  locked: Subscription,
  update: PlanNow,
  now: Date,
): Promise<Subscription> {
  if (startsWithoutCycle(locked, update.proration)) {
    const change = { ...planNow(locked, update, now), updatedAt: now };
    await tx.nativeUpdate(SubscriptionEntity, { id: locked.id }, change);
    return { ...locked, ...change };
  }
  const { usageCents, payer } = await foundOf(tx, locked, locked.cycleNumber + 1);
  const paidParts = await paidPartsOf(tx, locked);
  const planned = cycleOfChange(locked, update, { usageCents, paidParts }, now);
  const { subscription } = await writeOpening(tx, openingWith(planned, now), payer, now, async () => null);
  return subscription;
}
