import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { DeclineReason } from '../../src/domain/card.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import {
  billWith,
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  newestCharge,
  outcomesOf,
  publishedEventsOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { chargesOf } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

/** A subscription whose second cycle starts now. The issuer declines its card for these reasons in turn. */
async function declined(terms: Parameters<typeof subscribe>[1], ...reasons: DeclineReason[]) {
  const subscription = await subscribe(fixture, terms);
  for (const reason of reasons) fixture.provider.declineNext(reason);
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
  await eventually(async () =>
    expect((await subscriptionOf(fixture, { id: subscription.id })).failedAttempts).toBe(1),
  );
  return subscription;
}

/** Days between each attempt at the second cycle and the next one. */
async function pausesOf(subscription: Subscription): Promise<number[]> {
  const [, ...attempts] = await chargesOf(fixture, subscription.checkoutId);
  const times = attempts.map(({ createdAt }) => createdAt.getTime());
  return times.slice(1).map((time, index) => Math.round(((time - (times[index] ?? 0)) / DAY_MS) * 100) / 100);
}

/** Search attributes for operators: cycle, next charge, failed attempts, last failure. */
async function searchedBy(subscription: Subscription) {
  const { typedSearchAttributes } = await workflowOf(fixture, subscription).describe();
  const { cycleNumber, nextChargeAt, failedAttempts, lastFailure } = searchAttribute;
  return [
    typedSearchAttributes.get(cycleNumber),
    typedSearchAttributes.get(nextChargeAt),
    typedSearchAttributes.get(failedAttempts),
    typedSearchAttributes.get(lastFailure),
  ];
}

/** The current details in the Temporal UI. */
async function detailsOf(subscription: Subscription): Promise<string> {
  const metadata = '__temporal_workflow_metadata';
  return (await workflowOf(fixture, subscription).query<{ currentDetails: string }>(metadata)).currentDetails;
}

describe('a card that is declined', () => {
  it('cancels the subscription when its card is declined at every allowed attempt', async () => {
    const reasons = ['insufficient_funds', 'card_declined', 'expired_card'] as const;
    const subscription = await declined({ maxRetry: 3, retryEveryDays: 2 }, ...reasons);
    expect(await workflowOf(fixture, subscription).result()).toBe('CANCELLED');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'FAILED']);
    expect(await pausesOf(subscription)).toEqual([2, 2]);

    const published = await publishedEventsOf(fixture, subscription);
    const names = [
      'completed',
      'payment_failed',
      'past_due',
      'payment_failed',
      'payment_failed',
      'cancelled',
    ];
    expect(published.map(({ name }) => name)).toEqual(names.map((name) => `subscription.${name}`));
    const failures = published.filter(({ name }) => name === 'subscription.payment_failed');
    for (const [index, reason] of reasons.entries()) {
      const failure = { reason, installmentNumber: 2, retryNumber: index + 1 };
      expect(failures[index]?.data).toMatchObject({ ...failure, payment: { status: 'FAILED' } });
    }
    const end = { status: 'CANCELLED', cancelledDueTo: 'max_payment_retries_exceeded' };
    expect(published.at(-1)?.data).toMatchObject({ subscription: end });
    expect(await subscriptionOf(fixture, { id: subscription.id })).toMatchObject(end);
    const [, second] = await cyclesOf(fixture, subscription);
    expect(second).toMatch(/FAILED$/);
    expect(await searchedBy(subscription)).toEqual([1, undefined, 3, 'expired_card']);
    expect(await detailsOf(subscription)).toBe(
      'Subscription is **CANCELLED**. Its last cycle had failed 3 times (expired_card).',
    );
  });

  it('renews once and keeps the dates of cycles if the second attempt succeeds', async () => {
    const subscription = await declined({ retryEveryDays: 1 }, 'insufficient_funds');
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + DAY_MS + MINUTE_MS));
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']),
    );
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      'payment_failed',
      'past_due',
      'renewed',
    ]);
    const row = await subscriptionOf(fixture, { id: subscription.id });
    expect(row).toMatchObject({ failedAttempts: 0, lastFailure: null, cycleNumber: 2 });
    expect(row.cycleStartsAt).toEqual(subscription.cycleEndsAt);

    await sleepUntil(fixture, new Date(row.cycleEndsAt.getTime() + MINUTE_MS));
    const third = await eventually(async () => {
      expect(await cyclesOf(fixture, subscription)).toHaveLength(3);
      return newestCharge(fixture, subscription);
    });
    expect(third.createdAt.getTime() - row.cycleEndsAt.getTime()).toBeLessThan(MINUTE_MS);
    await cancelSubscription(fixture, subscription);
  });

  it('shows operators the decline and the next attempt until the card is charged', async () => {
    const subscription = await declined({ retryEveryDays: 3 }, 'insufficient_funds');
    const { plan, amountCents, cycle } = subscription;
    const shown = await eventually(async () => {
      const state = await workflowOf(fixture, subscription).query(subscriptionStateQuery);
      expect(state).toMatchObject({
        status: 'ACTIVE',
        nextNumber: 2,
        plan: { productId: plan.productId, quantity: 1, amountCents, cycle },
        failedAttempts: 1,
        lastFailure: 'insufficient_funds',
      });
      return state;
    });
    const retryInMs = Date.parse(shown.retryAt ?? '') - subscription.cycleEndsAt.getTime();
    expect(Math.round(retryInMs / DAY_MS)).toBe(3);
    expect(await searchedBy(subscription)).toEqual([
      1,
      new Date(shown.retryAt ?? ''),
      1,
      'insufficient_funds',
    ]);
    expect(await detailsOf(subscription)).toMatch(
      /^Cycle 2 failed 1 times \(insufficient_funds\). Retries at/,
    );

    await fixture.environment.sleep(3 * DAY_MS + MINUTE_MS);
    const { cycleEndsAt } = await eventually(async () => {
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']);
      expect((await workflowOf(fixture, subscription).query(subscriptionStateQuery)).nextNumber).toBe(3);
      return subscriptionOf(fixture, { id: subscription.id });
    });
    expect(await searchedBy(subscription)).toEqual([2, cycleEndsAt, 0, undefined]);
    expect(await detailsOf(subscription)).toBe(`Charges cycle 3 at **${cycleEndsAt.toISOString()}**.`);
    await cancelSubscription(fixture, subscription);
  });

  it('delays and moves no cycle if the store wants missed ones charged', async () => {
    await billWith(fixture, { missedCycles: 'CHARGE' });
    const terms = { cycle: 'WEEKLY', retryEveryDays: 5 } as const;
    const subscription = await declined(terms, 'insufficient_funds', 'card_declined');
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 15 * DAY_MS));
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual([
        'PAID',
        'FAILED',
        'FAILED',
        'PAID',
        'PAID',
        'PAID',
      ]),
    );
    const { cycleNumber, cycleStartsAt } = await subscriptionOf(fixture, { id: subscription.id });
    expect(cycleNumber).toBe(4);
    expect(cycleStartsAt.getTime() - subscription.cycleStartsAt.getTime()).toBe(21 * DAY_MS);
    await cancelSubscription(fixture, subscription);
    await billWith(fixture, {});
  });
});

describe('a provider that is down', () => {
  it('charges as soon as a provider is back after an hour, with no failed attempt', async () => {
    const subscription = await subscribe(fixture, { maxRetry: 1 });
    fixture.provider.failNext('chargeCard', Number.POSITIVE_INFINITY);
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60 * MINUTE_MS));
    expect(await subscriptionOf(fixture, { id: subscription.id })).toMatchObject({
      status: 'ACTIVE',
      failedAttempts: 0,
    });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PENDING']);
    expect(await detailsOf(subscription)).toMatch(/has not reported its end/);
    fixture.provider.failNext('chargeCard', 0);
    await fixture.environment.sleep(MINUTE_MS);
    await eventually(async () =>
      expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed']),
    );
    const charge = await newestCharge(fixture, subscription);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(5_000);
    await cancelSubscription(fixture, subscription);
  });
});
