import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Product, ProductEntity } from '../../src/database/entities/product.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { Proration } from '../../src/domain/proration.ts';
import { subscriptionWorkflowId } from '../../workflows/subscription.contract.ts';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  changePlan,
  changeQuantity,
  cyclesOf,
  eventsOf,
  newestCharge,
  nextCycle,
  pauseSubscription,
  resumeSubscription,
  sleepUntil,
  subscribe,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

/** Changes the plan when a share of the current cycle has passed. @returns the row once the charge has ended. */
async function changeAfter(
  share: number,
  { id }: Pick<Subscription, 'id'>,
  proration: Proration,
  to: Partial<Product>,
): Promise<Subscription> {
  const { cycleStartsAt, cycleEndsAt, cycleNumber } = await subscriptionOf(fixture, { id });
  const passedMs = Math.round((cycleEndsAt.getTime() - cycleStartsAt.getTime()) * share);
  await sleepUntil(fixture, new Date(cycleStartsAt.getTime() + passedMs));
  expect((await changePlan(fixture, { id }, to, 1, proration)).status).toBe('ACTIVE');
  if (proration === 'NONE') return subscriptionOf(fixture, { id });
  return eventually(async () => {
    const row = await subscriptionOf(fixture, { id });
    expect(row.cycleNumber).toBe(cycleNumber + 1);
    expect(row.attemptDueAt).toBeNull();
    return row;
  });
}

/** Half of a cycle is measured in seconds of a clock that runs: some cents of difference are its time. */
const closeTo = (cents: number) => expect.closeTo(cents, -1);

describe('a plan that changes within a cycle', () => {
  it('charges the difference for the rest of the cycle and keeps its end', async () => {
    const subscription = await subscribe(fixture);
    const changed = await changeAfter(0.5, subscription, 'DIFFERENCE', { priceCents: 9_000 });
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, closeTo(2_000)]);
    expect(changed).toMatchObject({ amountCents: 9_000, creditCents: 0 });
    expect(changed.cycleEndsAt).toEqual(subscription.cycleEndsAt);
    const next = await nextCycle(fixture, subscription);
    expect((await amountsOf(fixture, subscription)).at(-1)).toBe(9_000);
    expect(next.cycleStartsAt).toEqual(subscription.cycleEndsAt);
    expect(next.anchorAt).toEqual(subscription.anchorAt);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      'plan_changed',
      'renewed',
      'renewed',
    ]);
    await cancelSubscription(fixture, subscription);
  });

  it('keeps what a cheaper plan leaves as credit for the next cycles', async () => {
    const subscription = await subscribe(fixture);
    const changed = await changeAfter(0.5, subscription, 'DIFFERENCE', { priceCents: 1_000 });
    expect(changed.creditCents).toEqual(closeTo(2_000));
    for (let cycle = 0; cycle < 3; cycle += 1) await nextCycle(fixture, subscription);
    const [, part, ...later] = await amountsOf(fixture, subscription);
    expect(part).toBe(0);
    expect(later.reduce((sum, cents) => sum + cents, 0)).toBe(3_000 - changed.creditCents);
    expect((await subscriptionOf(fixture, subscription)).creditCents).toBe(0);
    await cancelSubscription(fixture, subscription);
  });

  it('begins a whole cycle of a yearly plan, less the rest of the month', async () => {
    const subscription = await subscribe(fixture);
    const changed = await changeAfter(0.25, subscription, 'FULL', { priceCents: 50_000, cycle: 'ANNUALLY' });
    expect((await amountsOf(fixture, subscription)).at(-1)).toEqual(closeTo(50_000 - 3_750));
    expect(changed.cycleEndsAt.getTime() - changed.cycleStartsAt.getTime()).toBeGreaterThan(364 * 86_400_000);
    expect(changed.creditCents).toBe(0);
    await cancelSubscription(fixture, subscription);
  });

  it('charges the rest of the cycle for more seats, at the price that was accepted', async () => {
    const subscription = await subscribe(fixture);
    const em = fixture.database.em.fork();
    await em.nativeUpdate(ProductEntity, { id: subscription.plan.productId }, { priceCents: 99_000 });
    await changePlan(fixture, subscription, { priceCents: 70_000 });
    const half = (subscription.cycleStartsAt.getTime() + subscription.cycleEndsAt.getTime()) / 2;
    await sleepUntil(fixture, new Date(half));
    expect(await changeQuantity(fixture, subscription, 3, 'DIFFERENCE')).toBe('ACTIVE');
    await eventually(async () =>
      expect(await subscriptionOf(fixture, subscription)).toMatchObject({
        cycleNumber: 2,
        attemptDueAt: null,
      }),
    );
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, closeTo(5_000)]);
    await nextCycle(fixture, subscription);
    expect((await amountsOf(fixture, subscription)).at(-1)).toBe(15_000);
    await cancelSubscription(fixture, subscription);
  });

  it('charges nothing before the next cycle if nobody wants it', async () => {
    const subscription = await subscribe(fixture);
    const changed = await changeAfter(0.5, subscription, 'NONE', { priceCents: 9_000 });
    expect(changed).toMatchObject({ amountCents: 9_000, cycleNumber: 1 });
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 9_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('changes a trial at once, and charges nothing in it', async () => {
    const subscription = await subscribe(fixture, { trialDays: 10 });
    await changePlan(fixture, subscription, { priceCents: 9_000 }, 1, 'DIFFERENCE');
    expect(await subscriptionOf(fixture, subscription)).toMatchObject({ amountCents: 9_000, cycleNumber: 0 });
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([9_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges price × time over the month, however often the plan changes', async () => {
    const subscription = await subscribe(fixture);
    for (const [share, priceCents] of [
      [0.2, 9_000],
      [0.25, 1_500],
      [0.5, 30_000],
    ] as const)
      await changeAfter(share, subscription, 'DIFFERENCE', { priceCents });
    const { creditCents } = await subscriptionOf(fixture, subscription);
    const amounts = await amountsOf(fixture, subscription);
    // The shares are of what is left: 20 %, then a quarter of 80 %, then half of 60 %.
    const used = 0.2 * 5_000 + 0.2 * 9_000 + 0.3 * 1_500 + 0.3 * 30_000;
    expect(amounts.reduce((sum, cents) => sum + cents, 0) - creditCents).toEqual(closeTo(used));
    await cancelSubscription(fixture, subscription);
  });

  it('charges the usage so far with the change', async () => {
    const subscription = await subscribe(fixture);
    await addUsage(fixture, subscription, 700);
    await changeAfter(0.5, subscription, 'DIFFERENCE', { priceCents: 5_000 });
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 700]);
    await cancelSubscription(fixture, subscription);
  });

  it('changes nothing while a cycle is unpaid, or the subscription is paused', async () => {
    const subscription = await subscribe(fixture);
    await pauseSubscription(fixture, subscription);
    const { status, planUpdateId } = await changePlan(
      fixture,
      subscription,
      { priceCents: 9_000 },
      1,
      'FULL',
    );
    expect(status).toBe('ACTIVE');
    const rows = await fixture.database.em
      .fork()
      .execute('select id from plan_updates where id = ?', [planUpdateId]);
    expect(rows).toEqual([]);
    expect(await cyclesOf(fixture, subscription)).toHaveLength(1);
    await cancelSubscription(fixture, subscription);
  });

  it('charges the same part again after a pause that gave it up', async () => {
    const subscription = await subscribe(fixture, { methods: ['PIX'] });
    const { cycleStartsAt, cycleEndsAt } = subscription;
    const middle = (cycleStartsAt.getTime() + cycleEndsAt.getTime()) / 2;
    await sleepUntil(fixture, new Date(middle));
    await changePlan(fixture, subscription, { priceCents: 9_000 }, 1, 'DIFFERENCE');
    const part = await eventually(async () => {
      const charge = await newestCharge(fixture, subscription);
      expect(charge.cycleId).not.toBeNull();
      return charge.amountCents;
    });
    await pauseSubscription(fixture, subscription);
    await resumeSubscription(fixture, subscription);
    await eventually(async () => expect(await cyclesOf(fixture, subscription)).toHaveLength(3));
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, part, part]);
    await cancelSubscription(fixture, subscription);
  });

  it('opens one cycle for a change whose run was terminated after it was noted', async () => {
    const subscription = await subscribe(fixture);
    const changed = await changeAfter(0.5, subscription, 'DIFFERENCE', { priceCents: 9_000 });
    await fixture.client.workflow.getHandle(subscriptionWorkflowId(subscription.id)).terminate();
    await cancelSubscription(fixture, changed);
    expect(await cyclesOf(fixture, subscription)).toHaveLength(2);
  });
});
