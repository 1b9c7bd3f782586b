import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStart } from '../../src/temporal/subscription.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf } from '../support/fixtures/checkouts.ts';
import { startAt } from '../support/fixtures/start-at.ts';
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
} from '../support/fixtures/subscriptions.ts';
import { terminateAtRest } from '../support/fixtures/terminate-at-rest.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

/** Terminates its run, as if Temporal had lost its data, and starts another one from its row. */
async function restart({ id }: Subscription): Promise<void> {
  await terminateAtRest(workflowOf(fixture, { id }), 'its data is lost');
  await startAt(fixture, subscriptionStart(await subscriptionOf(fixture, { id }), null));
}

/** A second cycle whose card has been declined; the next attempt is due in two days. */
async function inDunning() {
  const subscription = await subscribe(fixture, { retryEveryDays: 2 });
  fixture.provider.declineNext('insufficient_funds');
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
  return eventually(async () => {
    const row = await subscriptionOf(fixture, { id: subscription.id });
    expect(row.failedAttempts).toBe(1);
    return row;
  });
}

describe('a subscription whose run was lost and is started again', () => {
  it('makes the next attempt at the same cycle on time after its run was lost', async () => {
    const subscription = await inDunning();
    await restart(subscription);
    await fixture.environment.sleep(2 * DAY_MS - 5 * MINUTE_MS);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED']);
    await fixture.environment.sleep(10 * MINUTE_MS);
    await eventually(async () =>
      expect(await eventsOf(fixture, subscription)).toEqual([
        'completed',
        'payment_failed',
        'past_due',
        'renewed',
      ]),
    );
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']);
    expect(await subscriptionOf(fixture, { id: subscription.id })).toMatchObject({
      cycleNumber: 2,
      failedAttempts: 0,
      attemptDueAt: null,
    });
    await cancelSubscription(fixture, subscription);
  });

  it('cancels after the last allowed attempt and repeats no attempt of a lost run', async () => {
    const subscription = await inDunning();
    fixture.provider.declineNext('card_declined');
    fixture.provider.declineNext('card_declined');
    await restart(subscription);
    await fixture.environment.sleep(2 * DAY_MS + MINUTE_MS);
    await eventually(async () =>
      expect((await subscriptionOf(fixture, { id: subscription.id })).failedAttempts).toBe(2),
    );
    await restart(subscription);
    expect(await workflowOf(fixture, subscription).result()).toBe('CANCELLED');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'FAILED']);
  });

  it('accepts the payment of an open PIX code after its run was lost', async () => {
    const subscription = await subscribe(fixture, { methods: ['PIX'] });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    const code = await eventually(async () => {
      const newest = await newestCharge(fixture, subscription);
      expect(newest.cycleId).not.toBeNull();
      return newest;
    });
    await restart(subscription);
    expect(await notify(fixture, await mustPay(fixture, code))).toBe('PAID');
    await eventually(async () =>
      expect(await workflowOf(fixture, subscription).query(subscriptionStateQuery)).toMatchObject({
        nextNumber: 3,
      }),
    );
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed']);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('continues with the next cycle if its run is lost after a collected one', async () => {
    const subscription = await subscribe(fixture);
    await nextCycle(fixture, subscription);
    await eventually(async () =>
      expect((await subscriptionOf(fixture, { id: subscription.id })).attemptDueAt).toBeNull(),
    );
    await restart(subscription);
    expect(await nextCycle(fixture, subscription)).toMatchObject({ cycleNumber: 3 });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });
});

describe('an attempt by card whose run an operator has terminated', () => {
  it('restarts a terminated card attempt within minutes and makes the payment', async () => {
    const subscription = await subscribe(fixture);
    fixture.provider.failNext('chargeCard', Number.POSITIVE_INFINITY);
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    const charge = await eventually(async () => {
      const newest = await newestCharge(fixture, subscription);
      expect(newest.cycleId).not.toBeNull();
      return newest;
    });
    await chargeWorkflowOf(fixture, charge).terminate('an operator');
    fixture.provider.failNext('chargeCard', 0);
    await fixture.environment.sleep(20 * MINUTE_MS);
    await eventually(async () =>
      expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed']),
    );
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(5_000);
    await cancelSubscription(fixture, subscription);
  });
});
