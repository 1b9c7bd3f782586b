import type { NextPlan } from '../../workflows/subscription.contract.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { PlanUpdateId, SubscriptionId } from '../domain/ids.ts';
import type { Proration } from '../domain/proration.ts';
import { positionOf, type SubscriptionPosition } from '../domain/subscription-position.ts';
import { unattemptedDeliveries } from '../events/delivery-to-start.ts';
import { writeEvent } from '../events/record.ts';
import { planChangedEventData } from '../events/subscription/plan-changed.ts';
import { canChangeNow, startPlanNow } from './change-plan-now.ts';
import { changedPlan, type PlanWish, planBefore } from './changed-plan.ts';
import { dropDebits } from './debits/drop-debits.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';

/** The plan from now on, or from the next cycle on; or the fact that the subscription was cancelled before. */
export type PlanChange =
  | { readonly status: 'CANCELLED' }
  | {
      readonly status: 'ACTIVE';
      readonly plan: NextPlan;
      /** Where the run continues, if a cycle was opened. */
      readonly position?: SubscriptionPosition;
    };

/** The plan that someone asked for. */
export interface WantedPlan extends PlanWish {
  readonly subscriptionId: SubscriptionId;
  readonly planUpdateId: PlanUpdateId;
  /** Set if it starts now: how the rest of the current cycle is charged. */
  readonly proration?: Proration;
}

/**
 * Changes the plan, its quantity or its add-ons from the next cycle on, or now, and replaces a pending change. One that cannot start now changes nothing, and
 * no {@link PlanUpdate} is stored. Once the current cycle is over, the next one is about to open: the change waits for it.
 */
export async function changePlan(deps: SubscriptionDeps, input: WantedPlan, now: Date): Promise<PlanChange> {
  const { deliveries, ...change } = await deps.database.em
    .fork()
    .transactional((em) => notePlan(deps, em, input, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return change;
}

async function notePlan(
  deps: SubscriptionDeps,
  em: Em,
  input: WantedPlan,
  now: Date,
): Promise<PlanChange & { deliveries: DeliveryToStart[] }> {
  const subscription = await lockSubscription(em, input.subscriptionId);
  const accepted = await em.findOne(PlanUpdateEntity, { id: input.planUpdateId });
  // A change that an earlier run of this activity noted stays accepted, even if the subscription was cancelled since.
  // Its event may be old enough to have been deleted, so it is not written again.
  if (accepted !== null) {
    const deliveries = await unattemptedDeliveries(em, `subscription.plan_changed/${accepted.id}`);
    return { ...acceptedChange(accepted), ...positionAfter(accepted, subscription), deliveries };
  }
  if (subscription.status !== 'ACTIVE') return { status: 'CANCELLED', deliveries: [] };
  const proration = input.proration !== undefined && subscription.cycleEndsAt > now ? input.proration : null;
  if (proration !== null && !canChangeNow(subscription))
    return { ...unchanged(subscription), deliveries: [] };
  const before = await planBefore(em, subscription, { startsNow: proration !== null });
  const changedTo = await changedPlan(em, before, input);
  // Another change was faster: the add-ons that this one keeps do not fit its plan any more.
  if (changedTo === null) return { ...unchanged(subscription), deliveries: [] };
  const update = {
    id: input.planUpdateId,
    subscriptionId: subscription.id,
    status: proration === null ? ('PENDING' as const) : ('APPLIED' as const),
    ...changedTo,
    starts: proration === null ? ('NEXT_CYCLE' as const) : ('NOW' as const),
    proration,
    requestedAt: now,
    appliedAt: proration === null ? null : now,
  };
  const waiting = { subscriptionId: subscription.id, status: 'PENDING' as const };
  await em.nativeUpdate(PlanUpdateEntity, waiting, { status: 'REPLACED' });
  await em.insert(PlanUpdateEntity, update);
  // The authorization may not cover the new price.
  const consentDueAt = subscription.mandateId === null ? subscription.consentDueAt : now;
  await em.nativeUpdate(SubscriptionEntity, { id: subscription.id }, { consentDueAt, updatedAt: now });
  // It was ordered for the price of the plan before.
  await dropDebits(deps, em, subscription, now);
  const changed =
    proration === null ? subscription : await startPlanNow(em, subscription, { ...update, proration }, now);
  const customer = changed.customerId && (await em.findOne(CustomerEntity, { id: changed.customerId }));
  const data = planChangedEventData(changed, update, customer || null, deps.publicUrl);
  const deliveries = await writeEvent(em, changed, 'subscription.plan_changed', update.id, data, now);
  return { ...acceptedChange(update), ...positionAfter(update, changed), deliveries };
}

/** A change that starts now moves the run to where the row is, also if an earlier run of the activity has noted it. */
function positionAfter(
  { starts }: Pick<PlanUpdate, 'starts'>,
  subscription: Subscription,
): { position?: SubscriptionPosition } {
  if (starts !== 'NOW' || subscription.status !== 'ACTIVE') return {};
  return { position: positionOf(subscription) };
}

function unchanged({ plan, amountCents, cycle }: Subscription) {
  return acceptedChange({ plan, amountCents, cycle });
}

function acceptedChange({ plan, amountCents, cycle }: Pick<PlanUpdate, 'plan' | 'amountCents' | 'cycle'>) {
  const next = { productId: plan.productId, quantity: plan.quantity, amountCents, cycle };
  return { status: 'ACTIVE' as const, plan: next };
}
