import { z } from 'zod';
import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import type { Cycle } from '../../database/entities/cycle.ts';
import type { Debit } from '../../database/entities/debit.ts';
import type { PlanUpdate } from '../../database/entities/plan-update.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { timestamp } from '../../wire/fields.ts';
import { planUpdateView, presentAddOns, presentPlanUpdate } from '../../wire/subscription.ts';
import {
  type ChargedCycle,
  chargedCycle,
  installmentKind,
  publishedCycle,
  publishedKind,
} from '../charged-cycle.ts';
import {
  eventCustomer,
  type PublishedPayment,
  payerInformation,
  publishedCustomer,
  publishedPayer,
} from '../parties.ts';
import { eventDebit, publishedDebit } from './debit.ts';
import {
  checkout,
  payment,
  publishedCheckout,
  publishedPaymentOf,
  publishedSubscription,
  subscription,
} from './objects.ts';

export const subscriptionData = z.strictObject({
  subscription,
  customer: eventCustomer,
  payment: payment.nullable().meta({ description: 'The latest charge; null before the first one.' }),
  payerInformation,
  checkout,
  ...chargedCycle,
  installmentKind,
  debit: eventDebit,
});
export type SubscriptionEventData = z.output<typeof subscriptionData>;

/** The objects of a subscription event. */
export interface SubscriptionHappening {
  readonly subscription: Subscription;
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  /** The latest charge; null before the first one. */
  readonly charge: Charge | null;
  /** The cycle of that charge; null without one. */
  readonly cycle: (ChargedCycle & Pick<Cycle, 'isUsage'>) | null;
  readonly payment: PublishedPayment;
  /** The debit that pays the charge; null without one. */
  readonly debit: Debit | null;
}

/** The `data` of `subscription.completed`, `renewed` and `cancelled`. */
export function subscriptionEventData(
  { customer, charge, ...happening }: SubscriptionHappening,
  publicUrl: string,
): SubscriptionEventData {
  return {
    subscription: publishedSubscription(happening.subscription, publicUrl),
    customer: publishedCustomer(customer),
    payment: charge && publishedPaymentOf(charge, happening.payment.metadata, publicUrl),
    payerInformation: charge && publishedPayer(charge, customer, happening.payment.payer),
    checkout: publishedCheckout(happening.checkout, publicUrl),
    ...publishedCycle(happening.cycle),
    installmentKind: publishedKind(happening.cycle),
    debit: publishedDebit(happening.debit),
  };
}

export const trialData = z.strictObject({
  subscription: subscription.extend({ trialDays: z.int(), trialEndsAt: timestamp }),
  customer: eventCustomer,
  installmentNumber: z.literal(0).meta({ description: 'The trial is cycle 0.' }),
});
export type TrialEventData = z.output<typeof trialData>;

/** The `data` of `subscription.trial_started`. */
export function trialEventData(
  started: Subscription,
  customer: Customer | null,
  publicUrl: string,
): TrialEventData {
  const { id, trialDays, trialEndsAt } = started;
  if (trialDays === null || trialEndsAt === null) throw new Error(`${id} has no trial`);
  return {
    subscription: {
      ...publishedSubscription(started, publicUrl),
      trialDays,
      trialEndsAt: trialEndsAt.toISOString(),
    },
    customer: publishedCustomer(customer),
    installmentNumber: 0,
  };
}

export const planChangedData = z.strictObject({
  subscription: subscription.meta({ description: 'With its future amount, add-ons and frequency.' }),
  customer: eventCustomer,
  update: z.strictObject(planUpdateView.shape),
});
export type PlanChangedEventData = z.output<typeof planChangedData>;

/** The `data` of `subscription.plan_changed`: the subscription after the change, and the change itself. */
export function planChangedEventData(
  changed: Subscription,
  update: PlanUpdate,
  customer: Customer | null,
  publicUrl: string,
): PlanChangedEventData {
  const { plan, amountCents, cycle } = update;
  return {
    subscription: {
      ...publishedSubscription(changed, publicUrl),
      amount: amountCents,
      addOns: presentAddOns(plan),
      frequency: cycle,
    },
    customer: publishedCustomer(customer),
    update: presentPlanUpdate(update, changed.devMode),
  };
}

export const paymentFailedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  payment: payment.extend({ status: z.literal('FAILED') }),
  reason: z.string().meta({
    description: "The reason: a card's decline code such as `card_declined`, or `pix_expired`.",
  }),
  installmentId: z.string().nullable(),
  installmentNumber: z.int().meta({ description: 'The cycle of this attempt.' }),
  installmentKind,
  retryNumber: z.int().meta({ description: 'Failed attempts for this cycle, including this one.' }),
  nextAttemptAt: timestamp.nullable().meta({
    description: 'When the next attempt follows; null after the last one.',
  }),
  debit: eventDebit,
});
export type PaymentFailedEventData = z.output<typeof paymentFailedData>;

interface FailedAttempt {
  readonly reason: string;
  readonly cycleNumber: number;
  readonly isUsage: boolean;
  readonly retryNumber: number;
  /** Null for the last attempt. */
  readonly nextAttemptAt: Date | null;
  /** The debit that has failed; null if the attempt was of another kind. */
  readonly debit: Debit | null;
}

/** The `data` of `subscription.payment_failed` (contract section 6). */
export function paymentFailedEventData(
  unpaid: Subscription,
  customer: Customer | null,
  charge: Charge,
  failure: FailedAttempt,
  publicUrl: string,
): PaymentFailedEventData {
  return {
    subscription: publishedSubscription(unpaid, publicUrl),
    customer: publishedCustomer(customer),
    payment: { ...publishedPaymentOf(charge, {}, publicUrl), status: 'FAILED' },
    reason: failure.reason,
    installmentId: charge.cycleId,
    installmentNumber: failure.cycleNumber,
    installmentKind: publishedKind(failure),
    retryNumber: failure.retryNumber,
    nextAttemptAt: failure.nextAttemptAt?.toISOString() ?? null,
    debit: publishedDebit(failure.debit),
  };
}
