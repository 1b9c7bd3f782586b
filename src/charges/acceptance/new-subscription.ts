import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Coupon } from '../../database/entities/coupon.ts';
import type { Cycle } from '../../database/entities/cycle.ts';
import { type Subscription, UNEVENTFUL } from '../../database/entities/subscription.ts';
import { cyclePeriod } from '../../domain/cycle.ts';
import { cycleDiscountOf, recurringDiscountCentsOf } from '../../domain/cycle-price.ts';
import { DEFAULT_RETRY_POLICY } from '../../domain/dunning-policy.ts';
import type { CycleId, SubscriptionId } from '../../domain/ids.ts';
import { customerOfFirst } from '../../domain/payer.ts';
import { planOfItems } from '../../domain/subscribed-plan.ts';
import { usageEndsAtOf } from '../../domain/usage-cycle.ts';
import { derivedId, mintId } from '../../ids.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A new subscription with the cycle that its first payment was for; without a cycle during a trial. */
export interface NewSubscription {
  readonly subscription: Subscription;
  readonly firstCycle: Cycle | null;
}

/** What a new subscription takes from its checkout. */
export type SubscriptionSale = Pick<
  Checkout,
  | 'id'
  | 'storeId'
  | 'devMode'
  | 'customerId'
  | 'customerNamedBy'
  | 'externalId'
  | 'metadata'
  | 'coupons'
  | 'items'
  | 'amountCents'
  | 'cycle'
  | 'trialDays'
  | 'maxRetry'
  | 'retryEveryDays'
  | 'mandateAmount'
>;

/** What it takes from its first payment. */
export type FirstPayment = Pick<
  Charge,
  | 'id'
  | 'customerId'
  | 'customerNamedBy'
  | 'mandateId'
  | 'cardToken'
  | 'cardBrand'
  | 'cardLastFour'
  | 'cardExpiryMonth'
  | 'discountCents'
  | 'paidAt'
>;

/**
 * Builds what the first payment of a subscription's checkout creates (contract section 6). Cycles are anchored to
 * that payment, or to the end of the trial, when the first charge is due.
 * @param coupon of that payment. Its terms are copied, so that the payer keeps them if it is deleted.
 */
export function newSubscription(
  checkout: SubscriptionSale,
  paid: FirstPayment,
  coupon: Coupon | null,
  now: Date,
): NewSubscription {
  const { cycle } = checkout;
  if (cycle === null) throw new Error('the checkout of a subscription has a cycle');
  const startsAt = paid.paidAt ?? now;
  const id = mintId<SubscriptionId>('subscription', now);
  const plan = planOfItems(checkout.items);
  const { trialDays } = checkout;
  const trialEndsAt = trialDays === null ? null : new Date(startsAt.getTime() + trialDays * DAY_MS);
  const first = trialEndsAt === null ? cyclePeriod(startsAt, cycle, 0) : { startsAt, endsAt: trialEndsAt };
  const discount = coupon && cycleDiscountOf(coupon);
  const subscription: Subscription = {
    id,
    storeId: checkout.storeId,
    devMode: checkout.devMode,
    checkoutId: checkout.id,
    ...customerOfFirst(checkout, paid),
    externalId: checkout.externalId,
    metadata: checkout.metadata,
    coupons: checkout.coupons,
    status: 'ACTIVE',
    method: paid.cardToken === null ? 'PIX' : 'CARD',
    cardToken: paid.cardToken,
    cardBrand: paid.cardBrand,
    cardLastFour: paid.cardLastFour,
    cardExpiryMonth: paid.cardExpiryMonth,
    plan,
    amountCents: checkout.amountCents,
    cycle,
    trialDays,
    trialEndsAt,
    maxRetry: checkout.maxRetry ?? DEFAULT_RETRY_POLICY.maxRetry,
    retryEveryDays: checkout.retryEveryDays ?? DEFAULT_RETRY_POLICY.retryEvery,
    anchorAt: trialEndsAt ?? startsAt,
    anchorNumber: 1,
    cycleNumber: trialEndsAt === null ? 1 : 0,
    cycleStartsAt: first.startsAt,
    cycleEndsAt: first.endsAt,
    ...UNEVENTFUL,
    usageEndsAt:
      trialEndsAt === null
        ? usageEndsAtOf({ anchorAt: startsAt, plan, cycleEndsAt: first.endsAt }, startsAt)
        : null,
    mandateId: paid.mandateId,
    consentDueAt: asksLater(checkout, paid) ? now : null,
    discount,
    recurringDiscountCents: recurringDiscountCentsOf({
      number: 1,
      planCents: checkout.amountCents,
      discount,
    }),
    createdAt: startsAt,
    updatedAt: now,
    workflowStartedAt: null,
  };
  if (trialEndsAt !== null) return { subscription, firstCycle: null };
  const firstCycle: Cycle = {
    id: derivedId<CycleId>('cycle', first.startsAt, `${id}/1`),
    subscriptionId: id,
    number: 1,
    status: 'PAID',
    amountCents: checkout.amountCents - paid.discountCents,
    discountCents: paid.discountCents,
    usageCents: 0,
    creditCents: 0,
    part: null,
    isUsage: false,
    startsAt: first.startsAt,
    endsAt: first.endsAt,
    paidByChargeId: paid.id,
    createdAt: now,
  };
  return { subscription, firstCycle };
}

/** Whether its payer is still to be asked for debits: nothing was paid, as in a trial, or the bank gave no code that asks. */
function asksLater({ mandateAmount }: SubscriptionSale, { mandateId, cardToken }: FirstPayment): boolean {
  return mandateAmount !== null && mandateId === null && cardToken === null;
}
