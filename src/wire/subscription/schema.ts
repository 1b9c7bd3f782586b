import { z } from 'zod';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { DISCOUNT_KINDS } from '../../domain/coupon.ts';
import { PRODUCT_CYCLES } from '../../domain/cycle.ts';
import { CANCEL_POLICIES, SUBSCRIPTION_STATUSES } from '../../domain/subscription.ts';
import { USAGE_CYCLES } from '../../domain/usage-cycle.ts';
import { cardView } from '../card.ts';
import { debitRetryPolicy } from '../debit-retry-policy.ts';
import { amountCents, customerNamedBy, timestamp } from '../fields.ts';
import { addOnsView } from './add-ons.ts';
import { planUpdateView } from './plan-update.ts';
import { subscriptionState } from './state.ts';

/** What a coupon takes off the current cycle and maybe the next ones. */
const subscriptionDiscount = z
  .object({
    coupon: z.string().meta({ description: 'The code.' }),
    discountKind: z.enum(DISCOUNT_KINDS),
    discount: z.number().meta({ description: 'Percent for `PERCENTAGE`, cents for `FIXED`.' }),
    lastInstallmentNumber: z.int().nullable().meta({
      description: 'The last cycle that it discounts. Null if it discounts all.',
    }),
  })
  .nullable()
  .meta({
    description: "What a coupon takes off the plan's price. Null without a coupon, and after its last cycle.",
  });

/** A subscription in responses; events contain most of its fields (contract section 6). */
export const subscriptionView = z
  .object({
    id: z.string(),
    checkoutId: z.string(),
    externalId: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    customerId: z.string().nullable(),
    customerNamedBy,
    amount: amountCents.meta({
      description: 'Cents per cycle with the add-ons, without discount and usage.',
    }),
    items: z
      .array(z.object({ id: z.string(), quantity: z.int() }))
      .meta({ description: "The plan's product and quantity." }),
    addOns: addOnsView,
    currency: z.literal('BRL'),
    method: z.enum(['PIX', 'CARD']),
    card: cardView.nullable().meta({ description: 'The card that it is charged to; null for PIX.' }),
    status: z.enum(SUBSCRIPTION_STATUSES),
    state: subscriptionState,
    frequency: z.enum(PRODUCT_CYCLES),
    usageCycle: z.enum(USAGE_CYCLES).nullable().meta({
      description: 'How often usage is charged by itself. Null if it is charged with the plan.',
    }),
    coupons: z.array(z.string()),
    discount: subscriptionDiscount,
    devMode: z.boolean(),
    trialDays: z.int().nullable(),
    trialEndsAt: timestamp.nullable(),
    retryPolicy: z.object({ maxRetry: z.int(), retryEvery: z.int() }),
    debitRetryPolicy,
    currentCycle: z.object({ number: z.int(), startsAt: timestamp, endsAt: timestamp }).meta({
      description:
        'The period of the plan. The first payment is for number 1; 0 is the trial. Cycles of usage within the period count too.',
    }),
    mandateId: z.string().nullable().meta({
      description:
        'The authorization under which later cycles are debited (`mandates/get`); null without one.',
    }),
    currentCharge: z
      .object({
        id: z.string(),
        status: z.enum(CHARGE_STATUSES),
        expiresAt: timestamp,
        url: z.string().meta({ description: 'The page with the QR code: send the payer there.' }),
        brCode: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "The current cycle's PIX charge while it is unpaid." }),
    usage: z
      .object({
        installmentNumber: z.int().meta({ description: 'The cycle whose charge includes it: the next one.' }),
        amount: z.int().meta({ description: 'Cents.' }),
        chargedAt: timestamp.meta({
          description: 'When that cycle is charged, unless the subscription is paused or ends before.',
        }),
        products: z
          .array(
            z.object({
              id: z.string(),
              name: z.string(),
              units: z.int(),
              amount: z.int().meta({ description: 'Cents, by the price of the product.' }),
            }),
          )
          .meta({ description: 'Each product with units in the cycle, also if they are free so far.' }),
      })
      .meta({ description: 'Usage recorded in the current cycle.' }),
    pendingUpdate: planUpdateView
      .nullable()
      .meta({ description: 'The plan change scheduled for the next cycle.' }),
    nextChargeAt: timestamp.nullable().meta({
      description:
        'The time of the next charge: the next attempt for the current cycle, or the start of the next one. With a `usageCycle`, the end of the period of usage, at which nothing is charged without usage. Null if none follows.',
    }),
    failedAttempts: z.int().meta({ description: 'Failed attempts at the current cycle.' }),
    pausedAt: timestamp.nullable().meta({ description: 'Since when it is paused. Null if it is not.' }),
    pausedDueTo: z.string().nullable().meta({
      description:
        '`max_payment_retries_exceeded` if it was paused after the last failed attempt; null if somebody paused it.',
    }),
    resumesAt: timestamp.nullable().meta({
      description: 'When the pause ends by itself. Null if it is not paused, or until somebody resumes it.',
    }),
    cancelAt: timestamp.nullable().meta({
      description: 'When a scheduled cancellation takes effect: the end of a cycle. Null without one.',
    }),
    canceledAt: timestamp.nullable(),
    cancelPolicy: z.enum(CANCEL_POLICIES).nullable().meta({
      description: '`AT_PERIOD_END` if a scheduled cancellation ended it; null until it ends.',
    }),
    cancelledDueTo: z.string().nullable().meta({
      description: '`max_payment_retries_exceeded`, `pix_automatic_authorization_refused`, or null.',
    }),
    finalUsage: z
      .object({
        checkoutId: z.string(),
        amount: amountCents,
        url: z.string().meta({ description: 'Where it can be paid if no card has paid it.' }),
      })
      .nullable()
      .meta({
        description:
          'The checkout that charges the usage which no cycle has charged. Null if its cancellation has charged none.',
      }),
    portalUrl: z.string().nullable().meta({
      description:
        'The customer portal, where the customer proves their e-mail address and acts on the subscription. Null without a customer.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Subscription' });
export type ShownSubscription = z.output<typeof subscriptionView>;
