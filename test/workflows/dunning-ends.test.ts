import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { BillingSettings } from '../../src/domain/billing-settings.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import { nextChargeAtOf, subscriptionStateOf } from '../../src/domain/subscription.ts';
import { payOpenCycle } from '../../src/subscriptions/dunning/pay-open-cycle.ts';
import { subscriptionStateQuery, wakeSignal } from '../../workflows/subscription.contract.ts';
import { mustPay, notify, payUnnoticed } from '../support/fixtures/charges.ts';
import { endOf } from '../support/fixtures/checkouts.ts';
import {
  billWith,
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  insertSubscription,
  newestCharge,
  nextCycle,
  outcomesOf,
  pauseSubscription,
  payNow,
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

const MINUTE_MS = 60_000;

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterEach(() => billWith(fixture, {}));
afterAll(() => fixture.close());

const rowOf = ({ id }: Subscription) => subscriptionOf(fixture, { id });
const days = (number: number) => fixture.environment.sleep(number * DAY_MS);

/** A monthly subscription whose second cycle was declined at both allowed attempts. */
async function declinedTwice(settings: Partial<BillingSettings>): Promise<Subscription> {
  await billWith(fixture, settings);
  const subscription = await subscribe(fixture, { maxRetry: 2 });
  fixture.provider.declineNext('insufficient_funds');
  fixture.provider.declineNext('card_declined');
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + DAY_MS + MINUTE_MS));
  await eventually(async () => expect((await rowOf(subscription)).pausedAt).not.toBeNull());
  return subscription;
}

/** The status that the run itself shows, once it waits for somebody. */
async function runShowsPause(subscription: Subscription): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(fixture, subscription).query(subscriptionStateQuery)).toMatchObject({
      status: 'ACTIVE',
      isPaused: true,
    }),
  );
}

describe('a store that pauses after the last attempt', () => {
  it('gives the cycle up, says why, and charges nothing until somebody resumes', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'PAUSE' });
    const row = await rowOf(subscription);
    expect(row).toMatchObject({ status: 'ACTIVE', pauseCause: 'RETRIES_EXCEEDED', failedAttempts: 0 });
    expect(subscriptionStateOf(row)).toBe('PAUSED');
    const published = await publishedEventsOf(fixture, subscription);
    expect(published.map(({ name }) => name.replace('subscription.', ''))).toEqual([
      'completed',
      'payment_failed',
      'past_due',
      'payment_failed',
      'paused',
    ]);
    expect(published.at(-2)?.data).toMatchObject({ nextAttemptAt: null });
    expect(published.at(-1)?.data).toMatchObject({
      subscription: { state: 'PAUSED', pausedDueTo: 'max_payment_retries_exceeded' },
    });
    await runShowsPause(subscription);
    await days(65);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED']);

    await resumeSubscription(fixture, subscription);
    expect(await rowOf(subscription)).toMatchObject({ pausedAt: null, pauseCause: null });
    const next = await nextCycle(fixture, subscription);
    expect(next.cycleStartsAt).toEqual(cyclePeriod(subscription.anchorAt, 'MONTHLY', 4).startsAt);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });

  it('ends at once when it is cancelled', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'PAUSE' });
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
  });
});

describe('a store that keeps subscriptions past due', () => {
  it('keeps the cycle open and charges nothing more, however long that lasts', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'KEEP_PAST_DUE' });
    const row = await rowOf(subscription);
    expect(subscriptionStateOf(row)).toBe('PAST_DUE');
    expect(nextChargeAtOf(row, await fixture.now())).toBeNull();
    const events = ['completed', 'payment_failed', 'past_due', 'payment_failed'];
    expect(await eventsOf(fixture, subscription)).toEqual(events);
    await runShowsPause(subscription);
    await days(65);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED']);
    expect((await cyclesOf(fixture, subscription))[1]).toMatch(/PENDING$/);
    // There is no pause to end.
    await resumeSubscription(fixture, subscription);
    expect(await rowOf(subscription)).toMatchObject({ pauseCause: 'PAST_DUE', cycleNumber: 2 });
    expect(await eventsOf(fixture, subscription)).toEqual(events);
    await cancelSubscription(fixture, subscription);
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
  });

  it('gives the cycle up if somebody pauses', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'KEEP_PAST_DUE' });
    await pauseSubscription(fixture, subscription);
    expect(subscriptionStateOf(await rowOf(subscription))).toBe('PAUSED');
    expect((await cyclesOf(fixture, subscription))[1]).toMatch(/FAILED$/);
    await resumeSubscription(fixture, subscription);
    await eventually(async () => expect((await rowOf(subscription)).cycleNumber).toBe(3));
    await cancelSubscription(fixture, subscription);
  });

  it('ends with its period if somebody schedules that', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'KEEP_PAST_DUE' });
    await scheduleCancellation(fixture, subscription);
    const { cancelAt } = await rowOf(subscription);
    await sleepUntil(fixture, new Date((cancelAt?.getTime() ?? 0) + MINUTE_MS));
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
    expect(await rowOf(subscription)).toMatchObject({ cancelPolicy: 'AT_PERIOD_END' });
  });

  it('accepts a code that was paid in time and is notified after the last attempt', async () => {
    await billWith(fixture, { dunningEnd: 'KEEP_PAST_DUE' });
    const subscription = await subscribe(fixture, { methods: ['PIX'], maxRetry: 1 });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    const code = await eventually(async () => {
      const newest = await newestCharge(fixture, subscription);
      expect(newest.status).toBe('PENDING');
      return newest;
    });
    const payment = await payUnnoticed(fixture, code);
    await sleepUntil(fixture, new Date(code.closesAt.getTime() + MINUTE_MS));
    await eventually(async () => expect((await rowOf(subscription)).pauseCause).toBe('PAST_DUE'));
    await runShowsPause(subscription);
    await notify(fixture, payment);
    expect(await rowOf(subscription)).toMatchObject({ pausedAt: null, pauseCause: null, failedAttempts: 0 });
    expect(await eventsOf(fixture, subscription)).toContain('renewed');
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 32 * DAY_MS));
    await eventually(async () => expect((await rowOf(subscription)).cycleNumber).toBe(3));
    await cancelSubscription(fixture, subscription);
  });
});

describe('an overdue cycle that somebody has charged now', () => {
  it('charges the card once although merchant and payer ask at once, and renews', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'KEEP_PAST_DUE' });
    await runShowsPause(subscription);
    await Promise.all([payNow(fixture, subscription), payNow(fixture, subscription)]);
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'PAID']),
    );
    const row = await rowOf(subscription);
    expect(row).toMatchObject({ cycleNumber: 2, failedAttempts: 0, extraAttempts: 0, pausedAt: null });
    expect(await eventsOf(fixture, subscription)).toContain('renewed');
    const next = await nextCycle(fixture, subscription);
    expect(next).toMatchObject({ cycleNumber: 3, cycleStartsAt: row.cycleEndsAt });
    await cancelSubscription(fixture, subscription);
  });

  it('stays past due if the card is declined again', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'KEEP_PAST_DUE' });
    fixture.provider.declineNext('expired_card');
    await payNow(fixture, subscription);
    await eventually(async () =>
      expect(await rowOf(subscription)).toMatchObject({
        failedAttempts: 3,
        extraAttempts: 1,
        lastFailure: 'expired_card',
        pauseCause: 'PAST_DUE',
      }),
    );
    expect((await eventsOf(fixture, subscription)).filter((name) => name === 'past_due')).toHaveLength(1);
    await cancelSubscription(fixture, subscription);
  });

  it('leaves the attempts of the retry policy as they are', async () => {
    const subscription = await subscribe(fixture, { maxRetry: 2 });
    for (const reason of ['insufficient_funds', 'card_declined'] as const)
      fixture.provider.declineNext(reason);
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    await eventually(async () => expect((await rowOf(subscription)).failedAttempts).toBe(1));
    await payNow(fixture, subscription);
    await eventually(async () => expect((await rowOf(subscription)).failedAttempts).toBe(2));
    expect(await rowOf(subscription)).toMatchObject({ status: 'ACTIVE', pausedAt: null });
    await days(1.1);
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'PAID']),
    );
    await cancelSubscription(fixture, subscription);
  });

  it('issues another code for PIX, whose payment renews', async () => {
    await billWith(fixture, { dunningEnd: 'KEEP_PAST_DUE' });
    const subscription = await subscribe(fixture, { methods: ['PIX'], maxRetry: 1 });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + DAY_MS + 10 * MINUTE_MS));
    await eventually(async () => expect((await rowOf(subscription)).pauseCause).toBe('PAST_DUE'));
    await payNow(fixture, subscription);
    const code = await eventually(async () => {
      const newest = await newestCharge(fixture, subscription);
      expect(newest.status).toBe('PENDING');
      return newest;
    });
    // While it can be paid, no other is made.
    await payNow(fixture, subscription);
    expect((await newestCharge(fixture, subscription)).id).toBe(code.id);
    await notify(fixture, await mustPay(fixture, code));
    expect(await eventsOf(fixture, subscription)).toContain('renewed');
    expect(await rowOf(subscription)).toMatchObject({ pausedAt: null, failedAttempts: 0 });
    await cancelSubscription(fixture, subscription);
  });

  it('charges nothing if nothing is overdue', async () => {
    const subscription = await subscribe(fixture);
    expect(await payNow(fixture, subscription)).toBe('ACTIVE');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    await cancelSubscription(fixture, subscription);
  });

  it('charges after a wake-up if its run could not be reached before', async () => {
    const subscription = await declinedTwice({ dunningEnd: 'KEEP_PAST_DUE' });
    await runShowsPause(subscription);
    const deps = { database: fixture.database };
    await payOpenCycle(deps, subscription.id, await fixture.now());
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED']);
    await workflowOf(fixture, subscription).signal(wakeSignal);
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'PAID']),
    );
    await cancelSubscription(fixture, subscription);
  });
});

describe('cycles that were missed entirely', () => {
  /** A weekly subscription whose run starts after 31 days without a worker: cycles 2, 3 and 4 have passed. */
  async function missed(settings: Partial<BillingSettings>): Promise<Subscription> {
    await billWith(fixture, settings);
    const anchor = new Date((await fixture.now()).getTime() - 31 * DAY_MS);
    const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY' });
    await startSubscription(fixture, subscription);
    return subscription;
  }

  it('charges the period that lasts, once, and continues at the usual dates', async () => {
    const subscription = await missed({});
    const { anchorAt } = subscription;
    await eventually(async () => expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']));
    const row = await rowOf(subscription);
    expect(row).toMatchObject({ cycleNumber: 2, cycleStartsAt: cyclePeriod(anchorAt, 'WEEKLY', 4).startsAt });
    const next = await nextCycle(fixture, subscription);
    expect(next).toMatchObject({
      cycleNumber: 3,
      cycleStartsAt: cyclePeriod(anchorAt, 'WEEKLY', 5).startsAt,
    });
    await cancelSubscription(fixture, subscription);
  });

  it('charges them one after the other if the store wants that', async () => {
    const subscription = await missed({ missedCycles: 'CHARGE' });
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'PAID', 'PAID', 'PAID']),
    );
    expect((await rowOf(subscription)).cycleNumber).toBe(5);
    await cancelSubscription(fixture, subscription);
  });
});
