import { z } from 'zod';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../../domain/charge.ts';
import { subscriptionCheckoutView } from '../../wire/checkout.ts';
import { timestamp } from '../../wire/fields.ts';
import { planUpdateView, subscriptionView } from '../../wire/subscription.ts';
import { eventCustomer, payerInformation, paymentMetadata } from '../parties.ts';

const shown = subscriptionView.shape;

/** A subscription as every event tells it (contract section 7). */
export const subscription = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  amount: shown.amount,
  currency: shown.currency,
  method: shown.method,
  status: shown.status,
  frequency: shown.frequency,
  retryPolicy: z.strictObject(shown.retryPolicy.shape),
  currentCycle: z.strictObject(shown.currentCycle.shape).meta({
    description: 'The first payment is for number 1; 0 is the trial.',
  }),
  trialDays: z.int().optional().meta({ description: 'Only where there is a trial.' }),
  trialEndsAt: timestamp.nullable().optional(),
  metadata: shown.metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
  canceledAt: shown.canceledAt,
  cancelPolicy: shown.cancelPolicy,
  cancelledDueTo: shown.cancelledDueTo,
});

const payment = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  amount: z.int().meta({ description: 'Cents; 0 where a coupon took it all.' }),
  paidAmount: z.int().nullable(),
  platformFee: z.int().meta({ description: 'Cents.' }),
  status: z.enum(CHARGE_STATUSES),
  methods: z.array(z.enum(PAYMENT_METHODS)),
  receiptUrl: z.string().nullable().meta({ description: 'Null while unpaid.' }),
  metadata: paymentMetadata,
  createdAt: timestamp,
  updatedAt: timestamp,
});

const checkout = z
  .strictObject({ ...subscriptionCheckoutView.shape, frequency: z.literal('SUBSCRIPTION') })
  .meta({ description: 'The checkout that began the subscription, as it is at that moment.' });

/** Of `subscription.completed`, `renewed` and `cancelled`. */
export const subscriptionData = z.strictObject({
  subscription,
  customer: eventCustomer,
  payment: payment.nullable().meta({ description: 'The last charge; null before the first one.' }),
  payerInformation,
  checkout,
});

export const trialData = z.strictObject({
  subscription: subscription.extend({ trialDays: z.int(), trialEndsAt: timestamp }),
  customer: eventCustomer,
});

export const planChangedData = z.strictObject({
  subscription: subscription.meta({ description: 'With the amount and frequency that it will have.' }),
  customer: eventCustomer,
  update: z.strictObject(planUpdateView.shape),
});

export const paymentFailedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  payment: payment.extend({ status: z.literal('FAILED') }),
  reason: z.string().meta({
    description: "Why: a card's decline code such as `card_declined`, or `pix_expired`.",
  }),
  installmentId: z.string().nullable(),
  installmentNumber: z.int().meta({ description: 'The cycle that the attempt was for.' }),
  retryNumber: z.int().meta({ description: 'Failed attempts at this cycle, this one included.' }),
});
