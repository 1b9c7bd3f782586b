import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { mustPay, notify, recordOf } from '../support/lives/charge-life.ts';
import { endOf } from '../support/lives/checkout-life.ts';
import {
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  newestCharge,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
  toldOf,
  workflowOf,
} from '../support/lives/subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { eventually } from '../support/waiting/eventually.ts';

let world: WorkflowWorld;
beforeAll(async () => {
  world = await createWorkflowWorld();
});
afterAll(() => world.close());

/** Its workflow has ended, and in the time of three cycles nothing more is charged or told. */
async function expectOver(subscription: Subscription): Promise<void> {
  expect(await endOf(world, workflowOf(world, subscription))).toBe('CANCELLED');
  const state = async () => ({
    cycles: await cyclesOf(world, subscription),
    charges: await outcomesOf(world, subscription),
    events: await eventsOf(world, subscription),
  });
  const before = await state();
  await world.environment.sleep(95 * DAY_MS);
  expect(await state()).toEqual(before);
  expect(before.charges).not.toContain('PENDING');
  expect(before.events.filter((name) => name === 'cancelled')).toHaveLength(1);
}

/** In its second cycle, whose PIX code waits for the payer. */
async function pixSecondCycle() {
  const subscription = await subscribe(world, { methods: ['PIX'] });
  await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + 60_000));
  const charge = await eventually(async () => {
    const newest = await newestCharge(world, subscription);
    expect(newest.cycleId).not.toBeNull();
    return newest;
  });
  return { subscription, charge };
}

describe('a subscription that is cancelled', () => {
  it('in its trial is never charged', async () => {
    const subscription = await subscribe(world, { trialDays: 7 });
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    await expectOver(subscription);
    expect(await cyclesOf(world, subscription)).toEqual([]);
    expect(await eventsOf(world, subscription)).toEqual(['trial_started', 'cancelled']);
  });

  it('between two cycles is not charged for the next one', async () => {
    const subscription = await subscribe(world);
    await nextCycle(world, subscription);
    await world.environment.sleep(3 * DAY_MS);
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    await expectOver(subscription);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID']);
  });

  it('while its card is asked has the money sent back', async () => {
    const subscription = await subscribe(world);
    let cancelled: Promise<unknown> = Promise.resolve();
    world.provider.afterNextAnswer('chargeCard', async () => {
      cancelled = cancelSubscription(world, subscription);
      await eventually(async () =>
        expect((await subscriptionOf(world, { id: subscription.id })).status).toBe('CANCELLED'),
      );
    });
    await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'CANCELLED']),
    );
    expect(await cancelled).toBe('CANCELLED');
    await expectOver(subscription);
    const charge = await newestCharge(world, subscription);
    expect(world.provider.keptCents(charge.providerReference)).toBe(0);
    expect((await recordOf(world, charge)).payments).toEqual(['RETURNED 5000']);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'cancelled']);
  });

  it('between two attempts is not tried again', async () => {
    const subscription = await subscribe(world);
    world.provider.declineNext('insufficient_funds');
    await nextCycle(world, subscription);
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    await expectOver(subscription);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED']);
    const last = (await toldOf(world, subscription)).at(-1);
    expect(last?.data).toMatchObject({ subscription: { cancelPolicy: 'NOW', cancelledDueTo: null } });
  });

  it('while a PIX code waits has that code closed, and what is paid all the same sent back', async () => {
    const { subscription, charge } = await pixSecondCycle();
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'CANCELLED']);
    expect(world.provider.isClosed(charge.providerReference)).toBe(true);
    const late = { reference: charge.providerReference, amountCents: 5_000, paidAt: await world.now() };
    const payment = world.provider.payDespiteClosing(late);
    expect(await notify(world, payment)).toBe('CANCELLED');
    expect(world.provider.isReturned(payment)).toBe(true);
    await expectOver(subscription);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'cancelled']);
  });

  it('before a PIX payment was told of has that payment sent back', async () => {
    const { subscription, charge } = await pixSecondCycle();
    const payment = await mustPay(world, charge);
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    expect(await notify(world, payment)).toBe('CANCELLED');
    expect(world.provider.isReturned(payment)).toBe(true);
    await expectOver(subscription);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'CANCELLED']);
  });

  it('again, or after too many failures, keeps its end and its one event', async () => {
    const subscription = await subscribe(world, { maxRetry: 1 });
    world.provider.declineNext('card_declined');
    await nextCycle(world, subscription);
    expect(await endOf(world, workflowOf(world, subscription))).toBe('CANCELLED');
    const { canceledAt } = await subscriptionOf(world, { id: subscription.id });
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    expect(await cancelSubscription(world, subscription)).toBe('CANCELLED');
    const end = { canceledAt, cancelledDueTo: 'max_payment_retries_exceeded' };
    expect(await subscriptionOf(world, { id: subscription.id })).toMatchObject(end);
    await expectOver(subscription);
  });
});
