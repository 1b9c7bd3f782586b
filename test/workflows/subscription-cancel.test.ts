import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { endOf } from '../support/fixtures/checkouts.ts';
import {
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  newestCharge,
  nextCycle,
  outcomesOf,
  publishedEventsOf,
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

/** Expects that its workflow has ended and that three more cycles pass without a charge or an event. */
async function expectOver(subscription: Subscription): Promise<void> {
  expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
  const state = async () => ({
    cycles: await cyclesOf(fixture, subscription),
    charges: await outcomesOf(fixture, subscription),
    events: await eventsOf(fixture, subscription),
  });
  const before = await state();
  await fixture.environment.sleep(95 * DAY_MS);
  expect(await state()).toEqual(before);
  expect(before.charges).not.toContain('PENDING');
  expect(before.events.filter((name) => name === 'cancelled')).toHaveLength(1);
}

/** A subscription in its second cycle, whose PIX code is unpaid. */
async function pixSecondCycle() {
  const subscription = await subscribe(fixture, { methods: ['PIX'] });
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
  const charge = await eventually(async () => {
    const newest = await newestCharge(fixture, subscription);
    expect(newest.cycleId).not.toBeNull();
    return newest;
  });
  return { subscription, charge };
}

describe('a subscription that is cancelled', () => {
  it('never charges a subscription that is cancelled in its trial', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    await expectOver(subscription);
    expect(await cyclesOf(fixture, subscription)).toEqual([]);
    expect(await eventsOf(fixture, subscription)).toEqual(['trial_started', 'cancelled']);
  });

  it('charges no further cycle after a cancellation between two cycles', async () => {
    const subscription = await subscribe(fixture);
    await nextCycle(fixture, subscription);
    await fixture.environment.sleep(3 * DAY_MS);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    await expectOver(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
  });

  it('returns a card payment if the subscription is cancelled while it is made', async () => {
    const subscription = await subscribe(fixture);
    let cancelled: Promise<unknown> = Promise.resolve();
    fixture.provider.afterNextAnswer('chargeCard', async () => {
      cancelled = cancelSubscription(fixture, subscription);
      await eventually(async () =>
        expect((await subscriptionOf(fixture, { id: subscription.id })).status).toBe('CANCELLED'),
      );
    });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED']),
    );
    expect(await cancelled).toBe('CANCELLED');
    await expectOver(subscription);
    const charge = await newestCharge(fixture, subscription);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(0);
    expect((await recordOf(fixture, charge)).payments).toEqual(['RETURNED 5000']);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'cancelled']);
  });

  it('makes no further attempt after a cancellation between two attempts', async () => {
    const subscription = await subscribe(fixture);
    fixture.provider.declineNext('insufficient_funds');
    await nextCycle(fixture, subscription);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    await expectOver(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED']);
    const last = (await publishedEventsOf(fixture, subscription)).at(-1);
    expect(last?.data).toMatchObject({ subscription: { cancelPolicy: 'NOW', cancelledDueTo: null } });
  });

  it('closes an unpaid PIX code on cancellation and returns a late payment of it', async () => {
    const { subscription, charge } = await pixSecondCycle();
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED']);
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
    const late = { reference: charge.providerReference, amountCents: 5_000, paidAt: await fixture.now() };
    const payment = fixture.provider.payDespiteClosing(late);
    expect(await notify(fixture, payment)).toBe('CANCELLED');
    expect(fixture.provider.isReturned(payment)).toBe(true);
    await expectOver(subscription);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'cancelled']);
  });

  it('returns a PIX payment whose notification arrives after the cancellation', async () => {
    const { subscription, charge } = await pixSecondCycle();
    const payment = await mustPay(fixture, charge);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    expect(await notify(fixture, payment)).toBe('CANCELLED');
    expect(fixture.provider.isReturned(payment)).toBe(true);
    await expectOver(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED']);
  });

  it('keeps the first end and its one event when a subscription is cancelled again', async () => {
    const subscription = await subscribe(fixture, { maxRetry: 1 });
    fixture.provider.declineNext('card_declined');
    await nextCycle(fixture, subscription);
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
    const { canceledAt } = await subscriptionOf(fixture, { id: subscription.id });
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    const end = { canceledAt, cancelledDueTo: 'max_payment_retries_exceeded' };
    expect(await subscriptionOf(fixture, { id: subscription.id })).toMatchObject(end);
    await expectOver(subscription);
  });
});
