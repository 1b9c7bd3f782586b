import { type Installment, InstallmentEntity } from '../src/database/installment.ts';
import type { Em } from '../src/database/orm.ts';
import { PlanUpdateEntity } from '../src/database/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../src/database/subscription.ts';
import { billingPeriod } from '../src/domain/billing-period.ts';
import type { InstallmentId, SubscriptionId } from '../src/domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../src/domain/money.ts';
import { derivedId } from '../src/ids.ts';
import { lockSubscription } from './lock-subscription.ts';

/** A cycle and whose it is. */
export interface OpenInstallment {
  readonly subscription: Subscription;
  readonly installment: Installment;
}

/**
 * Opens a cycle in one transaction, unless it is open: the row's unique number makes it one installment however often it is
 * asked for. Usage that is recorded from then on counts for the next one.
 * @returns null where the subscription is cancelled: nothing is charged any more.
 */
export function openInstallment(
  em: Em,
  subscriptionId: SubscriptionId,
  number: number,
  now: Date,
): Promise<OpenInstallment | null> {
  return em.transactional(async (tx) => {
    const locked = await lockSubscription(tx, subscriptionId);
    if (locked.status !== 'ACTIVE') return null;
    const open = await tx.findOne(InstallmentEntity, { subscriptionId, number });
    if (open !== null) return { subscription: locked, installment: open };
    const planned = await withWaitingPlan(tx, locked, number, now);
    const { startsAt, endsAt } = billingPeriod(
      planned.anchorAt,
      planned.cycle,
      number - planned.anchorNumber,
    );
    const usageCents = await usageOf(tx, subscriptionId, number);
    const installment: Installment = {
      id: derivedId<InstallmentId>('installment', startsAt, `${subscriptionId}/${number}`),
      subscriptionId,
      number,
      status: 'PENDING',
      // Usage is refused beyond it, but a dearer plan may have come after the usage: no charge can ask for more.
      amountCents: Math.min(planned.amountCents + usageCents, MAX_AMOUNT_CENTS),
      usageCents,
      startsAt,
      endsAt,
      paidByChargeId: null,
      createdAt: now,
    };
    const change = {
      ...planned,
      cycleNumber: number,
      cycleStartsAt: startsAt,
      cycleEndsAt: endsAt,
      failedAttempts: 0,
      lastFailure: null,
      updatedAt: now,
    };
    await tx.insert(InstallmentEntity, installment);
    await tx.nativeUpdate(SubscriptionEntity, { id: subscriptionId }, change);
    return { subscription: { ...locked, ...change }, installment };
  });
}

type Plan = Pick<Subscription, 'plan' | 'amountCents' | 'cycle' | 'anchorAt' | 'anchorNumber'>;

/** The plan of this cycle: the one that waits for it, if any. A plan with another cycle counts its periods from here on. */
async function withWaitingPlan(tx: Em, subscription: Subscription, number: number, now: Date): Promise<Plan> {
  const { plan, amountCents, cycle, anchorAt, anchorNumber, cycleEndsAt } = subscription;
  const current = { plan, amountCents, cycle, anchorAt, anchorNumber };
  const waiting = { subscriptionId: subscription.id, status: 'PENDING' as const };
  const update = await tx.findOne(PlanUpdateEntity, waiting, { disableIdentityMap: true });
  if (update === null) return current;
  await tx.nativeUpdate(PlanUpdateEntity, { id: update.id }, { status: 'APPLIED', appliedAt: now });
  const next = { ...current, plan: update.plan, amountCents: update.amountCents };
  if (update.cycle === cycle) return next;
  return { ...next, cycle: update.cycle, anchorAt: cycleEndsAt, anchorNumber: number };
}

async function usageOf(tx: Em, subscriptionId: SubscriptionId, number: number): Promise<number> {
  const [row] = await tx.execute<{ cents: string }[]>(
    `select coalesce(sum(amount_cents), 0)::text as cents from usage_totals
     where subscription_id = ? and installment_number = ?`,
    [subscriptionId, number],
  );
  return Number(row?.cents ?? 0);
}
