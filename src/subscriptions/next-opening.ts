import { CycleEntity } from '../database/entities/cycle.ts';
import type { PlanUpdate } from '../database/entities/plan-update.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { missedPeriods } from '../domain/cycle.ts';
import { usageEndsAtOf } from '../domain/usage-cycle.ts';
import { billingSettingsOf } from '../stores/billing-settings.ts';
import type { Found } from './found-for-opening.ts';
import { paidPartsOf } from './period-parts.ts';
import type { CycleToPlan } from './planned-cycle.ts';

/** What the next cycle is made of, besides the subscription. */
interface NextOpening extends Pick<Found, 'isPartGivenUp' | 'usageCents'> {
  readonly number: number;
  /** The change of plan that waits for it. */
  readonly waiting: NewPlan | null;
}

/** The plan of a change. */
export type NewPlan = Pick<PlanUpdate, 'plan' | 'amountCents' | 'cycle'>;

/** The next cycle as it opens at `now`. It writes nothing, so a preview shows what will be charged. */
export async function openingOf(
  em: Em,
  before: Subscription,
  { number, isPartGivenUp, usageCents, waiting }: NextOpening,
  now: Date,
): Promise<CycleToPlan> {
  const planned = waiting === null ? planOf(before) : planAfter(before, waiting, number);
  const dated = await withoutMissed(em, { ...before, ...planned }, number, now);
  const subscription = { ...before, ...dated };
  // After a missed period, or with other periods, a whole one begins.
  const keepsPeriod =
    subscription.anchorNumber === before.anchorNumber &&
    subscription.anchorAt.getTime() === before.anchorAt.getTime();
  const rest = isPartGivenUp && keepsPeriod ? await restOfGivenUp(em, before) : null;
  return { subscription, number, usageCents, rest };
}

/**
 * The rest of a period whose unpaid part a pause has given up, if that is what opens again: it is charged as a part again,
 * because the parts before it were paid.
 */
async function restOfGivenUp(
  em: Em,
  { id, cycleNumber, cycleEndsAt }: Subscription,
): Promise<CycleToPlan['rest']> {
  const before = { subscriptionId: id, number: cycleNumber };
  const givenUp = await em.findOneOrFail(CycleEntity, before, { disableIdentityMap: true });
  if (givenUp.startsAt.getTime() !== cycleEndsAt.getTime()) return null;
  return { startsAt: givenUp.startsAt, paidParts: await paidPartsOf(em, { id, cycleNumber }) };
}

/** What a subscription costs, and when. */
export type Plan = Pick<Subscription, 'plan' | 'amountCents' | 'cycle' | 'anchorAt' | 'anchorNumber'>;

/** The plan of a cycle that opens after a change. One with another frequency counts its periods from that cycle on. */
export function planAfter(subscription: Subscription, update: NewPlan, number: number): Plan {
  const { plan, amountCents, cycle } = update;
  const next = { ...planOf(subscription), plan, amountCents };
  if (cycle === subscription.cycle) return next;
  return { ...next, cycle, anchorAt: subscription.cycleEndsAt, anchorNumber: number };
}

/** The plan of a change that starts now without a cycle, and when its usage is charged in the period that lasts. */
export function planNow(
  subscription: Subscription,
  update: NewPlan,
  now: Date,
): Plan & Pick<Subscription, 'usageEndsAt'> {
  const { cycleNumber, cycleEndsAt } = subscription;
  const plan = planAfter(subscription, update, cycleNumber + 1);
  return { ...plan, usageEndsAt: cycleNumber === 0 ? null : usageEndsAtOf({ ...plan, cycleEndsAt }, now) };
}

/**
 * The plan with the period that lasts now, if whole periods have passed before this cycle could be charged. The store
 * may want them charged instead.
 */
async function withoutMissed(em: Em, planned: Subscription, number: number, now: Date): Promise<Plan> {
  const plan = planOf(planned);
  const missed = missedPeriods(plan, number, now);
  if (missed === 0) return plan;
  const { missedCycles } = await billingSettingsOf(em, planned);
  return missedCycles === 'CHARGE' ? plan : { ...plan, anchorNumber: plan.anchorNumber - missed };
}

function planOf({ plan, amountCents, cycle, anchorAt, anchorNumber }: Subscription): Plan {
  return { plan, amountCents, cycle, anchorAt, anchorNumber };
}
