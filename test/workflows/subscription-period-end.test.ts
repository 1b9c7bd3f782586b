import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStateOf } from '../../src/domain/subscription.ts';
import { subscriptionStart } from '../../src/temporal/subscription.ts';
import { startUnlessRunning } from '../../src/temporal/workflow-start.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { endOf } from '../support/fixtures/checkouts.ts';
import {
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  insertSubscription,
  newestCharge,
  nextCycle,
  outcomesOf,
  publishedEventsOf,
  resumeSubscription,
  scheduleCancellation,
  sleepUntil,
  startSubscription,
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

/** Waits for the end of its workflow. @returns its row. */
async function ended(subscription: Subscription): Promise<Subscription> {
  expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
  return subscriptionOf(fixture, { id: subscription.id });
}

const afterPeriodOf = ({ cycleEndsAt }: Subscription) =>
  sleepUntil(fixture, new Date(cycleEndsAt.getTime() + 60_000));

/** A weekly subscription in its second cycle, whose PIX code is open for longer than the week. */
async function weeklyWithOpenCode() {
  const terms = { methods: ['PIX' as const], cycle: 'WEEKLY' as const, retryEveryDays: 20 };
  const subscription = await subscribe(fixture, terms);
  await afterPeriodOf(subscription);
  const charge = await eventually(async () => {
    const newest = await newestCharge(fixture, subscription);
    expect(newest.cycleId).not.toBeNull();
    return newest;
  });
  return { subscription: await subscriptionOf(fixture, { id: subscription.id }), charge };
}

describe('a cancellation at the end of the period', () => {
  it('ends the subscription with its paid cycle, and charges no other one', async () => {
    const subscription = await subscribe(fixture);
    expect(await scheduleCancellation(fixture, subscription)).toBe('ACTIVE');
    const waiting = await subscriptionOf(fixture, { id: subscription.id });
    expect(waiting.cancelAt).toEqual(subscription.cycleEndsAt);
    expect(subscriptionStateOf(waiting)).toBe('CANCELLING');
    await afterPeriodOf(subscription);
    expect(await ended(subscription)).toMatchObject({
      cancelPolicy: 'AT_PERIOD_END',
      cancelledDueTo: null,
      cancelAt: subscription.cycleEndsAt,
    });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    const names = ['completed', 'cancellation_scheduled', 'cancelled'];
    expect(await eventsOf(fixture, subscription)).toEqual(names);
    const [, scheduled] = await publishedEventsOf(fixture, subscription);
    const cancelAt = subscription.cycleEndsAt.toISOString();
    expect(scheduled?.data).toMatchObject({ subscription: { state: 'CANCELLING', cancelAt } });
  });

  it('ends a trial without a charge', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    await scheduleCancellation(fixture, subscription);
    await afterPeriodOf(subscription);
    await ended(subscription);
    expect(await cyclesOf(fixture, subscription)).toEqual([]);
  });

  it('schedules one end for requests that arrive twice and at once', async () => {
    const subscription = await subscribe(fixture);
    const requests = [1, 2, 3].map(() => scheduleCancellation(fixture, subscription));
    expect(await Promise.all(requests)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
    expect(await scheduleCancellation(fixture, subscription)).toBe('ACTIVE');
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'cancellation_scheduled']);
    await afterPeriodOf(subscription);
    await ended(subscription);
  });

  it('gives way to a cancellation at once', async () => {
    const subscription = await subscribe(fixture);
    await scheduleCancellation(fixture, subscription);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    expect(await ended(subscription)).toMatchObject({ cancelPolicy: 'NOW', cancelAt: null });
  });

  it('ends a subscription at once whose period is over, as after an outage', async () => {
    const now = await fixture.now();
    const subscription = await insertSubscription(fixture, new Date(now.getTime() - 40 * DAY_MS));
    expect(await scheduleCancellation(fixture, subscription)).toBe('CANCELLED');
    expect(await ended(subscription)).toMatchObject({ cancelPolicy: 'AT_PERIOD_END' });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
  });

  it('retries a failed cycle until it is paid, and ends with the period', async () => {
    const subscription = await subscribe(fixture);
    fixture.provider.declineNext('insufficient_funds');
    const second = await nextCycle(fixture, subscription);
    expect(second.failedAttempts).toBe(1);
    await scheduleCancellation(fixture, subscription);
    await fixture.environment.sleep(2 * DAY_MS);
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']),
    );
    await afterPeriodOf(second);
    expect(await ended(subscription)).toMatchObject({ cancelPolicy: 'AT_PERIOD_END' });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']);
  });

  it('ends earlier if the retries of the open cycle are used up', async () => {
    const subscription = await subscribe(fixture, { maxRetry: 2 });
    for (let attempt = 1; attempt <= 2; attempt += 1) fixture.provider.declineNext('card_declined');
    await nextCycle(fixture, subscription);
    await scheduleCancellation(fixture, subscription);
    await fixture.environment.sleep(2 * DAY_MS);
    expect(await ended(subscription)).toMatchObject({
      cancelPolicy: 'NOW',
      cancelledDueTo: 'max_payment_retries_exceeded',
      cancelAt: null,
    });
  });

  it('closes a code that would outlive the period, and returns its late payment', async () => {
    const { subscription, charge } = await weeklyWithOpenCode();
    expect(charge.closesAt > subscription.cycleEndsAt).toBe(true);
    await scheduleCancellation(fixture, subscription);
    await afterPeriodOf(subscription);
    expect(await ended(subscription)).toMatchObject({ cancelPolicy: 'AT_PERIOD_END' });
    expect(await cyclesOf(fixture, subscription)).toEqual([
      expect.stringMatching(/^1 .* PAID$/),
      expect.stringMatching(/^2 .* FAILED$/),
    ]);
    const late = { reference: charge.providerReference, amountCents: 5_000, paidAt: await fixture.now() };
    const payment = fixture.provider.payDespiteClosing(late);
    await notify(fixture, payment);
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });

  it('accepts a payment of the open cycle until the period ends', async () => {
    const { subscription, charge } = await weeklyWithOpenCode();
    await scheduleCancellation(fixture, subscription);
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    await afterPeriodOf(subscription);
    await ended(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
  });
});

describe('a subscription that is resumed before its end', () => {
  it('charges the next cycle as if nothing had happened', async () => {
    const subscription = await subscribe(fixture);
    await scheduleCancellation(fixture, subscription);
    expect(await resumeSubscription(fixture, subscription)).toBe('ACTIVE');
    expect(await resumeSubscription(fixture, subscription)).toBe('ACTIVE');
    const second = await nextCycle(fixture, subscription);
    expect(second).toMatchObject({ status: 'ACTIVE', cancelAt: null, cycleNumber: 2 });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
    const names = ['completed', 'cancellation_scheduled', 'resumed', 'renewed'];
    expect(await eventsOf(fixture, subscription)).toEqual(names);
    await cancelSubscription(fixture, subscription);
  });

  it('schedules the same end again, with an event each time', async () => {
    const subscription = await subscribe(fixture);
    await scheduleCancellation(fixture, subscription);
    await resumeSubscription(fixture, subscription);
    await fixture.environment.sleep(DAY_MS);
    await scheduleCancellation(fixture, subscription);
    await afterPeriodOf(subscription);
    await ended(subscription);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      'cancellation_scheduled',
      'resumed',
      'cancellation_scheduled',
      'cancelled',
    ]);
  });

  it('keeps its open code past the period once the cancellation is undone', async () => {
    const { subscription, charge } = await weeklyWithOpenCode();
    await scheduleCancellation(fixture, subscription);
    await resumeSubscription(fixture, subscription);
    await afterPeriodOf(subscription);
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    await eventually(async () =>
      expect((await subscriptionOf(fixture, { id: subscription.id })).cycleNumber).toBe(3),
    );
    await cancelSubscription(fixture, subscription);
  });
});

it('ends at the end of the period though its run was lost', async () => {
  const subscription = await insertSubscription(fixture, await fixture.now());
  await startSubscription(fixture, subscription);
  await scheduleCancellation(fixture, subscription);
  await workflowOf(fixture, subscription).terminate();
  await startSubscriptionAgain(subscription);
  await afterPeriodOf(subscription);
  expect(await ended(subscription)).toMatchObject({ cancelPolicy: 'AT_PERIOD_END' });
  expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
});

/** As the auditor does after its run is gone. */
async function startSubscriptionAgain({ id }: Subscription): Promise<void> {
  const { client, taskQueue } = fixture;
  const start = subscriptionStart(await subscriptionOf(fixture, { id }), null);
  await startUnlessRunning(client, taskQueue, start, (await fixture.now()).getTime());
}
