import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import type { PlanUpdate } from '../../database/entities/plan-update.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { presentSubscriptionCheckout } from '../../wire/checkout.ts';
import { type ToldPayment, tellCustomer, tellPayer } from '../parties.ts';

/** A subscription as every event tells it (contract section 7). */
export function eventSubscription(subscription: Subscription) {
  const { trialDays, trialEndsAt } = subscription;
  return {
    id: subscription.id,
    devMode: subscription.devMode,
    externalId: subscription.externalId,
    amount: subscription.amountCents,
    currency: 'BRL',
    method: subscription.method,
    status: subscription.status,
    frequency: subscription.cycle,
    retryPolicy: { maxRetry: subscription.maxRetry, retryEvery: subscription.retryEveryDays },
    currentCycle: {
      number: subscription.cycleNumber,
      startsAt: subscription.cycleStartsAt.toISOString(),
      endsAt: subscription.cycleEndsAt.toISOString(),
    },
    ...(trialDays !== null && { trialDays, trialEndsAt: trialEndsAt?.toISOString() ?? null }),
    metadata: subscription.metadata,
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
    canceledAt: subscription.canceledAt?.toISOString() ?? null,
    cancelPolicy: subscription.cancelPolicy,
    cancelledDueTo: subscription.cancelledDueTo,
  };
}

/** One charge of a subscription as events tell it. */
export function eventPayment(charge: Charge, metadata: ToldPayment['metadata'], publicUrl: string) {
  return {
    id: charge.id,
    devMode: charge.devMode,
    externalId: charge.externalId,
    amount: charge.amountCents,
    paidAmount: charge.paidAmountCents,
    platformFee: charge.platformFeeCents,
    status: charge.status,
    methods: charge.method === 'FREE' ? [] : [charge.method],
    receiptUrl: charge.paidAt && `${publicUrl}/receipt/${charge.id}`,
    metadata,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}

/** What an event of a subscription is about. */
export interface SubscriptionHappening {
  readonly subscription: Subscription;
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  /** The charge that was made last; null before the first one. */
  readonly charge: Charge | null;
  readonly payment: ToldPayment;
}

/** The `data` of `subscription.completed`, `renewed` and `cancelled`: the checkout as `checkouts/get` shows it at that moment. */
export function subscriptionEventData(happening: SubscriptionHappening, publicUrl: string) {
  const { subscription, checkout, customer, charge, payment } = happening;
  return {
    subscription: eventSubscription(subscription),
    customer: tellCustomer(customer),
    payment: charge && eventPayment(charge, payment.metadata, publicUrl),
    payerInformation: charge && tellPayer(charge, customer, payment.payer),
    checkout: { ...presentSubscriptionCheckout(checkout, publicUrl), frequency: 'SUBSCRIPTION' },
  };
}

/** The `data` of `subscription.trial_started`. */
export function trialEventData(subscription: Subscription, customer: Customer | null) {
  return { subscription: eventSubscription(subscription), customer: tellCustomer(customer) };
}

/** The `data` of `subscription.plan_changed`: the subscription as it will be, and the change that makes it so. */
export function planChangedEventData(
  subscription: Subscription,
  update: PlanUpdate,
  customer: Customer | null,
) {
  return {
    subscription: { ...eventSubscription(subscription), amount: update.amountCents, frequency: update.cycle },
    customer: tellCustomer(customer),
    update: {
      id: update.id,
      devMode: subscription.devMode,
      subscriptionId: update.subscriptionId,
      status: update.status,
      productId: update.plan.productId,
      quantity: update.plan.quantity,
      newAmount: update.amountCents,
      requestedAt: update.requestedAt.toISOString(),
    },
  };
}

/** The `data` of `subscription.payment_failed` (contract section 6). */
export function paymentFailedEventData(
  subscription: Subscription,
  customer: Customer | null,
  charge: Charge,
  failure: { readonly reason: string; readonly cycleNumber: number; readonly retryNumber: number },
  publicUrl: string,
) {
  return {
    subscription: eventSubscription(subscription),
    customer: tellCustomer(customer),
    payment: { ...eventPayment(charge, {}, publicUrl), status: 'FAILED' },
    reason: failure.reason,
    installmentId: charge.cycleId,
    installmentNumber: failure.cycleNumber,
    retryNumber: failure.retryNumber,
  };
}
