import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Mandate } from '../../database/entities/mandate.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { usageOfCycle } from '../../database/usage-of-cycle.ts';
import { cyclePriceOf } from '../../domain/cycle-price.ts';
import { type UsageOfProduct, usedCents } from '../../domain/cycle-usage.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { findWaitingConsent } from '../../mandates/consent/waiting-consent.ts';

/** The subscription created by a checkout, with what its payer needs to know. */
export interface LoadedSubscription {
  readonly subscription: Subscription;
  /**
   * The amount of the plan's next charge as of now, with a pending change of plan, less the credit, and the usage so far. The usage is
   * included unless it is charged before ({@link Subscription.usageEndsAt}).
   */
  readonly nextCharge: { readonly amountCents: number; readonly used: readonly UsageOfProduct[] };
  /** The change of plan that waits for the next cycle; null without one. */
  readonly nextPlan: PlanUpdate | null;
  /** The newest PIX code of an unpaid cycle. */
  readonly waiting: Charge | null;
  /** The authorization that waits for its payer, on a page of its own; null without one. */
  readonly consent: Mandate | null;
}

/** Null if the checkout sells no subscription, or its first payment was not made yet. */
export async function loadSubscription(em: Em, checkout: Checkout): Promise<LoadedSubscription | null> {
  const { id: checkoutId, subscriptionId } = checkout;
  if (subscriptionId === null) return null;
  const fresh = { disableIdentityMap: true };
  const [subscription, update, waiting, consent] = await Promise.all([
    em.findOneOrFail(SubscriptionEntity, { id: subscriptionId }, fresh),
    em.findOne(PlanUpdateEntity, { subscriptionId, status: 'PENDING' }, fresh),
    openCodeOf(em, checkoutId),
    findWaitingConsent(em, checkoutId),
  ]);
  const planCents = update?.amountCents ?? subscription.amountCents;
  const { cycleNumber, discount, creditCents, usageEndsAt } = subscription;
  // Usage is stored under the number of the cycle that charges it.
  const used = await usageOfCycle(em, { id: subscriptionId, number: cycleNumber + 1 });
  // Usage that is charged before the plan is shown by itself.
  const usageCents = usageEndsAt === null ? usedCents(used) : 0;
  const { amountCents } = cyclePriceOf({ number: cycleNumber + 1, planCents, usageCents, discount });
  const dueCents = Math.max(0, amountCents - creditCents);
  return { subscription, nextCharge: { amountCents: dueCents, used }, nextPlan: update, waiting, consent };
}

/** The newest PIX code of an unpaid cycle; null without one. */
export function openCodeOf(em: Em, checkoutId: CheckoutId): Promise<Charge | null> {
  return em.findOne(
    ChargeEntity,
    { checkoutId, status: 'PENDING', cycleId: { $ne: null }, brCode: { $ne: null } },
    { disableIdentityMap: true, orderBy: { createdAt: 'desc' } },
  );
}
