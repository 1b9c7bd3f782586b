import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import { subscriptionStateOf } from '../../src/domain/subscription.ts';
import { subscriptionStart } from '../../src/temporal/subscription.ts';
import { startUnlessRunning } from '../../src/temporal/workflow-start.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { endOf } from '../support/fixtures/checkouts.ts';
import {
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  newestCharge,
  nextCycle,
  outcomesOf,
  pauseSubscription,
  resumeSubscription,
  scheduleCancellation,
  sleepUntil,
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

const rowOf = ({ id }: Subscription) => subscriptionOf(fixture, { id });
const days = (number: number) => fixture.environment.sleep(number * DAY_MS);

async function isInCycle(subscription: Subscription, number: number): Promise<Subscription> {
  return eventually(async () => {
    const row = await rowOf(subscription);
    expect(row).toMatchObject({ cycleNumber: number, attemptDueAt: null });
    return row;
  });
}

describe('a paused subscription', () => {
  it('charges nothing for three cycles, and then continues at its usual dates', async () => {
    const subscription = await subscribe(fixture);
    expect(await pauseSubscription(fixture, subscription)).toBe('ACTIVE');
    expect(subscriptionStateOf(await rowOf(subscription))).toBe('PAUSED');
    await days(95);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    expect(await resumeSubscription(fixture, subscription)).toBe('ACTIVE');
    await days(1);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    const { anchorAt } = subscription;
    expect((await rowOf(subscription)).cycleEndsAt).toEqual(cyclePeriod(anchorAt, 'MONTHLY', 4).startsAt);
    await nextCycle(fixture, subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'paused', 'resumed', 'renewed']);
    const third = await nextCycle(fixture, subscription);
    expect(third.cycleEndsAt).toEqual(cyclePeriod(anchorAt, 'MONTHLY', 6).startsAt);
    await cancelSubscription(fixture, subscription);
  });

  it('resumes by itself on its day, after the rest of the paid cycle', async () => {
    const subscription = await subscribe(fixture);
    await days(10);
    const until = new Date((await fixture.now()).getTime() + 50 * DAY_MS);
    await pauseSubscription(fixture, subscription, { until, keepsAnchor: false });
    const { pausedAt } = await rowOf(subscription);
    await sleepUntil(fixture, new Date(until.getTime() + 60_000));
    const resumed = await eventually(async () => {
      const row = await rowOf(subscription);
      expect(row.pausedAt).toBeNull();
      return row;
    });
    const restMs = subscription.cycleEndsAt.getTime() - (pausedAt?.getTime() ?? 0);
    const afterPauseMs = resumed.cycleEndsAt.getTime() - until.getTime();
    expect(Math.abs(afterPauseMs - restMs)).toBeLessThan(60_000);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    await nextCycle(fixture, subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });

  it('ends at once when it is cancelled', async () => {
    const subscription = await subscribe(fixture);
    await pauseSubscription(fixture, subscription);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
  });

  it('ends with its paid cycle while it is paused', async () => {
    const subscription = await subscribe(fixture);
    await pauseSubscription(fixture, subscription);
    await scheduleCancellation(fixture, subscription);
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
    expect(await rowOf(subscription)).toMatchObject({ cancelPolicy: 'AT_PERIOD_END' });
  });

  it('stays in its trial after a pause within it, and is not charged in it', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    await pauseSubscription(fixture, subscription, { keepsAnchor: false });
    await days(30);
    await resumeSubscription(fixture, subscription);
    expect(subscriptionStateOf(await rowOf(subscription))).toBe('TRIALING');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    await nextCycle(fixture, subscription);
    expect(await cyclesOf(fixture, subscription)).toHaveLength(1);
    await cancelSubscription(fixture, subscription);
  });

  it('writes one event for pauses that arrive twice and at once', async () => {
    const subscription = await subscribe(fixture);
    await Promise.all([1, 2, 3].map(() => pauseSubscription(fixture, subscription)));
    await pauseSubscription(fixture, subscription);
    await Promise.all([1, 2].map(() => resumeSubscription(fixture, subscription)));
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'paused', 'resumed']);
    await nextCycle(fixture, subscription);
    await cancelSubscription(fixture, subscription);
  });

  it('continues where its row is after its run was lost', async () => {
    const subscription = await subscribe(fixture);
    const until = new Date((await fixture.now()).getTime() + 70 * DAY_MS);
    await pauseSubscription(fixture, subscription, { until });
    const run = workflowOf(fixture, subscription);
    // A run that is terminated while it works keeps the test server from skipping time.
    await eventually(async () =>
      expect(await run.query(subscriptionStateQuery)).toMatchObject({ isPaused: true }),
    );
    await run.terminate();
    const { client, taskQueue } = fixture;
    const start = subscriptionStart(await rowOf(subscription), null);
    await startUnlessRunning(client, taskQueue, start, (await fixture.now()).getTime());
    await sleepUntil(fixture, new Date(until.getTime() + 60_000));
    await eventually(async () => expect((await rowOf(subscription)).pausedAt).toBeNull());
    await nextCycle(fixture, subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });
});

describe('a pause in the middle of a cycle that is charged', () => {
  it('ends the retries, and charges the same period when it is resumed within it', async () => {
    const subscription = await subscribe(fixture);
    fixture.provider.declineNext('insufficient_funds');
    await nextCycle(fixture, subscription);
    await pauseSubscription(fixture, subscription);
    await days(3);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED']);
    await resumeSubscription(fixture, subscription);
    const third = await isInCycle(subscription, 3);
    expect(third.cycleEndsAt).toEqual(cyclePeriod(subscription.anchorAt, 'MONTHLY', 2).startsAt);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });

  it('closes an open code, and returns a payment of it', async () => {
    const subscription = await subscribe(fixture, { methods: ['PIX'] });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    const charge = await eventually(async () => {
      const newest = await newestCharge(fixture, subscription);
      expect(newest.cycleId).not.toBeNull();
      return newest;
    });
    const payment = await mustPay(fixture, charge);
    await pauseSubscription(fixture, subscription);
    await notify(fixture, payment);
    expect(fixture.provider.isReturned(payment)).toBe(true);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED']);
    expect(await rowOf(subscription)).toMatchObject({ failedAttempts: 0, status: 'ACTIVE' });
    await cancelSubscription(fixture, subscription);
  });

  it('returns a card payment that is made meanwhile, and counts no failure', async () => {
    const subscription = await subscribe(fixture);
    let paused: Promise<unknown> = Promise.resolve();
    fixture.provider.afterNextAnswer('chargeCard', async () => {
      paused = pauseSubscription(fixture, subscription);
      await eventually(async () => expect((await rowOf(subscription)).pausedAt).not.toBeNull());
    });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED']),
    );
    await paused;
    const charge = await newestCharge(fixture, subscription);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(0);
    expect(await rowOf(subscription)).toMatchObject({ failedAttempts: 0, status: 'ACTIVE' });
    await resumeSubscription(fixture, subscription);
    await isInCycle(subscription, 3);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });
});
