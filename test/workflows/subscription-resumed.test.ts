import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStart } from '../../src/temporal/subscription.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/lives/charge-life.ts';
import { chargeWorkflowOf } from '../support/lives/checkout-life.ts';
import { startAt } from '../support/lives/start-at.ts';
import {
  amountsOf,
  cancelSubscription,
  DAY_MS,
  eventsOf,
  newestCharge,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/lives/subscription-life.ts';
import { terminateAtRest } from '../support/lives/terminate-at-rest.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;

let world: WorkflowWorld;
beforeAll(async () => {
  world = await createWorkflowWorld();
});
afterAll(() => world.close());

/** Its run is gone, as when Temporal's data is lost, and another is made from what Postgres holds. */
async function madeAnew({ id }: Subscription): Promise<void> {
  await terminateAtRest(workflowOf(world, { id }), 'its data is lost');
  await startAt(world, subscriptionStart(await subscriptionOf(world, { id }), null));
}

/** A second cycle whose card has been declined; the next attempt is due in two days. */
async function inDunning() {
  const subscription = await subscribe(world, { retryEveryDays: 2 });
  world.provider.declineNext('insufficient_funds');
  await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
  return eventually(async () => {
    const row = await subscriptionOf(world, { id: subscription.id });
    expect(row.failedAttempts).toBe(1);
    return row;
  });
}

describe('a subscription whose run was lost and is made anew', () => {
  it('between two attempts at a cycle makes the next one when it is due, of the same cycle', async () => {
    const subscription = await inDunning();
    await madeAnew(subscription);
    await world.environment.sleep(2 * DAY_MS - 5 * MINUTE_MS);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED']);
    await world.environment.sleep(10 * MINUTE_MS);
    await eventually(async () =>
      expect(await eventsOf(world, subscription)).toEqual(['completed', 'payment_failed', 'renewed']),
    );
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED', 'PAID']);
    expect(await subscriptionOf(world, { id: subscription.id })).toMatchObject({
      cycleNumber: 2,
      failedAttempts: 0,
      attemptDueAt: null,
    });
    await cancelSubscription(world, subscription);
  });

  it('ends with the last attempt of the retry policy, of which none is made twice', async () => {
    const subscription = await inDunning();
    world.provider.declineNext('card_declined');
    world.provider.declineNext('card_declined');
    await madeAnew(subscription);
    await world.environment.sleep(2 * DAY_MS + MINUTE_MS);
    await eventually(async () =>
      expect((await subscriptionOf(world, { id: subscription.id })).failedAttempts).toBe(2),
    );
    await madeAnew(subscription);
    expect(await workflowOf(world, subscription).result()).toBe('CANCELLED');
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'FAILED']);
  });

  it('while a code waits for its payer takes the payment of that code', async () => {
    const subscription = await subscribe(world, { methods: ['PIX'] });
    await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    const code = await eventually(async () => {
      const newest = await newestCharge(world, subscription);
      expect(newest.cycleId).not.toBeNull();
      return newest;
    });
    await madeAnew(subscription);
    expect(await notify(world, await mustPay(world, code))).toBe('PAID');
    await eventually(async () =>
      expect(await workflowOf(world, subscription).query(subscriptionStateQuery)).toMatchObject({
        nextNumber: 3,
      }),
    );
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'renewed']);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 5_000]);
    await cancelSubscription(world, subscription);
  });

  it('after a cycle was collected goes on with the next one', async () => {
    const subscription = await subscribe(world);
    await nextCycle(world, subscription);
    await eventually(async () =>
      expect((await subscriptionOf(world, { id: subscription.id })).attemptDueAt).toBeNull(),
    );
    await madeAnew(subscription);
    expect(await nextCycle(world, subscription)).toMatchObject({ cycleNumber: 3 });
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID', 'PAID']);
    await cancelSubscription(world, subscription);
  });
});

describe('an attempt by card whose run an operator has terminated', () => {
  it('is begun again within minutes, and its issuer decides', async () => {
    const subscription = await subscribe(world);
    world.provider.failNext('chargeCard', Number.POSITIVE_INFINITY);
    await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    const charge = await eventually(async () => {
      const newest = await newestCharge(world, subscription);
      expect(newest.cycleId).not.toBeNull();
      return newest;
    });
    await chargeWorkflowOf(world, charge).terminate('an operator');
    world.provider.failNext('chargeCard', 0);
    await world.environment.sleep(20 * MINUTE_MS);
    await eventually(async () =>
      expect(await eventsOf(world, subscription)).toEqual(['completed', 'renewed']),
    );
    expect(world.provider.keptCents(charge.providerReference)).toBe(5_000);
    await cancelSubscription(world, subscription);
  });
});
