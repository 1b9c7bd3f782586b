import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/lives/charge-life.ts';
import { chargeWorkflowOf } from '../support/lives/checkout-life.ts';
import {
  cancelSubscription,
  DAY_MS,
  eventsOf,
  insertSubscription,
  newestCharge,
  outcomesOf,
  startSubscription,
  workflowOf,
} from '../support/lives/subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let world: WorkflowWorld;
beforeAll(async () => {
  const environment = await connectToRealServer();
  world = await createWorkflowWorld({ environment, taskQueue: 'begun-before', withoutPatches: true });
});
afterAll(() => world.close());

/** A weekly subscription that is so many cycles behind, and is charged for them from now on. */
async function behind(cycles: number, method: 'CARD' | 'PIX'): Promise<Subscription> {
  const anchor = new Date(Date.now() - cycles * 7 * DAY_MS);
  const subscription = await insertSubscription(world, anchor, { cycle: 'WEEKLY', methods: [method] });
  await startSubscription(world, subscription);
  return subscription;
}

/** The PIX code of its second cycle, while it waits for its payer. */
async function codeOf(subscription: Subscription): Promise<Charge> {
  return eventually(async () => {
    const charge = await newestCharge(world, subscription);
    expect(charge.cycleId).not.toBeNull();
    expect((await chargeWorkflowOf(world, charge).describe()).status.name).toBe('RUNNING');
    return charge;
  });
}

async function untilState(subscription: Subscription, state: object): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(world, subscription).query(subscriptionStateQuery)).toMatchObject(state),
  );
}

describe('a subscription whose run was begun before charges told it their end', () => {
  it('is renewed by card, cycle by cycle', async () => {
    const subscription = await behind(3, 'CARD');
    await untilState(subscription, { nextNumber: 5, failedAttempts: 0 });
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
    expect(await eventsOf(world, subscription)).toEqual(['renewed', 'renewed', 'renewed']);
    await cancelSubscription(world, subscription);
  });

  it('has a failed attempt where a card is declined', async () => {
    world.provider.declineNext('insufficient_funds');
    const subscription = await behind(1, 'CARD');
    await untilState(subscription, { failedAttempts: 1, lastFailure: 'insufficient_funds' });
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED']);
    await cancelSubscription(world, subscription);
  });

  it('is renewed by PIX', async () => {
    const subscription = await behind(1, 'PIX');
    expect(await notify(world, await mustPay(world, await codeOf(subscription)))).toBe('PAID');
    await untilState(subscription, { nextNumber: 3 });
    expect(await eventsOf(world, subscription)).toEqual(['renewed']);
    await cancelSubscription(world, subscription);
  });

  it('takes a charge whose workflow an operator terminates for a failed attempt', async () => {
    const subscription = await behind(1, 'PIX');
    const charge = await codeOf(subscription);
    await chargeWorkflowOf(world, charge).terminate('an operator');
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED', 'PENDING']),
    );
    expect(world.provider.isClosed(charge.providerReference)).toBe(true);
    await cancelSubscription(world, subscription);
  });
});
