import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStateQuery, subscriptionWorkflowId } from '../../workflows/subscription.contract.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf } from '../support/fixtures/checkouts.ts';
import { refund } from '../support/fixtures/money.ts';
import {
  billWith,
  cancelSubscription,
  changePlan,
  cyclesOf,
  DAY_MS,
  eventsOf,
  insertSubscription,
  newestCharge,
  outcomesOf,
  startSubscription,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';
import { chargesOf } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/**
 * Each round has its own subscription. The first and the last round are no races, so that each side wins once
 * on any machine.
 */
const ROUNDS = roundsOf(50);
const LAST = ROUNDS - 1;

/** Rounds that run at once. They should disturb each other's timing, but not overload two cores. */
const AT_ONCE = 5;

let fixture: WorkflowFixture;
beforeAll(async () => {
  // Uses the real server, as no clock may skip ahead while another round is running.
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'subscription-races' });
  await billWith(fixture, { missedCycles: 'CHARGE' });
});
afterAll(() => fixture.close());

async function inRounds<Result>(round: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runner = async () => {
    while (next < ROUNDS) results.push(await round(next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
  return results;
}

/** A weekly subscription whose second cycle starts in so many milliseconds. */
async function renewsIn(ms: number, methods: ('CARD' | 'PIX')[]): Promise<Subscription> {
  const anchor = new Date(Date.now() - 7 * DAY_MS + ms);
  const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY', methods });
  await startSubscription(fixture, subscription);
  return subscription;
}

/** Resolves once the cycle of this number is the next one. */
async function untilNext(subscription: Subscription, nextNumber: number): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(fixture, subscription).query(subscriptionStateQuery)).toMatchObject({
      nextNumber,
    }),
  );
}

/** The PIX code of its second cycle. */
async function codeOf(subscription: Subscription): Promise<Charge> {
  return eventually(async () => {
    const newest = await newestCharge(fixture, subscription);
    expect(newest.cycleId).not.toBeNull();
    return newest;
  });
}

/** Whether the second cycle was paid. Fails if anything is left open, duplicated or lost. */
async function ending(subscription: Subscription): Promise<'renewed' | 'not renewed'> {
  expect(await workflowOf(fixture, subscription).result()).toBe('CANCELLED');
  const [, ...later] = await chargesOf(fixture, subscription.checkoutId);
  const events = await eventsOf(fixture, subscription);
  const isRenewed = events.includes('renewed');
  const kept = later.map(({ providerReference }) => fixture.provider.keptCents(providerReference));
  expect({ events: [...events].sort(), kept: kept.reduce((sum, cents) => sum + cents, 0) }).toEqual({
    events: isRenewed ? ['cancelled', 'renewed'] : ['cancelled'],
    kept: isRenewed ? 5_000 : 0,
  });
  const outcomes = await outcomesOf(fixture, subscription);
  expect(outcomes.filter((status) => status === 'PAID')).toHaveLength(isRenewed ? 2 : 1);
  expect(outcomes).not.toContain('PENDING');
  const paid = (await cyclesOf(fixture, subscription)).filter((line) => line.endsWith(' PAID'));
  expect(paid).toHaveLength(isRenewed ? 2 : 1);
  return isRenewed ? 'renewed' : 'not renewed';
}

describe('a cancellation at the moment of a payment', () => {
  it.each(['CARD', 'PIX'] as const)(
    'leaves nothing open when a cancellation and a renewal by %s race',
    async (method) => {
      const endings = await inRounds(async (round) => {
        const subscription = await renewsIn(round === 0 ? DAY_MS : 150, [method]);
        // Cancels from well before the renewal until well after it, as timers may be a second late.
        if (round === LAST) await (method === 'CARD' ? untilNext(subscription, 3) : codeOf(subscription));
        else await delay((round * 2_000) / ROUNDS);
        await cancelSubscription(fixture, subscription);
        return ending(subscription);
      });
      const sides = method === 'CARD' ? ['not renewed', 'renewed'] : ['not renewed'];
      expect([...new Set(endings)].sort()).toEqual(sides);
    },
  );

  it('keeps or returns the money once when a cancellation and a PIX payment race', async () => {
    const endings = await inRounds(async (round) => {
      const subscription = await renewsIn(0, ['PIX']);
      const payment = await mustPay(fixture, await codeOf(subscription));
      const paying = () => notify(fixture, payment);
      const cancelling = () => cancelSubscription(fixture, subscription);
      const [first, second] = round % 2 === 0 ? [paying, cancelling] : [cancelling, paying];
      const isNoRace = round === 0 || round === LAST;
      const begun = first();
      await (isNoRace ? begun : delay((round % 10) * 5));
      await Promise.all([begun, second()]);
      return ending(subscription);
    });
    expect([...new Set(endings)].sort()).toEqual(['not renewed', 'renewed']);
  });
});

describe('a cancellation that comes twice, with changes of plan', () => {
  it('publishes one cancellation and each accepted plan change when all of them race', async () => {
    await inRounds(async (round) => {
      const subscription = await renewsIn(DAY_MS, ['CARD']);
      // Half of the runs are asleep by now, and the others have had no task yet.
      if (round % 2 === 0) await changePlan(fixture, subscription, { cycle: 'WEEKLY', priceCents: 6_000 });
      const to = { cycle: 'WEEKLY', priceCents: 7_000 } as const;
      const [first, second, ...changes] = await Promise.all([
        cancelSubscription(fixture, subscription),
        delay(round % 5).then(() => cancelSubscription(fixture, subscription)),
        statusOfChange(subscription, to),
        delay(round % 7).then(() => statusOfChange(subscription, to)),
      ]);
      expect([first, second]).toEqual(['CANCELLED', 'CANCELLED']);
      const applied = changes.filter((status) => status === 'ACTIVE').length + ((round + 1) % 2);
      const events = await eventsOf(fixture, subscription);
      expect(events.filter((name) => name === 'plan_changed')).toHaveLength(applied);
      expect(events.filter((name) => name === 'cancelled')).toHaveLength(1);
    });
  });

  /** Returns CANCELLED also if the workflow refuses the change itself. */
  async function statusOfChange(subscription: Subscription, to: Parameters<typeof changePlan>[2]) {
    try {
      return (await changePlan(fixture, subscription, to)).status;
    } catch (error) {
      expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
      expect(error).toMatchObject({ cause: { type: 'NOT_ACTIVE' } });
      return 'CANCELLED';
    }
  }
});

describe('an attempt at a cycle', () => {
  it('names the subscription of an attempt in the details of its run', async () => {
    const subscription = await renewsIn(0, ['PIX']);
    const description = await eventually(async () =>
      chargeWorkflowOf(fixture, await newestCharge(fixture, subscription)).describe(),
    );
    expect(await description.staticDetails()).toContain(subscriptionWorkflowId(subscription.id));
    await cancelSubscription(fixture, subscription);
  });
});

describe('a run that an operator resets to its start', () => {
  /** Resets the run to its first completed task. */
  async function reset(workflowId: string): Promise<void> {
    const { events } = await fixture.client.workflow.getHandle(workflowId).fetchHistory();
    const first = events?.find(({ workflowTaskCompletedEventAttributes: done }) => done != null);
    await fixture.client.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      workflowTaskFinishEventId: first?.eventId ?? null,
      requestId: randomUUID(),
      reason: 'an operator',
    });
  }

  it('charges no cycle again after an operator resets the run to its start', async () => {
    const subscription = await renewsIn(-7 * DAY_MS, ['CARD']);
    await untilNext(subscription, 4);
    await reset(workflowOf(fixture, subscription).workflowId);
    await untilNext(subscription, 4);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(await eventsOf(fixture, subscription)).toEqual(['renewed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });
});

describe('a PIX code that is paid before its workflow is started', () => {
  /** A second cycle whose worker died after opening it and before starting its charge. Its code is paid. */
  async function paidEarly() {
    const anchor = new Date(Date.now() - 7 * DAY_MS);
    const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY', methods: ['PIX'] });
    const second = { subscriptionId: subscription.id, number: 2, nowMs: Date.now() };
    expect(await fixture.activities.openCycle(second)).toMatchObject({ status: 'ACTIVE' });
    const charge = await newestCharge(fixture, subscription);
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    return { subscription, charge };
  }

  async function untilThirdCycleWaits(subscription: Subscription): Promise<void> {
    await startSubscription(fixture, subscription);
    await untilNext(subscription, 3);
  }

  it('renews the subscription at once and waits for the time of its next cycle', async () => {
    const { subscription } = await paidEarly();
    await untilThirdCycleWaits(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);
    await cancelSubscription(fixture, subscription);
  });

  it('requests no second payment if the early payment was refunded', async () => {
    const { subscription, charge } = await paidEarly();
    expect((await refund(fixture, charge)).status).toBe('REFUNDED');
    await untilThirdCycleWaits(subscription);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'REFUNDED']);
    expect(await eventsOf(fixture, subscription)).not.toContain('payment_failed');
    await cancelSubscription(fixture, subscription);
  });
});
