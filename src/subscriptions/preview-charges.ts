import { type Cycle, CycleEntity } from '../database/entities/cycle.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../database/entities/plan-update.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { usageOfCycle } from '../database/usage-of-cycle.ts';
import { totalCentsOf } from '../domain/checkout.ts';
import type { UsageOfProduct } from '../domain/cycle-usage.ts';
import type { Proration } from '../domain/proration.ts';
import { isPaused } from '../domain/subscription.ts';
import { isUsageNext } from '../domain/usage-cycle.ts';
import { cycleOfChange, startsWithoutCycle } from './change-plan-now.ts';
import { finalUsageOf } from './final-usage.ts';
import { foundOf } from './found-for-opening.ts';
import { type NewPlan, openingOf, planNow } from './next-opening.ts';
import { paidPartsOf } from './period-parts.ts';
import { type PlannedCycle, plannedCycle, plannedUsageCycle } from './planned-cycle.ts';
import { datesAfterPause } from './resume-subscription.ts';

/** What somebody thinks of doing with a subscription. */
export type Intention =
  | { readonly kind: 'NOTHING' }
  | { readonly kind: 'CANCEL' }
  | { readonly kind: 'CANCEL_AT_PERIOD_END' }
  | { readonly kind: 'RESUME' }
  /** @param proration null if the change waits for the next cycle. */
  | { readonly kind: 'CHANGE_PLAN'; readonly plan: NewPlan; readonly proration: Proration | null };

/** Usage after the last cycle has no period: it starts when it ends. */
export type PreviewedCycle = Pick<
  Cycle,
  | 'number'
  | 'isUsage'
  | 'startsAt'
  | 'endsAt'
  | 'amountCents'
  | 'discountCents'
  | 'usageCents'
  | 'creditCents'
  | 'part'
>;

/** A cycle that would be charged. */
export interface PreviewedCharge {
  readonly at: Date;
  readonly cycle: PreviewedCycle;
  /** The plan that it is for. */
  readonly plan: Subscription['plan'];
  /** Its usage so far, by product. */
  readonly used: readonly UsageOfProduct[];
}

/** What would be charged, in order, and the credit that would be left before the next cycle. */
export interface Preview {
  readonly charges: readonly PreviewedCharge[];
  readonly creditCents: number;
}

/**
 * What a subscription will be charged up to and including the next cycle of its plan, if somebody does what is intended now, and every charge
 * is paid when it is due. The same functions price the cycles when they open, so the charges are equal to the cent as long as
 * nothing else changes: usage that is recorded later comes on top.
 */
export async function previewCharges(
  em: Em,
  subscription: Subscription,
  intention: Intention,
  now: Date,
): Promise<Preview> {
  const open = await openCycleOf(em, subscription);
  const charges: PreviewedCharge[] = [];
  if (open !== null && intention.kind !== 'CANCEL' && subscription.attemptDueAt !== null)
    charges.push(
      await withUsage(em, subscription, {
        at: subscription.attemptDueAt,
        cycle: open,
        plan: subscription.plan,
      }),
    );
  if (intention.kind === 'CANCEL') return withFinalUsage(em, subscription, charges, now);
  if (intention.kind === 'CANCEL_AT_PERIOD_END')
    return withNext(em, ending(subscription), null, charges, now);
  if (intention.kind === 'CHANGE_PLAN' && intention.proration !== null && subscription.cycleEndsAt > now) {
    const { plan, proration } = intention;
    if (startsWithoutCycle(subscription, proration)) {
      const changed = { ...subscription, ...planNow(subscription, plan, now) };
      return withNext(em, changed, null, charges, now);
    }
    const { usageCents } = await foundOf(em, subscription, subscription.cycleNumber + 1);
    const paidParts = await paidPartsOf(em, subscription);
    const planned = cycleOfChange(subscription, { ...plan, proration }, { usageCents, paidParts }, now);
    const opened = plannedCycle(planned, now);
    charges.push(await withUsage(em, subscription, { at: now, cycle: opened.cycle, plan: plan.plan }));
    return withNext(em, afterPayment(planned.subscription, opened), null, charges, now);
  }
  const resumed = intention.kind === 'RESUME' ? await resumedOf(em, subscription, now) : subscription;
  const waiting = intention.kind === 'CHANGE_PLAN' ? intention.plan : await waitingPlanOf(em, subscription);
  return withNext(em, resumed, waiting, charges, now);
}

/** The first cycles of a subscription that does not exist yet: `subscription` is as its first payment would make it. */
export function previewOfNew(subscription: Subscription, firstCycle: Cycle | null, now: Date): Preview {
  const { creditCents, plan } = subscription;
  const first = firstCycle === null ? [] : [{ at: now, cycle: firstCycle, plan, used: [] }];
  return { charges: [...first, nextOfNew(subscription, now)], creditCents };
}

function nextOfNew(subscription: Subscription, now: Date): PreviewedCharge {
  const before = afterUsage(subscription, now);
  const { plan, cycleNumber, cycleEndsAt } = before;
  const at = later(cycleEndsAt, now);
  const opening = { subscription: before, number: cycleNumber + 1, usageCents: 0, rest: null };
  return { at, cycle: plannedCycle(opening, at).cycle, plan, used: [] };
}

/** With the usage of the period of usage that lasts, if it is charged by itself, and the plan's next cycle, unless none follows. */
async function withNext(
  em: Em,
  current: Subscription,
  waiting: NewPlan | null,
  before: readonly PreviewedCharge[],
  now: Date,
): Promise<Preview> {
  const usage = await nextUsageOf(em, current, now);
  const charges = usage === null ? before : [...before, usage.charge];
  const subscription = afterUsage(usage?.after ?? current, now);
  const { cancelAt, creditCents } = subscription;
  if (cancelAt !== null) return withFinalUsage(em, subscription, charges, later(cancelAt, now));
  if (isPaused(subscription)) return { charges, creditCents };
  const number = subscription.cycleNumber + 1;
  const found = await foundOf(em, subscription, number);
  const at = later(subscription.cycleEndsAt, now);
  const opening = await openingOf(em, subscription, { ...found, number, waiting }, at);
  const { cycle } = plannedCycle(opening, at);
  const next = await withUsage(em, subscription, { at, cycle, plan: opening.subscription.plan });
  return { charges: [...charges, next], creditCents };
}

/** The next cycle of usage, and the subscription once it is paid; null without one, or if nothing was used so far. */
async function nextUsageOf(
  em: Em,
  subscription: Subscription,
  now: Date,
): Promise<{ readonly charge: PreviewedCharge; readonly after: Subscription } | null> {
  const { usageEndsAt, plan, cycleNumber } = subscription;
  if (usageEndsAt === null || isPaused(subscription)) return null;
  const at = later(usageEndsAt, now);
  if (!isUsageNext(subscription, at)) return null;
  const { usageCents } = await foundOf(em, subscription, cycleNumber + 1);
  if (usageCents === 0) return null;
  const opened = plannedUsageCycle(subscription, usageCents, at);
  const charge = await withUsage(em, subscription, { at, cycle: opened.cycle, plan });
  return { charge, after: afterPayment(subscription, opened) };
}

/** The subscription before the plan's next cycle, after cycles of usage without any. They have numbers too. */
function afterUsage(subscription: Subscription, now: Date): Subscription {
  if (isPaused(subscription)) return subscription;
  let after = subscription;
  while (after.usageEndsAt !== null) {
    const at = later(after.usageEndsAt, now);
    if (!isUsageNext(after, at)) break;
    after = afterPayment(after, plannedUsageCycle(after, 0, at));
  }
  return after;
}

/** The subscription with a cancellation that is scheduled now. */
function ending(subscription: Subscription): Subscription {
  return { ...subscription, cancelAt: subscription.cancelAt ?? subscription.cycleEndsAt };
}

async function withUsage(
  em: Em,
  { id }: Subscription,
  charge: Omit<PreviewedCharge, 'used'>,
): Promise<PreviewedCharge> {
  const { number } = charge.cycle;
  return { ...charge, used: await usageOfCycle(em, { id, number }) };
}

/** With the usage that is charged once the subscription ends. */
async function withFinalUsage(
  em: Em,
  subscription: Subscription,
  charges: readonly PreviewedCharge[],
  at: Date,
): Promise<Preview> {
  const { creditCents, cycleNumber, plan } = subscription;
  const owed = await finalUsageOf(em, subscription);
  if (owed === null) return { charges, creditCents };
  const cycle: PreviewedCycle = {
    ...{ number: cycleNumber + 1, isUsage: true, startsAt: at, endsAt: at, discountCents: 0, part: null },
    ...{
      amountCents: totalCentsOf(owed.items),
      usageCents: owed.usageCents,
      creditCents: owed.creditUsedCents,
    },
  };
  return {
    charges: [...charges, { at, cycle, plan, used: owed.used }],
    creditCents: creditCents - owed.creditUsedCents,
  };
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** The subscription once an opened cycle is paid. */
function afterPayment(subscription: Subscription, { change }: PlannedCycle): Subscription {
  return { ...subscription, ...change, attemptDueAt: null };
}

async function resumedOf(em: Em, subscription: Subscription, now: Date): Promise<Subscription> {
  const undone = { ...subscription, cancelAt: null };
  const { pausedAt } = subscription;
  if (pausedAt === null || !isPaused(subscription)) return undone;
  return { ...undone, ...(await datesAfterPause(em, { ...subscription, pausedAt }, now)) };
}

function openCycleOf(em: Em, { id, cycleNumber }: Subscription): Promise<Cycle | null> {
  const open = { subscriptionId: id, number: cycleNumber, status: 'PENDING' as const };
  return em.findOne(CycleEntity, open, { disableIdentityMap: true });
}

function waitingPlanOf(em: Em, { id }: Subscription): Promise<PlanUpdate | null> {
  return em.findOne(
    PlanUpdateEntity,
    { subscriptionId: id, status: 'PENDING' },
    { disableIdentityMap: true },
  );
}
