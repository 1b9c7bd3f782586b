import type { Charge } from '../database/entities/charge.ts';
import type { PlanUpdate } from '../database/entities/plan-update.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { ShownSubscription } from '../api/subscriptions/schema.ts';

/** The record of a subscription (contract section 6). @param openCharge what waits for its payer, if anything. */
export function presentSubscription(
  subscription: Subscription,
  openCharge: Charge | null,
  publicUrl: string,
): ShownSubscription {
  return {
    id: subscription.id,
    checkoutId: subscription.checkoutId,
    externalId: subscription.externalId,
    metadata: subscription.metadata,
    customerId: subscription.customerId,
    amount: subscription.amountCents,
    currency: 'BRL',
    method: subscription.method,
    status: subscription.status,
    frequency: subscription.cycle,
    coupons: subscription.coupons,
    devMode: subscription.devMode,
    trialDays: subscription.trialDays,
    trialEndsAt: subscription.trialEndsAt?.toISOString() ?? null,
    retryPolicy: { maxRetry: subscription.maxRetry, retryEvery: subscription.retryEveryDays },
    currentCycle: {
      number: subscription.cycleNumber,
      startsAt: subscription.cycleStartsAt.toISOString(),
      endsAt: subscription.cycleEndsAt.toISOString(),
    },
    currentCharge: openCharge && {
      id: openCharge.id,
      status: openCharge.status,
      expiresAt: openCharge.expiresAt.toISOString(),
      url: `${publicUrl}/pay/${subscription.checkoutId}/${openCharge.id}`,
      brCode: openCharge.brCode,
    },
    canceledAt: subscription.canceledAt?.toISOString() ?? null,
    cancelPolicy: subscription.cancelPolicy,
    cancelledDueTo: subscription.cancelledDueTo,
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
  };
}

/** A change of plan as its request is answered (contract section 6). */
export function presentPlanUpdate(update: PlanUpdate, devMode: boolean) {
  return {
    id: update.id,
    devMode,
    subscriptionId: update.subscriptionId,
    status: update.status,
    productId: update.plan.productId,
    quantity: update.plan.quantity,
    newAmount: update.amountCents,
    requestedAt: update.requestedAt.toISOString(),
  };
}
