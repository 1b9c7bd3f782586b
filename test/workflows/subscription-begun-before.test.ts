import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf } from '../support/fixtures/checkouts.ts';
import {
  cancelSubscription,
  DAY_MS,
  eventsOf,
  insertSubscription,
  newestCharge,
  outcomesOf,
  startSubscription,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'begun-before', withoutPatches: true });
});
afterAll(() => fixture.close());

/** A weekly subscription that is so many cycles behind, and is charged for them from now on. */
async function behind(cycles: number, method: 'CARD' | 'PIX'): Promise<Subscription> {
  const anchor = new Date(Date.now() - cycles * 7 * DAY_MS);
  const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY', methods: [method] });
  await startSubscription(fixture, subscription);
  return subscription;
}

/** The PIX code of its second cycle, while it waits for its payer. */
async function codeOf(subscription: Subscription): Promise<Charge> {
  return eventually(async () => {
    const charge = await newestCharge(fixture, subscription);
    expect(charge.cycleId).not.toBeNull();
    expect((await chargeWorkflowOf(fixture, charge).describe()).status.name).toBe('RUNNING');
    return charge;
  });
}

async function untilState(subscription: Subscription, state: object): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(fixture, subscription).query(subscriptionStateQuery)).toMatchObject(state),
  );
}

describe('a subscription whose run was begun before charges told it their end', () => {
  it('is renewed by card, cycle by cycle', async () => {
    const subscription = await behind(3, 'CARD');
    await untilState(subscription, { nextNumber: 5, failedAttempts: 0 });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
    expect(await eventsOf(fixture, subscription)).toEqual(['renewed', 'renewed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });

  it('has a failed attempt where a card is declined', async () => {
    fixture.provider.declineNext('insufficient_funds');
    const subscription = await behind(1, 'CARD');
    await untilState(subscription, { failedAttempts: 1, lastFailure: 'insufficient_funds' });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED']);
    await cancelSubscription(fixture, subscription);
  });

  it('is renewed by PIX', async () => {
    const subscription = await behind(1, 'PIX');
    expect(await notify(fixture, await mustPay(fixture, await codeOf(subscription)))).toBe('PAID');
    await untilState(subscription, { nextNumber: 3 });
    expect(await eventsOf(fixture, subscription)).toEqual(['renewed']);
    await cancelSubscription(fixture, subscription);
  });

  it('takes a charge whose workflow an operator terminates for a failed attempt', async () => {
    const subscription = await behind(1, 'PIX');
    const charge = await codeOf(subscription);
    await chargeWorkflowOf(fixture, charge).terminate('an operator');
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PENDING']),
    );
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
    await cancelSubscription(fixture, subscription);
  });
});
