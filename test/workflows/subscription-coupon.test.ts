import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Coupon, CouponEntity } from '../../src/database/entities/coupon.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, usesOf } from '../support/fixtures/checkouts.ts';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  changePlan,
  eventsOf,
  newestCharge,
  nextCycle,
  openSubscriptionCheckout,
  sleepUntil,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { chargesOf, insertCoupon } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const HALF = { discountKind: 'PERCENTAGE', discountValue: 5_000 } as const;
const ALL = { discountKind: 'PERCENTAGE', discountValue: 10_000 } as const;
const R10 = { discountKind: 'FIXED', discountValue: 1_000 } as const;
const TWICE = { duration: 'REPEATING', durationCycles: 2 } as const;
const FOREVER = { duration: 'FOREVER' } as const;

type Terms = NonNullable<Parameters<typeof openSubscriptionCheckout>[1]>;

/** A subscription at R$ 50.00 a month whose payer has used a coupon with these terms. */
async function subscribeWith(terms: Partial<Coupon>, checkoutTerms: Terms = {}) {
  const coupon = await insertCoupon(fixture, terms);
  const checkout = await openSubscriptionCheckout(fixture, { ...checkoutTerms, coupons: [coupon.code] });
  const method = checkout.methods.includes('PIX') ? 'PIX' : 'CARD';
  const charge = await beginPayment(fixture, checkout, { method, couponCode: coupon.code });
  if (charge.status === 'PENDING') await notify(fixture, await mustPay(fixture, charge));
  return { coupon, subscription: await subscriptionOf(fixture, { checkoutId: checkout.id }) };
}

async function renew(subscription: Subscription, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await nextCycle(fixture, subscription);
}

async function paidBy({ checkoutId }: Subscription): Promise<(number | null)[]> {
  return (await chargesOf(fixture, checkoutId)).map(({ paidAmountCents }) => paidAmountCents);
}

describe('a coupon of a subscription', () => {
  it.each([
    ['ONCE', { ...HALF }, [2_500, 5_000, 5_000, 5_000]],
    ['for two payments', { ...HALF, ...TWICE }, [2_500, 2_500, 5_000, 5_000]],
    ['FOREVER', { ...R10, ...FOREVER }, [4_000, 4_000, 4_000, 4_000]],
    ['of 100 % for two payments', { ...ALL, ...TWICE }, [0, 0, 5_000, 5_000]],
  ])('discounts the payments of a coupon %s', async (_, terms, cents) => {
    const { coupon, subscription } = await subscribeWith(terms);
    await renew(subscription, 3);
    expect(await amountsOf(fixture, subscription)).toEqual(cents);
    expect(await paidBy(subscription)).toEqual(cents);
    expect(await usesOf(fixture, coupon)).toMatchObject({ redeemsCount: 1, reservedCount: 0 });
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed', 'renewed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });

  it('renews without a code while a coupon covers a cycle paid by PIX', async () => {
    const { subscription } = await subscribeWith({ ...ALL, ...TWICE }, { methods: ['PIX'] });
    await renew(subscription, 1);
    expect(await newestCharge(fixture, subscription)).toMatchObject({ method: 'FREE', brCode: null });
    await sleepUntilPayable(subscription);
    expect(await newestCharge(fixture, subscription)).toMatchObject({ method: 'PIX', amountCents: 5_000 });
    await cancelSubscription(fixture, subscription);
  });

  it.each([
    ['ONCE', { ...HALF }, [2_500, 5_000, 5_000]],
    ['for two payments', { ...HALF, ...TWICE }, [2_500, 2_500, 5_000]],
  ])('discounts the first charges after a trial with a coupon %s', async (_, terms, cents) => {
    const { coupon, subscription } = await subscribeWith(terms, { trialDays: 7 });
    expect(await usesOf(fixture, coupon)).toMatchObject({ redeemsCount: 1, reservedCount: 0 });
    await renew(subscription, 3);
    expect(await amountsOf(fixture, subscription)).toEqual(cents);
    expect(await paidBy(subscription)).toEqual([0, ...cents]);
    await cancelSubscription(fixture, subscription);
  });

  it('discounts the plan and not the usage', async () => {
    const { subscription } = await subscribeWith({ ...ALL, ...FOREVER });
    await addUsage(fixture, subscription, 333);
    await renew(subscription, 1);
    expect(await amountsOf(fixture, subscription)).toEqual([0, 333]);
    expect(await newestCharge(fixture, subscription)).toMatchObject({
      method: 'CARD',
      discountCents: 5_000,
      couponId: null,
    });
    await cancelSubscription(fixture, subscription);
  });

  it('discounts a new plan by the same percentage', async () => {
    const { subscription } = await subscribeWith({ ...HALF, ...FOREVER });
    await changePlan(fixture, subscription, { priceCents: 9_999 });
    await renew(subscription, 1);
    expect(await amountsOf(fixture, subscription)).toEqual([2_500, 4_999]);
    await cancelSubscription(fixture, subscription);
  });

  it('keeps the discount after the coupon was deleted', async () => {
    const { coupon, subscription } = await subscribeWith({ ...HALF, ...FOREVER });
    const deleted = { deletedAt: await fixture.now(), status: 'INACTIVE' as const };
    await fixture.database.em.fork().nativeUpdate(CouponEntity, { id: coupon.id }, deleted);
    await renew(subscription, 1);
    expect(await amountsOf(fixture, subscription)).toEqual([2_500, 2_500]);
    await cancelSubscription(fixture, subscription);
  });

  it('counts what cycles cost after the discount in the recurring revenue', async () => {
    const { subscription } = await subscribeWith({ ...HALF, ...TWICE });
    expect(await recurringCents(subscription)).toBe(2_500);
    await renew(subscription, 1);
    expect(await recurringCents(subscription)).toBe(2_500);
    await renew(subscription, 1);
    expect(await recurringCents(subscription)).toBe(5_000);
    await cancelSubscription(fixture, subscription);
    const { subscription: once } = await subscribeWith(HALF);
    expect(await recurringCents(once)).toBe(5_000);
    await cancelSubscription(fixture, once);
  });
});

async function sleepUntilPayable(subscription: Subscription): Promise<void> {
  const { cycleEndsAt } = await subscriptionOf(fixture, subscription);
  await sleepUntil(fixture, new Date(cycleEndsAt.getTime() + 60_000));
  await eventually(async () => expect((await newestCharge(fixture, subscription)).method).toBe('PIX'));
}

async function recurringCents({ id }: Subscription): Promise<number> {
  const { amountCents, recurringDiscountCents } = await subscriptionOf(fixture, { id });
  return amountCents - recurringDiscountCents;
}
