import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { chargeEndedSignal, subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf, endOf } from '../support/fixtures/checkouts.ts';
import {
  amountsOf,
  cancelSubscription,
  eventsOf,
  newestCharge,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
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

/** Notifies the subscription in place of the workflow of its charge. */
async function notifyEnd(subscription: Subscription, { id }: Charge, status: ChargeStatus): Promise<void> {
  await workflowOf(fixture, subscription).signal(chargeEndedSignal, { chargeId: id, status });
}

async function untilNext(subscription: Subscription, nextNumber: number): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(fixture, subscription).query(subscriptionStateQuery)).toMatchObject({
      nextNumber,
    }),
  );
}

/** A PIX code of the second cycle, whose workflow an operator has terminated. */
async function terminated() {
  const subscription = await subscribe(fixture, { methods: ['PIX'] });
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
  const charge = await eventually(async () => {
    const newest = await newestCharge(fixture, subscription);
    expect(newest.cycleId).not.toBeNull();
    expect((await chargeWorkflowOf(fixture, newest).describe()).status.name).toBe('RUNNING');
    return newest;
  });
  await terminateAtRest(chargeWorkflowOf(fixture, charge), 'an operator');
  return { subscription, charge };
}

describe('an attempt whose workflow an operator terminates', () => {
  it('closes and replaces the PIX code of an overdue attempt without a run', async () => {
    const { subscription, charge } = await terminated();
    await sleepUntil(fixture, new Date(charge.closesAt.getTime() + 6 * MINUTE_MS));
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PENDING']),
    );
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'payment_failed', 'past_due']);
    await cancelSubscription(fixture, subscription);
  });

  it('renews the subscription when a code is paid whose run was terminated', async () => {
    const { subscription, charge } = await terminated();
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    await untilNext(subscription, 3);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });
});

describe('a notification that a charge has ended', () => {
  it('ignores repeated and contradictory notifications that a charge has ended', async () => {
    const subscription = await subscribe(fixture);
    await nextCycle(fixture, subscription);
    await untilNext(subscription, 3);
    const charge = await newestCharge(fixture, subscription);
    for (const status of ['PAID', 'FAILED', 'PAID'] as const) await notifyEnd(subscription, charge, status);
    await nextCycle(fixture, subscription);
    await untilNext(subscription, 4);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_000, 5_000]);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });

  it('returns PAID from a repeated activity after the subscription has ended', async () => {
    const subscription = await subscribe(fixture);
    await nextCycle(fixture, subscription);
    await cancelSubscription(fixture, subscription);
    // `result()` would make the clock skip to the settlement of the charge, which could end while it is
    // notified.
    expect(await endOf(fixture, workflowOf(fixture, subscription))).toBe('CANCELLED');
    const { id: chargeId } = await newestCharge(fixture, subscription);
    const again = { chargeId, nowMs: (await fixture.now()).getTime() };
    expect(await fixture.activities.authorizeCharge(again)).toBe('PAID');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
  });
});
