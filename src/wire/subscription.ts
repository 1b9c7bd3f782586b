import { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import type { PlanUpdate } from '../database/entities/plan-update.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import { CHARGE_STATUSES } from '../domain/charge.ts';
import { DISCOUNT_KINDS, HUNDREDTHS_PER_PERCENT } from '../domain/coupon.ts';
import { PRODUCT_CYCLES } from '../domain/cycle.ts';
import { appliesTo } from '../domain/cycle-price.ts';
import { type UsageOfProduct, usedCents } from '../domain/cycle-usage.ts';
import { RETRIES_EXCEEDED } from '../domain/dunning-policy.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import type { Proration } from '../domain/proration.ts';
import type { SubscribedPlan } from '../domain/subscribed-plan.ts';
import {
  CANCEL_POLICIES,
  isPaused,
  nextChargeAtOf,
  SUBSCRIPTION_STATUSES,
  subscriptionStateOf,
} from '../domain/subscription.ts';
import { nextCycleAtOf, USAGE_CYCLES } from '../domain/usage-cycle.ts';
import { cardView, presentCard } from './card.ts';
import { exampleCheckoutId, exampleProductId } from './checkout.ts';
import { debitRetryPolicy, presentDebitRetryPolicy } from './debit-retry-policy.ts';
import { amountCents, customerNamedBy, timestamp } from './fields.ts';
import { subscriptionState } from './subscription-state.ts';

/** When a new plan starts, in the words of the API. */
export const CHANGE_STARTS = ['next_cycle', 'now'] as const;

/** {@link Proration} in the words of the API. */
export const PRORATION_WORDS = [
  'none',
  'difference',
  'full',
] as const satisfies readonly Lowercase<Proration>[];

const addOns = z.array(z.object({ id: z.string(), quantity: z.int(), unitPrice: amountCents })).meta({
  description:
    'The products that are charged with the plan every cycle, with quantity and price of one unit in cents.',
});

export const planUpdateView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    subscriptionId: z.string(),
    status: z
      .enum(['PENDING', 'APPLIED', 'REPLACED'])
      .meta({ description: '`PENDING` until the next cycle. `APPLIED` from the start if it starts now.' }),
    productId: z.string(),
    quantity: z.int(),
    addOns,
    newAmount: amountCents,
    when: z.enum(CHANGE_STARTS).meta({ description: 'When the new plan starts.' }),
    proration: z
      .enum(PRORATION_WORDS)
      .nullable()
      .meta({ description: 'How a change that starts now is charged; null for the next cycle.' }),
    requestedAt: timestamp,
  })
  .meta({ id: 'PlanUpdate' });

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
    addOns,
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

/** Its add-ons, with the prices that its payer accepted. */
export function presentAddOns({ addOns: charged = [] }: SubscribedPlan): ShownSubscription['addOns'] {
  return charged.map(({ productId, quantity, unitPriceCents }) => ({
    id: productId,
    quantity,
    unitPrice: unitPriceCents,
  }));
}

export type ShownPlanUpdate = z.output<typeof planUpdateView>;

/** The response to a plan change (contract section 6). */
export function presentPlanUpdate(update: PlanUpdate, devMode: boolean): ShownPlanUpdate {
  return {
    id: update.id,
    devMode,
    subscriptionId: update.subscriptionId,
    status: update.status,
    productId: update.plan.productId,
    quantity: update.plan.quantity,
    addOns: presentAddOns(update.plan),
    newAmount: update.amountCents,
    when: update.starts === 'NOW' ? 'now' : 'next_cycle',
    proration: update.proration && (update.proration.toLowerCase() as Lowercase<Proration>),
    requestedAt: update.requestedAt.toISOString(),
  };
}

export const exampleSubscriptionId = 'subs_01KAK12F6T8V0X2Z4B6D8G0J2M';

export const exampleSubscription: ShownSubscription = {
  id: exampleSubscriptionId,
  checkoutId: exampleCheckoutId,
  externalId: 'account-77',
  metadata: { accountId: '77' },
  customerId: 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  customerNamedBy: 'PAYER',
  amount: 4_900,
  items: [{ id: exampleProductId, quantity: 1 }],
  addOns: [],
  currency: 'BRL',
  method: 'CARD',
  card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2027 },
  status: 'ACTIVE',
  state: 'ACTIVE',
  frequency: 'MONTHLY',
  usageCycle: null,
  coupons: [],
  discount: null,
  devMode: true,
  trialDays: null,
  trialEndsAt: null,
  retryPolicy: { maxRetry: 3, retryEvery: 2 },
  debitRetryPolicy: null,
  currentCycle: {
    number: 1,
    startsAt: '2026-12-04T14:25:31.004Z',
    endsAt: '2027-01-04T14:25:31.004Z',
  },
  mandateId: null,
  currentCharge: null,
  usage: { installmentNumber: 2, amount: 0, chargedAt: '2027-01-04T14:25:31.004Z', products: [] },
  pendingUpdate: null,
  nextChargeAt: '2027-01-04T14:25:31.004Z',
  failedAttempts: 0,
  pausedAt: null,
  pausedDueTo: null,
  resumesAt: null,
  cancelAt: null,
  canceledAt: null,
  cancelPolicy: null,
  cancelledDueTo: null,
  finalUsage: null,
  portalUrl: 'https://pay.example.com/portal/cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  createdAt: '2026-12-04T14:25:31.004Z',
  updatedAt: '2026-12-04T14:25:31.004Z',
};

export const examplePlanUpdate: ShownPlanUpdate = {
  id: 'subu_01KAK1F2V5X7Z9B1D3F5H7K9MP',
  devMode: true,
  subscriptionId: exampleSubscriptionId,
  status: 'PENDING',
  productId: exampleProductId,
  quantity: 2,
  addOns: [],
  newAmount: 9_800,
  when: 'next_cycle',
  proration: null,
  requestedAt: '2026-12-12T17:40:02.519Z',
};
