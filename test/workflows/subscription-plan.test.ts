import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { endOf } from '../support/lives/checkout-life.ts';
import {
  amountsOf,
  cancelSubscription,
  changePlan,
  cyclesOf,
  DAY_MS,
  eventsOf,
  nextCycle,
  outcomesOf,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/lives/subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { eventually } from '../support/waiting/eventually.ts';

let world: WorkflowWorld;
beforeAll(async () => {
  world = await createWorkflowWorld();
});
afterAll(() => world.close());

async function updatesTo({ id }: Subscription): Promise<string[]> {
  const orderBy = { requestedAt: 'asc', id: 'asc' } as const;
  const rows = await world.database.em.fork().find(PlanUpdateEntity, { subscriptionId: id }, { orderBy });
  return rows.map(({ amountCents, status }) => `${amountCents} ${status}`);
}

describe('a change of plan', () => {
  it.each([
    ['up', 8_000],
    ['down', 1_000],
  ])('%s costs from the next cycle on, and moves no date', async (_direction, priceCents) => {
    const subscription = await subscribe(world);
    expect((await changePlan(world, subscription, { priceCents })).status).toBe('ACTIVE');
    expect((await subscriptionOf(world, { id: subscription.id })).amountCents).toBe(5_000);
    const second = await nextCycle(world, subscription);
    const third = await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, priceCents, priceCents]);
    expect(second.cycleStartsAt).toEqual(subscription.cycleEndsAt);
    expect(third.anchorAt).toEqual(subscription.anchorAt);
    expect(await updatesTo(subscription)).toEqual([`${priceCents} APPLIED`]);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'plan_changed', 'renewed', 'renewed']);
    await cancelSubscription(world, subscription);
  });

  it('is charged per unit of the new product', async () => {
    const subscription = await subscribe(world);
    await changePlan(world, subscription, { priceCents: 700 }, 3);
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 2_100]);
    await cancelSubscription(world, subscription);
  });

  it('to another cycle counts periods from the next cycle on', async () => {
    const subscription = await subscribe(world);
    await changePlan(world, subscription, { cycle: 'WEEKLY', priceCents: 1_500 });
    const second = await nextCycle(world, subscription);
    expect(second).toMatchObject({ cycle: 'WEEKLY', anchorAt: subscription.cycleEndsAt, anchorNumber: 2 });
    await nextCycle(world, subscription);
    const days = [0, 0, 7].map((afterDays, index) =>
      saoPauloDateOf(
        index === 0
          ? subscription.cycleStartsAt
          : new Date(subscription.cycleEndsAt.getTime() + afterDays * DAY_MS),
      ),
    );
    const amounts = [5_000, 1_500, 1_500];
    expect(await cyclesOf(world, subscription)).toEqual(
      days.map((day, index) => `${index + 1} ${day} ${amounts[index]} PAID`),
    );
    await cancelSubscription(world, subscription);
  });

  it('replaces one that waits: only the newest is applied', async () => {
    const subscription = await subscribe(world);
    for (const priceCents of [6_000, 7_000, 8_000]) await changePlan(world, subscription, { priceCents });
    await nextCycle(world, subscription);
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 8_000, 8_000]);
    expect(await updatesTo(subscription)).toEqual(['6000 REPLACED', '7000 REPLACED', '8000 APPLIED']);
    expect((await eventsOf(world, subscription)).filter((name) => name === 'plan_changed')).toHaveLength(3);
    await cancelSubscription(world, subscription);
  });

  it('in the trial is what the first cycle costs', async () => {
    const subscription = await subscribe(world, { trialDays: 5 });
    await changePlan(world, subscription, { priceCents: 900, cycle: 'ANNUALLY' });
    const first = await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([900]);
    expect(first).toMatchObject({ cycle: 'ANNUALLY', cycleStartsAt: subscription.trialEndsAt });
    await cancelSubscription(world, subscription);
  });

  it('while a card is asked, or between two attempts, waits for the cycle after that', async () => {
    const subscription = await subscribe(world);
    world.provider.declineNext('insufficient_funds');
    let asked: Promise<unknown> = Promise.resolve();
    world.provider.afterNextAnswer('chargeCard', async () => {
      asked = changePlan(world, subscription, { priceCents: 6_000 });
    });
    await nextCycle(world, subscription);
    await asked;
    await changePlan(world, subscription, { priceCents: 7_000 });
    await world.environment.sleep(DAY_MS + 60_000);
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED', 'PAID']),
    );
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 5_000, 7_000]);
    expect(await updatesTo(subscription)).toEqual(['6000 REPLACED', '7000 APPLIED']);
    await cancelSubscription(world, subscription);
  });

  it('is not possible once the subscription is cancelled', async () => {
    const subscription = await subscribe(world);
    await cancelSubscription(world, subscription);
    expect((await changePlan(world, subscription)).status).toBe('CANCELLED');
    expect(await endOf(world, workflowOf(world, subscription))).toBe('CANCELLED');
    expect(await updatesTo(subscription)).toEqual([]);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'cancelled']);
  });
});
