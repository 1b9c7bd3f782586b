import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSubscription,
  changePlan,
  changeTrial,
  cyclesOf,
  pauseSubscription,
  resumeSubscription,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  // The real server: it delays the successor of a run that was woken early, which the time-skipping one does not.
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'moved-before-first-cycle' });
});
afterAll(() => fixture.close());

const statusesOf = async (subscription: Parameters<typeof cyclesOf>[1]) =>
  (await cyclesOf(fixture, subscription)).map((line) => line.split(' ').at(-1));

describe('a subscription whose first run still sleeps', () => {
  it('charges its first cycle at once if its trial ends now', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    expect(await changeTrial(fixture, subscription, null)).toBe('ACTIVE');
    await eventually(async () => expect(await statusesOf(subscription)).toEqual(['PAID']));
    await cancelSubscription(fixture, subscription);
  });

  it('charges the difference to another plan at once, also twice', async () => {
    const subscription = await subscribe(fixture);
    for (const [priceCents, count] of [
      [9_000, 2],
      [40_000, 3],
    ] as const) {
      await changePlan(fixture, subscription, { priceCents }, 1, 'DIFFERENCE');
      await eventually(async () => expect(await statusesOf(subscription)).toEqual(Array(count).fill('PAID')));
    }
    await cancelSubscription(fixture, subscription);
  });

  it('sleeps on in the same run after a pause, and can still be changed', async () => {
    const subscription = await subscribe(fixture);
    const { runId } = await workflowOf(fixture, subscription).describe();
    await pauseSubscription(fixture, subscription);
    await resumeSubscription(fixture, subscription);
    await changePlan(fixture, subscription, { priceCents: 9_000 }, 1, 'FULL');
    await eventually(async () => expect(await statusesOf(subscription)).toEqual(['PAID', 'PAID']));
    expect((await workflowOf(fixture, subscription).describe()).runId).toBe(runId);
    expect(await subscriptionOf(fixture, { id: subscription.id })).toMatchObject({ status: 'ACTIVE' });
    await cancelSubscription(fixture, subscription);
  });
});
