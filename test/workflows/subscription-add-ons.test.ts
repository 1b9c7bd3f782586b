import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvoiceEntity } from '../../src/database/entities/invoice.ts';
import { type Product, ProductEntity } from '../../src/database/entities/product.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { totalCentsOf } from '../../src/domain/checkout.ts';
import type { PlanUpdateId } from '../../src/domain/ids.ts';
import type { Proration } from '../../src/domain/proration.ts';
import { mintId } from '../../src/ids.ts';
import { beginPayment, usesOf } from '../support/fixtures/checkouts.ts';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  changePlan,
  newestCharge,
  nextCycle,
  openSubscriptionCheckout,
  publishedEventsOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
  updatesOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertCoupon, insertProduct, itemOf } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const em = () => fixture.database.em.fork();
const addOn = (priceCents: number, changes: Partial<Product> = {}) =>
  insertProduct(fixture, { cycle: 'MONTHLY', name: 'Suporte', priceCents, ...changes });

/** The terms of a checkout of a plan of R$ 50.00 a month with add-ons. */
async function termsWith(...addOns: readonly Product[]) {
  const plan = await insertProduct(fixture, { cycle: 'MONTHLY', name: 'Plano' });
  const items = [plan, ...addOns].map((product) => itemOf(product));
  return { items, amountCents: totalCentsOf(items) };
}

/** The store replaces the add-ons, as POST /subscriptions/update does. */
async function changeAddOns(
  subscription: Subscription,
  addOns: readonly (readonly [Product, number])[],
  proration?: Proration,
): Promise<void> {
  const row = await subscriptionOf(fixture, subscription);
  const change = {
    planUpdateId: mintId<PlanUpdateId>('planUpdate', await fixture.now()),
    productId: row.plan.productId,
    keepsPrice: true as const,
    addOns: addOns.map(([{ id: productId }, quantity]) => ({ productId, quantity })),
    ...(proration && { proration }),
  };
  expect(await updatesOf(fixture).changePlan(row, change, null)).toBe('ACTIVE');
}

/** Replaces the add-ons when half of the cycle has passed. @returns the row once the charge has ended. */
async function changeHalfway(
  subscription: Subscription,
  addOns: readonly (readonly [Product, number])[],
  proration: Proration,
): Promise<Subscription> {
  const { cycleStartsAt, cycleEndsAt, cycleNumber } = await subscriptionOf(fixture, subscription);
  await sleepUntil(fixture, new Date((cycleStartsAt.getTime() + cycleEndsAt.getTime()) / 2));
  await changeAddOns(subscription, addOns, proration);
  if (proration === 'NONE') return subscriptionOf(fixture, subscription);
  return eventually(async () => {
    const row = await subscriptionOf(fixture, subscription);
    expect(row).toMatchObject({ cycleNumber: cycleNumber + 1, attemptDueAt: null });
    return row;
  });
}

/** The types and cents of the lines of the newest invoice. */
async function newestLines({ id }: Subscription): Promise<(readonly [string, number])[]> {
  const [invoice] = await em().find(
    InvoiceEntity,
    { subscriptionId: id },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 1 },
  );
  return (invoice?.lines ?? []).map(({ type, amountCents }) => [type, amountCents]);
}

/** Half of a cycle is measured in seconds of a clock that runs: some cents of difference are its time. */
const closeTo = (cents: number) => expect.closeTo(cents, -1);

describe('a subscription with add-ons', () => {
  it('charges the plan and its add-ons every cycle, and invoices each', async () => {
    const subscription = await subscribe(fixture, await termsWith(await addOn(2_000), await addOn(300)));
    expect(subscription).toMatchObject({ amountCents: 7_300, plan: { addOns: [{}, {}] } });
    const lines = [
      ['plan', 5_000],
      ['add_on', 2_000],
      ['add_on', 300],
    ];
    expect(await newestLines(subscription)).toEqual(lines);
    await addUsage(fixture, subscription, 50);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([7_300, 7_350]);
    expect(await newestLines(subscription)).toEqual([...lines, ['usage', 50]]);
    const { items } = await newestCharge(fixture, subscription);
    expect(items?.map(({ unitPriceCents }) => unitPriceCents)).toEqual([5_000, 2_000, 300]);
    await cancelSubscription(fixture, subscription);
  });

  it('discounts the sum by a coupon', async () => {
    const coupon = await insertCoupon(fixture, {
      discountKind: 'PERCENTAGE',
      discountValue: 5_000,
      duration: 'FOREVER',
    });
    const terms = { ...(await termsWith(await addOn(2_000))), coupons: [coupon.code] };
    const checkout = await openSubscriptionCheckout(fixture, terms);
    await beginPayment(fixture, checkout, { method: 'CARD', couponCode: coupon.code });
    const subscription = await subscriptionOf(fixture, { checkoutId: checkout.id });
    expect(subscription.recurringDiscountCents).toBe(3_500);
    await changeAddOns(subscription, []);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([3_500, 2_500]);
    expect(await usesOf(fixture, coupon)).toMatchObject({ redeemsCount: 1 });
    await cancelSubscription(fixture, subscription);
  });

  it('charges nothing of either in a trial, in which add-ons change at once', async () => {
    const [support, backup] = [await addOn(2_000), await addOn(300)];
    const subscription = await subscribe(fixture, { ...(await termsWith(support)), trialDays: 10 });
    await changeAddOns(subscription, [[backup, 2]], 'DIFFERENCE');
    expect(await subscriptionOf(fixture, subscription)).toMatchObject({ amountCents: 5_600, cycleNumber: 0 });
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_600]);
    await cancelSubscription(fixture, subscription);
  });
});

describe('a change of add-ons', () => {
  it('waits for the next cycle, and keeps the price of kept ones', async () => {
    const [support, backup] = [await addOn(2_000), await addOn(300)];
    const subscription = await subscribe(fixture, await termsWith(support));
    await em().nativeUpdate(ProductEntity, { id: support.id }, { priceCents: 9_999 });
    await changeAddOns(subscription, [
      [support, 3],
      [backup, 1],
    ]);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([7_000, 5_000 + 6_000 + 300]);
    const changed = (await publishedEventsOf(fixture, subscription)).find(
      ({ name }) => name === 'subscription.plan_changed',
    );
    const addOns = [
      { id: support.id, quantity: 3 },
      { id: backup.id, quantity: 1 },
    ];
    expect(changed?.data).toMatchObject({
      subscription: { amount: 11_300, addOns },
      update: { newAmount: 11_300, addOns },
    });
    await cancelSubscription(fixture, subscription);
  });

  it('charges the difference for the rest of the cycle', async () => {
    const subscription = await subscribe(fixture, await termsWith());
    const changed = await changeHalfway(subscription, [[await addOn(2_000), 2]], 'DIFFERENCE');
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, closeTo(2_000)]);
    expect(changed).toMatchObject({ amountCents: 9_000, cycleEndsAt: subscription.cycleEndsAt });
    expect(await newestLines(subscription)).toEqual([['proration', closeTo(2_000)]]);
    await nextCycle(fixture, subscription);
    expect((await amountsOf(fixture, subscription)).at(-1)).toBe(9_000);
    await cancelSubscription(fixture, subscription);
  });

  it('leaves a credit when they are removed', async () => {
    const subscription = await subscribe(fixture, await termsWith(await addOn(2_000)));
    const changed = await changeHalfway(subscription, [], 'DIFFERENCE');
    expect(changed).toMatchObject({ amountCents: 5_000, creditCents: closeTo(1_000) });
    await nextCycle(fixture, subscription);
    expect((await amountsOf(fixture, subscription)).at(-1)).toBe(5_000 - changed.creditCents);
    await cancelSubscription(fixture, subscription);
  });

  it('begins a whole cycle, less what is left of the old one', async () => {
    const subscription = await subscribe(fixture, await termsWith());
    await changeHalfway(subscription, [[await addOn(2_000), 1]], 'FULL');
    expect((await amountsOf(fixture, subscription)).at(-1)).toEqual(closeTo(7_000 - 2_500));
    await cancelSubscription(fixture, subscription);
  });

  it('charges nothing before the next cycle if nobody wants it', async () => {
    const subscription = await subscribe(fixture, await termsWith());
    const changed = await changeHalfway(subscription, [[await addOn(2_000), 1]], 'NONE');
    expect(changed).toMatchObject({ amountCents: 7_000, cycleNumber: 1 });
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 7_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('keeps them with another plan of the same cycle', async () => {
    const subscription = await subscribe(fixture, await termsWith(await addOn(2_000)));
    await changePlan(fixture, subscription, { priceCents: 9_000 });
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([7_000, 11_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('keeps the plan if it would have another cycle', async () => {
    const subscription = await subscribe(fixture, await termsWith(await addOn(2_000)));
    const { status, planUpdateId } = await changePlan(fixture, subscription, { cycle: 'ANNUALLY' });
    expect(status).toBe('ACTIVE');
    const rows = await em().execute('select id from plan_updates where id = ?', [planUpdateId]);
    expect(rows).toEqual([]);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([7_000, 7_000]);
    await cancelSubscription(fixture, subscription);
  });
});
