import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import { endOf } from '../support/fixtures/checkouts.ts';
import {
  cancelSubscription,
  changeTrial,
  DAY_MS,
  eventsOf,
  nextCycle,
  outcomesOf,
  scheduleCancellation,
  sleepUntil,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const rowOf = ({ id }: Subscription) => subscriptionOf(fixture, { id });

async function isCharged(subscription: Subscription): Promise<Subscription> {
  return eventually(async () => {
    const row = await rowOf(subscription);
    expect(row).toMatchObject({ cycleNumber: 1, attemptDueAt: null });
    return row;
  });
}

describe('a trial whose end somebody moves', () => {
  it('charges the first cycle at once, and once, if it is ended twice at once', async () => {
    const subscription = await subscribe(fixture, { trialDays: 14 });
    await Promise.all([changeTrial(fixture, subscription, null), changeTrial(fixture, subscription, null)]);
    const row = await isCharged(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
    expect(await eventsOf(fixture, subscription)).toEqual(['trial_started', 'trial_changed', 'completed']);
    expect(row.cycleStartsAt).toEqual(row.trialEndsAt);
    const next = await nextCycle(fixture, subscription);
    expect(next.cycleStartsAt).toEqual(cyclePeriod(row.cycleStartsAt, 'MONTHLY', 1).startsAt);
    await cancelSubscription(fixture, subscription);
  });

  it('charges nothing at the old end, and the first cycle at the new one', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    const end = new Date(subscription.cycleEndsAt.getTime() + 10 * DAY_MS);
    await changeTrial(fixture, subscription, end);
    await sleepUntil(fixture, new Date(end.getTime() - DAY_MS));
    expect(await rowOf(subscription)).toMatchObject({ cycleNumber: 0, trialEndsAt: end, anchorAt: end });
    await sleepUntil(fixture, new Date(end.getTime() + MINUTE_MS));
    expect((await isCharged(subscription)).cycleStartsAt).toEqual(end);
    await cancelSubscription(fixture, subscription);
  });

  it('moves a cancellation that was scheduled for its end', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    await scheduleCancellation(fixture, subscription);
    const end = new Date(subscription.cycleEndsAt.getTime() + 5 * DAY_MS);
    await changeTrial(fixture, subscription, end);
    await sleepUntil(fixture, new Date(end.getTime() - DAY_MS));
    expect(await rowOf(subscription)).toMatchObject({ status: 'ACTIVE', cancelAt: end });
    await sleepUntil(fixture, new Date(end.getTime() + MINUTE_MS));
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
  });

  it('leaves a subscription whose trial is over as it is', async () => {
    const subscription = await subscribe(fixture);
    expect(await changeTrial(fixture, subscription, null)).toBe('ACTIVE');
    expect(await rowOf(subscription)).toMatchObject({ cycleEndsAt: subscription.cycleEndsAt });
    await cancelSubscription(fixture, subscription);
  });
});
