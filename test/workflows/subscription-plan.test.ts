import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { endOf } from '../support/fixtures/checkouts.ts';
import {
  amountsOf,
  cancelSubscription,
  changePlan,
  changeQuantity,
  cyclesOf,
  DAY_MS,
  eventsOf,
  nextCycle,
  outcomesOf,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

async function updatesTo({ id }: Subscription): Promise<string[]> {
  const orderBy = { requestedAt: 'asc', id: 'asc' } as const;
  const rows = await fixture.database.em.fork().find(PlanUpdateEntity, { subscriptionId: id }, { orderBy });
  return rows.map(({ amountCents, status }) => `${amountCents} ${status}`);
}

describe('a change of plan', () => {
  it.each([
    ['up', 8_000],
    ['down', 1_000],
  ])('changes the price %s from the next cycle on and moves no date', async (_direction, priceCents) => {
    const subscription = await subscribe(fixture);
    expect((await changePlan(fixture, subscription, { priceCents })).status).toBe('ACTIVE');
    expect((await subscriptionOf(fixture, { id: subscription.id })).amountCents).toBe(5_000);
    const second = await nextCycle(fixture, subscription);
    const third = await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, priceCents, priceCents]);
    expect(second.cycleStartsAt).toEqual(subscription.cycleEndsAt);
    expect(third.anchorAt).toEqual(subscription.anchorAt);
    expect(await updatesTo(subscription)).toEqual([`${priceCents} APPLIED`]);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      'plan_changed',
      'renewed',
      'renewed',
    ]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges every unit of the new product after a change of plan', async () => {
    const subscription = await subscribe(fixture);
    await changePlan(fixture, subscription, { priceCents: 700 }, 3);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 2_100]);
    await cancelSubscription(fixture, subscription);
  });

  it('changes the quantity from the next cycle on at the price the payer has', async () => {
    const subscription = await subscribe(fixture);
    // The product has become dearer meanwhile.
    const { productId } = subscription.plan;
    await fixture.database.em.fork().nativeUpdate(ProductEntity, { id: productId }, { priceCents: 9_900 });
    expect(await changeQuantity(fixture, subscription, 3)).toBe('ACTIVE');
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 15_000]);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'plan_changed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });

  it('changes the quantity of a plan that waits for the next cycle', async () => {
    const subscription = await subscribe(fixture);
    await changePlan(fixture, subscription, { priceCents: 700 }, 2);
    await changeQuantity(fixture, subscription, 4);
    expect(await updatesTo(subscription)).toEqual(['1400 REPLACED', '2800 PENDING']);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 2_800]);
    await cancelSubscription(fixture, subscription);
  });

  it('counts periods from the next cycle on after a change to another cycle', async () => {
    const subscription = await subscribe(fixture);
    await changePlan(fixture, subscription, { cycle: 'WEEKLY', priceCents: 1_500 });
    const second = await nextCycle(fixture, subscription);
    expect(second).toMatchObject({ cycle: 'WEEKLY', anchorAt: subscription.cycleEndsAt, anchorNumber: 2 });
    await nextCycle(fixture, subscription);
    const days = [0, 0, 7].map((afterDays, index) =>
      saoPauloDateOf(
        index === 0
          ? subscription.cycleStartsAt
          : new Date(subscription.cycleEndsAt.getTime() + afterDays * DAY_MS),
      ),
    );
    const amounts = [5_000, 1_500, 1_500];
    expect(await cyclesOf(fixture, subscription)).toEqual(
      days.map((day, index) => `${index + 1} ${day} ${amounts[index]} PAID`),
    );
    await cancelSubscription(fixture, subscription);
  });

  it('replaces pending changes of plan and applies only the newest', async () => {
    const subscription = await subscribe(fixture);
    for (const priceCents of [6_000, 7_000, 8_000]) await changePlan(fixture, subscription, { priceCents });
    await nextCycle(fixture, subscription);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 8_000, 8_000]);
    expect(await updatesTo(subscription)).toEqual(['6000 REPLACED', '7000 REPLACED', '8000 APPLIED']);
    expect((await eventsOf(fixture, subscription)).filter((name) => name === 'plan_changed')).toHaveLength(3);
    await cancelSubscription(fixture, subscription);
  });

  it('charges the first cycle by the plan that was chosen in the trial', async () => {
    const subscription = await subscribe(fixture, { trialDays: 5 });
    await changePlan(fixture, subscription, { priceCents: 900, cycle: 'ANNUALLY' });
    const first = await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([900]);
    expect(first).toMatchObject({ cycle: 'ANNUALLY', cycleStartsAt: subscription.trialEndsAt });
    await cancelSubscription(fixture, subscription);
  });

  it('applies a plan change made while a cycle is collected to the next cycle', async () => {
    const subscription = await subscribe(fixture);
    fixture.provider.declineNext('insufficient_funds');
    let asked: Promise<unknown> = Promise.resolve();
    fixture.provider.afterNextAnswer('chargeCard', async () => {
      asked = changePlan(fixture, subscription, { priceCents: 6_000 });
    });
    await nextCycle(fixture, subscription);
    await asked;
    await changePlan(fixture, subscription, { priceCents: 7_000 });
    await fixture.environment.sleep(DAY_MS + 60_000);
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']),
    );
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_000, 7_000]);
    expect(await updatesTo(subscription)).toEqual(['6000 REPLACED', '7000 APPLIED']);
    await cancelSubscription(fixture, subscription);
  });

  it('refuses a change of plan once the subscription is cancelled', async () => {
    const subscription = await subscribe(fixture);
    await cancelSubscription(fixture, subscription);
    expect((await changePlan(fixture, subscription)).status).toBe('CANCELLED');
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
    expect(await updatesTo(subscription)).toEqual([]);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'cancelled']);
  });
});
