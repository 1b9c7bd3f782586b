import { ApplicationFailure } from '@temporalio/common';
import { unattemptedDeliveries } from '../../src/database/delivery-to-start.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, PlanUpdateId, ProductId, SubscriptionId } from '../../src/domain/ids.ts';
import type { SubscriptionStatus } from '../../src/domain/subscription.ts';
import { writeEvent } from '../../src/events/record.ts';
import { planChangedEventData } from '../../src/events/subscription/data.ts';
import type { NextPlan } from '../../workflows/subscription.contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';
import {
  beginAttempt,
  type CycleAttempt,
  type CycleCharge,
  firstCardCharge,
  startAttempt,
} from './begin-attempt.ts';
import { cancelNow } from './cancel-subscription.ts';
import { type FailedCycleAttempt, failAttempt } from './fail-attempt.ts';
import { lockSubscription } from './lock-subscription.ts';
import { type OpenCycle, openCycle } from './open-cycle.ts';

interface Moment {
  readonly subscriptionId: SubscriptionId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** An opened cycle with the charge of its first attempt, or the fact that the subscription was cancelled before. */
export type OpenedCycle =
  | { readonly status: 'CANCELLED' }
  | {
      readonly status: 'ACTIVE';
      readonly charge: CycleCharge;
      readonly endsAtMs: number;
    };

/** A change of plan that waits for the next cycle, or the fact that the subscription was cancelled before. */
export type PlanChange =
  | { readonly status: 'CANCELLED' }
  | { readonly status: 'ACTIVE'; readonly plan: NextPlan };

/** The activities of a subscription's workflow. */
export function createSubscriptionActivities(deps: ActivityDeps) {
  return {
    /**
     * Opens the cycle of this number and begins its first attempt: applies a pending change of plan, sums up usage
     * and fixes the amount. A repeated call finds the same cycle and charge.
     */
    async openCycle({
      subscriptionId,
      number,
      nowMs,
    }: Moment & { readonly number: number }): Promise<OpenedCycle> {
      const now = new Date(nowMs);
      const em = deps.database.em.fork();
      const first = (tx: Em, opened: OpenCycle) => firstCardCharge(deps, tx, opened, now);
      const opened = await openCycle(em, subscriptionId, number, now, first);
      if (opened === null) return { status: 'CANCELLED' };
      const charge = opened.charge
        ? await startAttempt(deps, opened.charge, subscriptionId, now)
        : await beginAttempt(deps, em, { ...opened, attempt: 1, now });
      if (charge === null) return { status: 'CANCELLED' };
      return { status: 'ACTIVE', charge, endsAtMs: opened.cycle.endsAt.getTime() };
    },

    /**
     * Begins another attempt at an open cycle, unless an earlier attempt has paid it after all. Null if the
     * subscription was cancelled meanwhile.
     */
    async retryCycle(input: Moment & CycleAttempt): Promise<CycleCharge | null> {
      const now = new Date(input.nowMs);
      const em = deps.database.em.fork();
      const opened = await openCycle(em, input.subscriptionId, input.number, now, async () => null);
      return opened && beginAttempt(deps, em, { ...opened, attempt: input.attempt, now });
    },

    /** Records a failed attempt. The last one of the retry policy ends the subscription (contract section 6). */
    async recordFailedAttempt(
      input: Moment & CycleAttempt & { readonly chargeId: ChargeId },
    ): Promise<FailedCycleAttempt> {
      return failAttempt(deps, input);
    },

    /**
     * Resumes the workflow of an attempt that did not signal its end, in case someone terminated it.
     * @returns the charge's status: PENDING if it is still not known.
     */
    async resumeAttempt({
      subscriptionId,
      chargeId,
      nowMs,
    }: Moment & { readonly chargeId: ChargeId }): Promise<ChargeStatus> {
      const charge = await deps.database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
      return (await startAttempt(deps, charge, subscriptionId, new Date(nowMs))).status;
    },

    /** How a charge ended, once its workflow has ended; null if that was terminated. */
    chargeOutcome: ({ chargeId }: { readonly chargeId: ChargeId }): Promise<ChargeStatus | null> =>
      withHeartbeats(() => deps.chargeOutcome(chargeId)),

    /** Ends the subscription at once, with everything that is being charged. */
    async cancelSubscription({ subscriptionId, nowMs }: Moment): Promise<SubscriptionStatus> {
      return withHeartbeats(() => cancelNow(deps, subscriptionId, new Date(nowMs)));
    },

    /** Stores a change of plan for the next cycle and replaces a pending one. */
    async changePlan(
      input: Moment & {
        readonly planUpdateId: PlanUpdateId;
        readonly productId: ProductId;
        readonly quantity: number;
      },
    ): Promise<PlanChange> {
      const now = new Date(input.nowMs);
      const { deliveries, ...change } = await deps.database.em
        .fork()
        .transactional((em) => notePlan(em, input, now));
      await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
      return change;
    },
  };
}

async function notePlan(
  em: Em,
  input: {
    subscriptionId: SubscriptionId;
    planUpdateId: PlanUpdateId;
    productId: ProductId;
    quantity: number;
  },
  now: Date,
): Promise<PlanChange & { deliveries: DeliveryToStart[] }> {
  const subscription = await lockSubscription(em, input.subscriptionId);
  const accepted = await em.findOne(PlanUpdateEntity, { id: input.planUpdateId });
  // A change that an earlier run of this activity noted stays accepted, even if the subscription was cancelled since.
  // Its event may be old enough to have been deleted, so it is not written again.
  if (accepted !== null) {
    const deliveries = await unattemptedDeliveries(em, `subscription.plan_changed/${accepted.id}`);
    return { ...acceptedChange(accepted), deliveries };
  }
  if (subscription.status !== 'ACTIVE') return { status: 'CANCELLED', deliveries: [] };
  const product = await em.findOne(ProductEntity, { id: input.productId });
  if (product?.cycle == null) throw ApplicationFailure.nonRetryable('No product with a cycle', 'NO_PLAN');
  const update = {
    id: input.planUpdateId,
    subscriptionId: subscription.id,
    status: 'PENDING' as const,
    plan: {
      productId: product.id,
      name: product.name,
      imageUrl: product.imageUrl,
      quantity: input.quantity,
      unitPriceCents: product.priceCents,
    },
    amountCents: product.priceCents * input.quantity,
    cycle: product.cycle,
    requestedAt: now,
    appliedAt: null,
  };
  const waiting = { subscriptionId: subscription.id, status: 'PENDING' as const };
  await em.nativeUpdate(PlanUpdateEntity, waiting, { status: 'REPLACED' });
  await em.insert(PlanUpdateEntity, update);
  await em.nativeUpdate(SubscriptionEntity, { id: subscription.id }, { updatedAt: now });
  const customer =
    subscription.customerId && (await em.findOne(CustomerEntity, { id: subscription.customerId }));
  const data = planChangedEventData(subscription, update, customer || null);
  const deliveries = await writeEvent(em, subscription, 'subscription.plan_changed', update.id, data, now);
  return { ...acceptedChange(update), deliveries };
}

function acceptedChange({ plan, amountCents, cycle }: Pick<PlanUpdate, 'plan' | 'amountCents' | 'cycle'>) {
  const next = { productId: plan.productId, quantity: plan.quantity, amountCents, cycle };
  return { status: 'ACTIVE' as const, plan: next };
}
