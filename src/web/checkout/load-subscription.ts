import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { cyclePriceOf } from '../../domain/cycle-price.ts';
import type { CheckoutId, SubscriptionId } from '../../domain/ids.ts';

/** The subscription created by a checkout, with what its payer needs to know. */
export interface LoadedSubscription {
  readonly subscription: Subscription;
  /** The amount of the next charge as of now, with a pending change of plan and usage so far, less the credit. */
  readonly nextCharge: { readonly amountCents: number; readonly usageCents: number };
  /** The change of plan that waits for the next cycle; null without one. */
  readonly nextPlan: PlanUpdate | null;
  /** The newest PIX code of an unpaid cycle. */
  readonly waiting: Charge | null;
}

/** Null if the checkout sells no subscription, or its first payment was not made yet. */
export async function loadSubscription(em: Em, checkout: Checkout): Promise<LoadedSubscription | null> {
  const { id: checkoutId, subscriptionId } = checkout;
  if (subscriptionId === null) return null;
  const fresh = { disableIdentityMap: true };
  const [subscription, update, usageCents, waiting] = await Promise.all([
    em.findOneOrFail(SubscriptionEntity, { id: subscriptionId }, fresh),
    em.findOne(PlanUpdateEntity, { subscriptionId, status: 'PENDING' }, fresh),
    usageOfCurrentCycle(em, subscriptionId),
    openCodeOf(em, checkoutId),
  ]);
  const planCents = update?.amountCents ?? subscription.amountCents;
  const { cycleNumber, discount, creditCents } = subscription;
  const { amountCents } = cyclePriceOf({ number: cycleNumber + 1, planCents, usageCents, discount });
  const dueCents = Math.max(0, amountCents - creditCents);
  return { subscription, nextCharge: { amountCents: dueCents, usageCents }, nextPlan: update, waiting };
}

/** The newest PIX code of an unpaid cycle; null without one. */
export function openCodeOf(em: Em, checkoutId: CheckoutId): Promise<Charge | null> {
  return em.findOne(
    ChargeEntity,
    { checkoutId, status: 'PENDING', cycleId: { $ne: null }, brCode: { $ne: null } },
    { disableIdentityMap: true, orderBy: { createdAt: 'desc' } },
  );
}

/** Usage is stored under the number of the cycle that charges it: the one after the current cycle. */
async function usageOfCurrentCycle(em: Em, subscriptionId: SubscriptionId): Promise<number> {
  const [row] = await em.execute<{ cents: string }[]>(
    `select coalesce(sum(usage_totals.amount_cents), 0)::text as cents
     from usage_totals join subscriptions on subscriptions.id = usage_totals.subscription_id
     where subscriptions.id = :subscriptionId and usage_totals.installment_number = subscriptions.cycle_number + 1`,
    { subscriptionId },
  );
  return Number(row?.cents ?? 0);
}
