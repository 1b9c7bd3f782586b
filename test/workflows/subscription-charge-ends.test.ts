import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { chargeEndedSignal, subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/lives/charge-life.ts';
import { chargeWorkflowOf, endOf } from '../support/lives/checkout-life.ts';
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
} from '../support/lives/subscription-life.ts';
import { terminateAtRest } from '../support/lives/terminate-at-rest.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;

let world: WorkflowWorld;
beforeAll(async () => {
  world = await createWorkflowWorld();
});
afterAll(() => world.close());

/** Somebody else than its charge says that it has ended. */
async function tell(subscription: Subscription, { id }: Charge, status: ChargeStatus): Promise<void> {
  await workflowOf(world, subscription).signal(chargeEndedSignal, { chargeId: id, status });
}

async function untilNext(subscription: Subscription, nextNumber: number): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(world, subscription).query(subscriptionStateQuery)).toMatchObject({ nextNumber }),
  );
}

/** A PIX code of the second cycle, whose workflow an operator has terminated. */
async function terminated() {
  const subscription = await subscribe(world, { methods: ['PIX'] });
  await sleepUntil(world, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
  const charge = await eventually(async () => {
    const newest = await newestCharge(world, subscription);
    expect(newest.cycleId).not.toBeNull();
    expect((await chargeWorkflowOf(world, newest).describe()).status.name).toBe('RUNNING');
    return newest;
  });
  await terminateAtRest(chargeWorkflowOf(world, charge), 'an operator');
  return { subscription, charge };
}

describe('an attempt whose workflow an operator terminates', () => {
  it('has failed minutes after its deadline: its code is closed, and the next one issued', async () => {
    const { subscription, charge } = await terminated();
    await sleepUntil(world, new Date(charge.closesAt.getTime() + 6 * MINUTE_MS));
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'FAILED', 'PENDING']),
    );
    expect(world.provider.isClosed(charge.providerReference)).toBe(true);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'payment_failed']);
    await cancelSubscription(world, subscription);
  });

  it('renews the subscription at once where its code is paid all the same', async () => {
    const { subscription, charge } = await terminated();
    expect(await notify(world, await mustPay(world, charge))).toBe('PAID');
    await untilNext(subscription, 3);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'renewed']);
    await cancelSubscription(world, subscription);
  });
});

describe('news of a charge that has ended', () => {
  it('that come again, and belie what they said before, change nothing', async () => {
    const subscription = await subscribe(world);
    await nextCycle(world, subscription);
    await untilNext(subscription, 3);
    const charge = await newestCharge(world, subscription);
    for (const status of ['PAID', 'FAILED', 'PAID'] as const) await tell(subscription, charge, status);
    await nextCycle(world, subscription);
    await untilNext(subscription, 4);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(await amountsOf(world, subscription)).toEqual([5_000, 5_000, 5_000]);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'renewed', 'renewed']);
    await cancelSubscription(world, subscription);
  });

  it('that come after the subscription has ended are lost without harm', async () => {
    const subscription = await subscribe(world);
    await nextCycle(world, subscription);
    await cancelSubscription(world, subscription);
    // Not its `result()`: the clock would leap to the settlement of the charge, which could end while it is
    // told.
    expect(await endOf(world, workflowOf(world, subscription))).toBe('CANCELLED');
    const { id: chargeId } = await newestCharge(world, subscription);
    const again = { chargeId, nowMs: (await world.now()).getTime() };
    expect(await world.activities.authorizeCharge(again)).toBe('PAID');
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID']);
  });
});
