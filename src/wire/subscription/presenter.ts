import type { Charge } from '../../database/entities/charge.ts';
import type { PlanUpdate } from '../../database/entities/plan-update.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { HUNDREDTHS_PER_PERCENT } from '../../domain/coupon.ts';
import { appliesTo } from '../../domain/cycle-price.ts';
import { type UsageOfProduct, usedCents } from '../../domain/cycle-usage.ts';
import { RETRIES_EXCEEDED } from '../../domain/dunning-policy.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { isPaused, nextChargeAtOf, subscriptionStateOf } from '../../domain/subscription.ts';
import { nextCycleAtOf } from '../../domain/usage-cycle.ts';
import { presentCard } from '../card.ts';
import { presentDebitRetryPolicy } from '../debit-retry-policy.ts';
import { presentAddOns } from './add-ons.ts';
import { presentPlanUpdate } from './plan-update.ts';
import type { ShownSubscription } from './schema.ts';

/** Details of a subscription that are not in its row. */
export interface SubscriptionDetails {
  /** The open PIX charge, if any. */
  readonly openCharge: Charge | null;
  /** Usage in the current cycle; charged with the next one. */
  readonly used: readonly UsageOfProduct[];
  /** The scheduled plan change, if any. */
  readonly pendingUpdate: PlanUpdate | null;
}

/** The current state of a subscription as the API returns it. */
export function presentSubscription(
  subscription: Subscription,
  { openCharge, used, pendingUpdate }: SubscriptionDetails,
  publicUrl: string,
  now: Date,
): ShownSubscription {
  const { plan } = subscription;
  return {
    id: subscription.id,
    checkoutId: subscription.checkoutId,
    externalId: subscription.externalId,
    metadata: subscription.metadata,
    customerId: subscription.customerId,
    customerNamedBy: subscription.customerNamedBy,
    amount: subscription.amountCents,
    items: [{ id: plan.productId, quantity: plan.quantity }],
    addOns: presentAddOns(plan),
    currency: 'BRL',
    method: subscription.method,
    card: METHOD_TRAITS[subscription.method].keepsInstrument ? presentCard(subscription) : null,
    status: subscription.status,
    state: subscriptionStateOf(subscription),
    frequency: subscription.cycle,
    usageCycle: subscription.plan.usageCycle ?? null,
    coupons: subscription.coupons,
    discount: presentDiscount(subscription),
    devMode: subscription.devMode,
    trialDays: subscription.trialDays,
    trialEndsAt: subscription.trialEndsAt?.toISOString() ?? null,
    retryPolicy: { maxRetry: subscription.maxRetry, retryEvery: subscription.retryEveryDays },
    debitRetryPolicy: presentPolicyOf(subscription),
    currentCycle: {
      number: subscription.cycleNumber,
      startsAt: subscription.cycleStartsAt.toISOString(),
      endsAt: subscription.cycleEndsAt.toISOString(),
    },
    mandateId: subscription.mandateId,
    currentCharge: openCharge && {
      id: openCharge.id,
      status: openCharge.status,
      expiresAt: openCharge.expiresAt.toISOString(),
      url: `${publicUrl}/pay/${subscription.checkoutId}/${openCharge.id}`,
      brCode: openCharge.brCode,
    },
    usage: presentUsage(subscription, used),
    pendingUpdate: pendingUpdate && presentPlanUpdate(pendingUpdate, subscription.devMode),
    nextChargeAt: nextChargeAtOf(subscription, now)?.toISOString() ?? null,
    failedAttempts: subscription.failedAttempts,
    ...presentPause(subscription),
    resumesAt: subscription.resumesAt?.toISOString() ?? null,
    cancelAt: subscription.cancelAt?.toISOString() ?? null,
    canceledAt: subscription.canceledAt?.toISOString() ?? null,
    cancelPolicy: subscription.cancelPolicy,
    cancelledDueTo: subscription.cancelledDueTo,
    finalUsage: presentFinalUsage(subscription, publicUrl),
    portalUrl: presentPortalUrl(subscription, publicUrl),
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
  };
}

function presentPolicyOf(subscription: Subscription): ShownSubscription['debitRetryPolicy'] {
  return subscription.mandateId === null ? null : presentDebitRetryPolicy(subscription, subscription.cycle);
}

function presentUsage(
  subscription: Subscription,
  used: readonly UsageOfProduct[],
): ShownSubscription['usage'] {
  const products = used.map(({ productId, name, units, amountCents }) => ({
    id: productId,
    name,
    units,
    amount: amountCents,
  }));
  const chargedAt = nextCycleAtOf(subscription).toISOString();
  return { installmentNumber: subscription.cycleNumber + 1, amount: usedCents(used), chargedAt, products };
}

/** The checkout that charges usage after its end; null without one. */
export function presentFinalUsage(
  { finalUsage }: Pick<Subscription, 'finalUsage'>,
  publicUrl: string,
): ShownSubscription['finalUsage'] {
  if (finalUsage === null) return null;
  const { checkoutId, amountCents: amount } = finalUsage;
  return { checkoutId, amount, url: `${publicUrl}/pay/${checkoutId}` };
}

/** The portal of its customer; null without one. */
export function presentPortalUrl(
  { customerId }: Pick<Subscription, 'customerId'>,
  publicUrl: string,
): string | null {
  return customerId && `${publicUrl}/portal/${customerId}`;
}

/** Whether it is paused, since when, and why if nobody has paused it. An unpaid cycle that waits for its payer is no pause. */
export function presentPause(
  subscription: Pick<Subscription, 'pausedAt' | 'pauseCause'>,
): Pick<ShownSubscription, 'pausedAt' | 'pausedDueTo'> {
  if (!isPaused(subscription)) return { pausedAt: null, pausedDueTo: null };
  const { pausedAt, pauseCause } = subscription;
  return {
    pausedAt: pausedAt?.toISOString() ?? null,
    pausedDueTo: pauseCause === 'RETRIES_EXCEEDED' ? RETRIES_EXCEEDED : null,
  };
}

/** Null without a coupon, and after its last cycle. */
export function presentDiscount({
  discount,
  cycleNumber,
}: Pick<Subscription, 'discount' | 'cycleNumber'>): ShownSubscription['discount'] {
  if (discount === null || !appliesTo(discount, cycleNumber)) return null;
  const { code, discountKind, discountValue, lastNumber } = discount;
  return {
    coupon: code,
    discountKind,
    discount: discountKind === 'FIXED' ? discountValue : discountValue / HUNDREDTHS_PER_PERCENT,
    lastInstallmentNumber: lastNumber,
  };
}
