import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
} from '../support/lives/subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { holdRows, untilWaiting } from '../support/waiting/hold.ts';

let world: WorkflowWorld;
beforeAll(async () => {
  world = await createWorkflowWorld();
});
afterAll(() => world.close());

describe('usage', () => {
  it('of one cycle is charged with the next one, and only once', async () => {
    const subscription = await subscribe(world);
    await addUsage(world, subscription, 100);
    await addUsage(world, subscription, 20);
    await nextCycle(world, subscription);
    await addUsage(world, subscription, 3);
    await nextCycle(world, subscription);
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 5_120, 5_003, 5_000]);
    await cancelSubscription(world, subscription);
  });

  it('of a trial is charged with the first cycle', async () => {
    const subscription = await subscribe(world, { trialDays: 3 });
    await addUsage(world, subscription, 77);
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_077]);
    await cancelSubscription(world, subscription);
  });

  it('that is recorded after its cycle was opened, while the card is asked, waits for the next one', async () => {
    const subscription = await subscribe(world);
    world.provider.afterNextAnswer('chargeCard', () => addUsage(world, subscription, 55));
    await nextCycle(world, subscription);
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 5_000, 5_055]);
    await cancelSubscription(world, subscription);
  });

  it('that is recorded between two attempts does not change what the cycle costs', async () => {
    const subscription = await subscribe(world);
    await addUsage(world, subscription, 10);
    world.provider.declineNext('insufficient_funds');
    await nextCycle(world, subscription);
    await addUsage(world, subscription, 900);
    await world.environment.sleep('25 hours');
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED', 'PAID']),
    );
    await nextCycle(world, subscription);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 5_010, 5_900]);
    await cancelSubscription(world, subscription);
  });

  it('is recorded a hundred times at once while a cycle is opened: every unit is charged, once', async () => {
    const subscription = await subscribe(world);
    const product = await insertProduct(world, { priceCents: 1 });
    const record = (count: number) =>
      Array.from({ length: count }, () => addUsage(world, subscription, 1, product));
    // Three come before the cycle is opened, and the others while it waits for them.
    await using held = await holdRows(world.database, 'subscriptions', [subscription.id]);
    const early = record(3);
    await untilWaiting(world.database, 3);
    const cycleCame = sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    await untilWaiting(world.database, 4);
    const late = record(97);
    await held.release();
    await Promise.all([...early, ...late, cycleCame]);
    await eventually(async () => expect(await amountsOf(world, subscription)).toHaveLength(2));
    await nextCycle(world, subscription);
    const [first = 0, second = 0, third = 0] = await amountsOf(world, subscription);
    expect([first, second + third]).toEqual([5_000, 10_100]);
    expect(second).toBeGreaterThanOrEqual(5_003);
    await cancelSubscription(world, subscription);
  });
});
