import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { holdRows, untilWaiting } from '../support/waiting/hold.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

describe('usage', () => {
  it('charges the usage of a cycle with the next one, and only once', async () => {
    const subscription = await subscribe(fixture);
    await addUsage(fixture, subscription, 100);
    await addUsage(fixture, subscription, 20);
    await nextCycle(fixture, subscription);
    await addUsage(fixture, subscription, 3);
    await nextCycle(fixture, subscription);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_120, 5_003, 5_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges the usage of a trial with the first cycle', async () => {
    const subscription = await subscribe(fixture, { trialDays: 3 });
    await addUsage(fixture, subscription, 77);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_077]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges usage that is recorded during a card payment with the next cycle', async () => {
    const subscription = await subscribe(fixture);
    fixture.provider.afterNextAnswer('chargeCard', () => addUsage(fixture, subscription, 55));
    await nextCycle(fixture, subscription);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_000, 5_055]);
    await cancelSubscription(fixture, subscription);
  });

  it('keeps the amount of a cycle if usage is recorded between two attempts', async () => {
    const subscription = await subscribe(fixture);
    await addUsage(fixture, subscription, 10);
    fixture.provider.declineNext('insufficient_funds');
    await nextCycle(fixture, subscription);
    await addUsage(fixture, subscription, 900);
    await fixture.environment.sleep('25 hours');
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']),
    );
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_010, 5_900]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges every unit once if 100 records come while a cycle is opened', async () => {
    const subscription = await subscribe(fixture);
    const product = await insertProduct(fixture, { priceCents: 1 });
    const record = (count: number) =>
      Array.from({ length: count }, () => addUsage(fixture, subscription, 1, product));
    // Three records come before the cycle is opened, and the others while it waits for those.
    await using held = await holdRows(fixture.database, 'subscriptions', [subscription.id]);
    const early = record(3);
    await untilWaiting(fixture.database, 3);
    const cycleCame = sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    await untilWaiting(fixture.database, 4);
    const late = record(97);
    await held.release();
    await Promise.all([...early, ...late, cycleCame]);
    await eventually(async () => expect(await amountsOf(fixture, subscription)).toHaveLength(2));
    await nextCycle(fixture, subscription);
    const [first = 0, second = 0, third = 0] = await amountsOf(fixture, subscription);
    expect([first, second + third]).toEqual([5_000, 10_100]);
    expect(second).toBeGreaterThanOrEqual(5_003);
    await cancelSubscription(fixture, subscription);
  });
});
