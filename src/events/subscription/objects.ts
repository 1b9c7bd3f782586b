import { z } from 'zod';
import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../../domain/charge.ts';
import { subscriptionStateOf } from '../../domain/subscription.ts';
import { publishedSubscriptionCheckout, subscriptionCheckoutShape } from '../../wire/checkout.ts';
import { timestamp } from '../../wire/fields.ts';
import { presentAddOns } from '../../wire/subscription/add-ons.ts';
import {
  presentDiscount,
  presentFinalUsage,
  presentPause,
  presentPortalUrl,
} from '../../wire/subscription/presenter.ts';
import { subscriptionView } from '../../wire/subscription/schema.ts';
import { type PublishedPayment, paymentMetadata } from '../parties.ts';

const shown = subscriptionView.shape;

/** A subscription in events (contract section 7). */
export const subscription = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    externalId: z.string().nullable(),
    amount: shown.amount,
    addOns: z.array(z.strictObject(shown.addOns.element.shape)).meta({
      description: 'The products that are charged with the plan every cycle, and their quantities.',
    }),
    currency: shown.currency,
    method: shown.method,
    status: shown.status,
    state: shown.state,
    frequency: shown.frequency,
    discount: z.strictObject(shown.discount.unwrap().shape).nullable().meta({
      description:
        "What a coupon takes off the plan's price. Null without a coupon, and after its last cycle.",
    }),
    retryPolicy: z.strictObject(shown.retryPolicy.shape),
    currentCycle: z.strictObject(shown.currentCycle.shape).meta({
      description: 'The first payment is for number 1; 0 is the trial.',
    }),
    trialDays: z.int().optional().meta({ description: 'Only with a trial.' }),
    trialEndsAt: timestamp.nullable().optional(),
    metadata: shown.metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
    pausedAt: shown.pausedAt,
    pausedDueTo: shown.pausedDueTo,
    resumesAt: shown.resumesAt,
    cancelAt: shown.cancelAt,
    canceledAt: shown.canceledAt,
    cancelPolicy: shown.cancelPolicy,
    cancelledDueTo: shown.cancelledDueTo,
    finalUsage: z.strictObject(shown.finalUsage.unwrap().shape).nullable().meta({
      description: 'The checkout that charges the usage which no cycle has charged. Null without one.',
    }),
    portalUrl: shown.portalUrl,
  })
  .meta({ id: 'EventSubscription' });

export function publishedSubscription(
  published: Subscription,
  publicUrl: string,
): z.output<typeof subscription> {
  const { trialDays, trialEndsAt } = published;
  return {
    id: published.id,
    devMode: published.devMode,
    externalId: published.externalId,
    amount: published.amountCents,
    addOns: presentAddOns(published.plan),
    currency: 'BRL',
    method: published.method,
    status: published.status,
    state: subscriptionStateOf(published),
    frequency: published.cycle,
    discount: presentDiscount(published),
    retryPolicy: { maxRetry: published.maxRetry, retryEvery: published.retryEveryDays },
    currentCycle: {
      number: published.cycleNumber,
      startsAt: published.cycleStartsAt.toISOString(),
      endsAt: published.cycleEndsAt.toISOString(),
    },
    ...(trialDays !== null && { trialDays, trialEndsAt: trialEndsAt?.toISOString() ?? null }),
    metadata: published.metadata,
    createdAt: published.createdAt.toISOString(),
    updatedAt: published.updatedAt.toISOString(),
    ...presentPause(published),
    resumesAt: published.resumesAt?.toISOString() ?? null,
    cancelAt: published.cancelAt?.toISOString() ?? null,
    canceledAt: published.canceledAt?.toISOString() ?? null,
    cancelPolicy: published.cancelPolicy,
    cancelledDueTo: published.cancelledDueTo,
    finalUsage: presentFinalUsage(published, publicUrl),
    portalUrl: presentPortalUrl(published, publicUrl),
  };
}

/** One charge of a subscription. */
export const payment = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    externalId: z.string().nullable(),
    amount: z.int().meta({ description: 'Cents; 0 if a coupon covered everything.' }),
    paidAmount: z.int().nullable(),
    platformFee: z.int().meta({ description: 'Cents.' }),
    status: z.enum(CHARGE_STATUSES),
    methods: z.array(z.enum(PAYMENT_METHODS)),
    receiptUrl: z.string().nullable().meta({ description: 'Null while unpaid.' }),
    metadata: paymentMetadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'EventSubscriptionPayment' });

export function publishedPaymentOf(
  charge: Charge,
  metadata: PublishedPayment['metadata'],
  publicUrl: string,
): z.output<typeof payment> {
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

/** As `checkouts/get` returned it at the time of the event. */
export const checkout = z
  .strictObject({ ...subscriptionCheckoutShape, frequency: z.literal('SUBSCRIPTION') })
  .meta({
    id: 'EventSubscriptionCheckout',
    description: 'The checkout that started the subscription, at the time of the event.',
  });

export function publishedCheckout(published: Checkout, publicUrl: string): z.output<typeof checkout> {
  return { ...publishedSubscriptionCheckout(published, publicUrl), frequency: 'SUBSCRIPTION' };
}
