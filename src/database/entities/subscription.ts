import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { CycleDiscount } from '../../domain/cycle-price.ts';
import type { FinalUsageCharge } from '../../domain/final-usage.ts';
import type { CheckoutId, CustomerId, MandateId, StoreId, SubscriptionId } from '../../domain/ids.ts';
import type { CustomerNamedBy } from '../../domain/payer.ts';
import type { SubscribedPlan } from '../../domain/subscribed-plan.ts';
import type { CancelPolicy, PauseCause, SubscriptionStatus } from '../../domain/subscription.ts';

/**
 * An agreement to be charged every cycle. The first payment of its checkout, or the start of its trial, inserts it
 * as ACTIVE. From then on only activities of `subscription/<id>` change it, except for the announcements.
 */
export const SubscriptionEntity = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  properties: {
    id: p.text().$type<SubscriptionId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    checkoutId: p.text().$type<CheckoutId>(),
    customerId: p.text().$type<CustomerId>().strictNullable(),
    /** Null without a customer, and in rows of older releases. */
    customerNamedBy: p.text().$type<CustomerNamedBy>().strictNullable(),
    externalId: p.text().strictNullable(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    coupons: p.array().$type<string[]>(),
    status: p.text().$type<SubscriptionStatus>(),
    method: p.text().$type<'PIX' | 'CARD'>(),
    cardToken: p.text().strictNullable(),
    cardBrand: p.text().strictNullable(),
    cardLastFour: p.text().strictNullable(),
    /** The last month in which the card is valid, as `YYYY-MM`; null if unknown. */
    cardExpiryMonth: p.text().strictNullable(),
    /** The product of the plan and its add-ons, as they were when they were chosen. */
    plan: p.json().columnType('json').$type<SubscribedPlan>(),
    /** What the plan costs per cycle with its add-ons, without discount and usage. */
    amountCents: p.bigint('number'),
    /** What the coupon of the first payment takes off cycles; null without one. */
    discount: p.json().columnType('json').$type<CycleDiscount>().strictNullable(),
    /** What it takes off the current cycle and the next ones: less in the sums of recurring revenue. */
    recurringDiscountCents: p.bigint('number').defaultRaw('0'),
    /** What later cycles are reduced by; negative for a small amount that a cycle has left open. */
    creditCents: p.bigint('number').defaultRaw('0'),
    cycle: p.text().$type<ProductCycle>(),
    /** The authorization under which its cycles are debited; null if its payer gets a code per cycle, or pays by card. */
    mandateId: p.text().$type<MandateId>().strictNullable(),
    /** The newest cycle whose debit was planned; 0 if there is none. */
    debitNumber: p.integer().default(0),
    /** Since when its payer is to be asked for an authorization; null if nobody is to be asked. */
    consentDueAt: p.datetime().strictNullable(),
    trialDays: p.integer().strictNullable(),
    trialEndsAt: p.datetime().strictNullable(),
    maxRetry: p.integer(),
    retryEveryDays: p.integer(),
    /** The start of the first period: period `n` is `cyclePeriod(anchorAt, cycle, n - anchorNumber)`. */
    anchorAt: p.datetime(),
    anchorNumber: p.integer(),
    /** The newest cycle, of the plan or of usage; 0 is the trial. */
    cycleNumber: p.integer(),
    /** The period of the plan that lasts now. */
    cycleStartsAt: p.datetime(),
    cycleEndsAt: p.datetime(),
    /** When the newest usage cycle of the current period opened; null if none has, or its usage is charged with the plan. */
    usageStartsAt: p.datetime().strictNullable(),
    /** When the next usage cycle opens; null if the next cycle is the plan's. Always before `cycleEndsAt`. */
    usageEndsAt: p.datetime().strictNullable(),
    /** Failed attempts of the current cycle. */
    failedAttempts: p.integer(),
    lastFailure: p.text().strictNullable(),
    /** Attempts at the current cycle that somebody asked for. They do not use up the retry policy. */
    extraAttempts: p.integer().default(0),
    /** When the newest attempt at the open cycle is or was due; null while no cycle is open. */
    attemptDueAt: p.datetime().strictNullable(),
    /** The newest cycle announced by `subscription.upcoming`; 0 if there is none. */
    announcedNumber: p.integer().default(0),
    /** Whether `subscription.trial_ending` was published. */
    trialEndAnnounced: p.boolean().default(false),
    /** The days of the card's newest `subscription.card_expiring`; 0 if there is none. Another card starts at 0 again. */
    expiryAnnouncedDays: p.integer().default(0),
    /** When a scheduled cancellation takes effect: the end of the cycle in which it was requested. Null without one. */
    cancelAt: p.datetime().strictNullable(),
    /** Since when nothing is charged: it is paused, or an unpaid cycle waits for its payer ({@link PauseCause}). */
    pausedAt: p.datetime().strictNullable(),
    /** When a pause ends by itself; null if somebody must end it. */
    resumesAt: p.datetime().strictNullable(),
    /** Why nothing is charged, if nobody has paused it; null if somebody has, or if it is not paused. */
    pauseCause: p.text().$type<PauseCause>().strictNullable(),
    /** Whether cycles keep their dates after the pause. Otherwise the rest of the paid cycle follows the pause. */
    keepsAnchor: p.boolean().default(true),
    canceledAt: p.datetime().strictNullable(),
    cancelPolicy: p.text().$type<CancelPolicy>().strictNullable(),
    cancelledDueTo: p.text().strictNullable(),
    /** Set if its cancellation has charged usage. */
    finalUsage: p.json().columnType('json').$type<FinalUsageCharge>().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Subscription = InferEntity<typeof SubscriptionEntity>;

/** The initial values of every subscription. */
export const UNEVENTFUL = {
  mandateId: null,
  debitNumber: 0,
  consentDueAt: null,
  discount: null,
  recurringDiscountCents: 0,
  creditCents: 0,
  usageStartsAt: null,
  usageEndsAt: null,
  failedAttempts: 0,
  lastFailure: null,
  extraAttempts: 0,
  attemptDueAt: null,
  announcedNumber: 0,
  trialEndAnnounced: false,
  expiryAnnouncedDays: 0,
  cancelAt: null,
  pausedAt: null,
  resumesAt: null,
  pauseCause: null,
  keepsAnchor: true,
  canceledAt: null,
  cancelPolicy: null,
  cancelledDueTo: null,
  finalUsage: null,
} as const satisfies Partial<Subscription>;
