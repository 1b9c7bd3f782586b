import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { subscriptionStateQuery, subscriptionWorkflowId } from '../../workflows/subscription.contract.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';
import { mustPay, notify } from '../support/lives/charge-life.ts';
import { chargeWorkflowOf } from '../support/lives/checkout-life.ts';
import { refund } from '../support/lives/money-life.ts';
import {
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
} from '../support/lives/subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { chargesOf } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/**
 * Each is a subscription of its own. The first and the last one are no races, so that each side wins one on
 * any machine.
 */
const ROUNDS = roundsOf(50);
const LAST = ROUNDS - 1;

/** Rounds under way at once: they disturb each other's timing, which is wanted, but two cores must do. */
const AT_ONCE = 5;

let world: WorkflowWorld;
beforeAll(async () => {
  // The real server: here no clock may leap on while another round is under way.
  const environment = await connectToRealServer();
  world = await createWorkflowWorld({ environment, taskQueue: 'subscription-races' });
});
afterAll(() => world.close());

async function inRounds<Result>(round: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runner = async () => {
    while (next < ROUNDS) results.push(await round(next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
  return results;
}

/** A weekly subscription whose second cycle begins in so many milliseconds. */
async function renewsIn(ms: number, methods: ('CARD' | 'PIX')[]): Promise<Subscription> {
  const anchor = new Date(Date.now() - 7 * DAY_MS + ms);
  const subscription = await insertSubscription(world, anchor, { cycle: 'WEEKLY', methods });
  await startSubscription(world, subscription);
  return subscription;
}

/** Resolves once the cycle of this number is the next one. */
async function untilNext(subscription: Subscription, nextNumber: number): Promise<void> {
  await eventually(async () =>
    expect(await workflowOf(world, subscription).query(subscriptionStateQuery)).toMatchObject({ nextNumber }),
  );
}

/** The PIX code of its second cycle. */
async function codeOf(subscription: Subscription): Promise<Charge> {
  return eventually(async () => {
    const newest = await newestCharge(world, subscription);
    expect(newest.cycleId).not.toBeNull();
    return newest;
  });
}

/** How it ended: whether the second cycle was paid. Fails where anything is left open, doubled or lost. */
async function ending(subscription: Subscription): Promise<'renewed' | 'not renewed'> {
  expect(await workflowOf(world, subscription).result()).toBe('CANCELLED');
  const [, ...later] = await chargesOf(world, subscription.checkoutId);
  const events = await eventsOf(world, subscription);
  const isRenewed = events.includes('renewed');
  const kept = later.map(({ providerReference }) => world.provider.keptCents(providerReference));
  expect({ events: [...events].sort(), kept: kept.reduce((sum, cents) => sum + cents, 0) }).toEqual({
    events: isRenewed ? ['cancelled', 'renewed'] : ['cancelled'],
    kept: isRenewed ? 5_000 : 0,
  });
  const outcomes = await outcomesOf(world, subscription);
  expect(outcomes.filter((status) => status === 'PAID')).toHaveLength(isRenewed ? 2 : 1);
  expect(outcomes).not.toContain('PENDING');
  const paid = (await cyclesOf(world, subscription)).filter((line) => line.endsWith(' PAID'));
  expect(paid).toHaveLength(isRenewed ? 2 : 1);
  return isRenewed ? 'renewed' : 'not renewed';
}

describe('a cancellation at the moment', () => {
  it.each(['CARD', 'PIX'] as const)(
    'of a renewal by %s comes before or after it, with nothing left open',
    async (method) => {
      const endings = await inRounds(async (round) => {
        const subscription = await renewsIn(round === 0 ? DAY_MS : 150, [method]);
        // From well before the renewal until well after it, as the server's timers may be a second late.
        if (round === LAST) await (method === 'CARD' ? untilNext(subscription, 3) : codeOf(subscription));
        else await delay((round * 2_000) / ROUNDS);
        await cancelSubscription(world, subscription);
        return ending(subscription);
      });
      const sides = method === 'CARD' ? ['not renewed', 'renewed'] : ['not renewed'];
      expect([...new Set(endings)].sort()).toEqual(sides);
    },
  );

  it('of a PIX payment either is too late or sends the money back', async () => {
    const endings = await inRounds(async (round) => {
      const subscription = await renewsIn(0, ['PIX']);
      const payment = await mustPay(world, await codeOf(subscription));
      const paying = () => notify(world, payment);
      const cancelling = () => cancelSubscription(world, subscription);
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
  it('answers all of them, and tells of the end once and of every change that was accepted', async () => {
    await inRounds(async (round) => {
      const subscription = await renewsIn(DAY_MS, ['CARD']);
      // Every other one is asleep and has no task yet.
      if (round % 2 === 0) await changePlan(world, subscription, { cycle: 'WEEKLY', priceCents: 6_000 });
      const to = { cycle: 'WEEKLY', priceCents: 7_000 } as const;
      const [first, second, ...changes] = await Promise.all([
        cancelSubscription(world, subscription),
        delay(round % 5).then(() => cancelSubscription(world, subscription)),
        statusOfChange(subscription, to),
        delay(round % 7).then(() => statusOfChange(subscription, to)),
      ]);
      expect([first, second]).toEqual(['CANCELLED', 'CANCELLED']);
      const applied = changes.filter((status) => status === 'ACTIVE').length + ((round + 1) % 2);
      const events = await eventsOf(world, subscription);
      expect(events.filter((name) => name === 'plan_changed')).toHaveLength(applied);
      expect(events.filter((name) => name === 'cancelled')).toHaveLength(1);
    });
  });

  /** CANCELLED also where the workflow refuses the change itself. */
  async function statusOfChange(subscription: Subscription, to: Parameters<typeof changePlan>[2]) {
    try {
      return (await changePlan(world, subscription, to)).status;
    } catch (error) {
      expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
      expect(error).toMatchObject({ cause: { type: 'NOT_ACTIVE' } });
      return 'CANCELLED';
    }
  }
});

describe('an attempt at a cycle', () => {
  it('names to operators the subscription that it tells how it ended', async () => {
    const subscription = await renewsIn(0, ['PIX']);
    const description = await eventually(async () =>
      chargeWorkflowOf(world, await newestCharge(world, subscription)).describe(),
    );
    expect(await description.staticDetails()).toContain(subscriptionWorkflowId(subscription.id));
    await cancelSubscription(world, subscription);
  });
});

describe('a run that an operator resets to its beginning', () => {
  /** Has the run begin again after its first task. */
  async function reset(workflowId: string): Promise<void> {
    const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory();
    const first = events?.find(({ workflowTaskCompletedEventAttributes: done }) => done != null);
    await world.client.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      workflowTaskFinishEventId: first?.eventId ?? null,
      requestId: randomUUID(),
      reason: 'an operator',
    });
  }

  it('goes through the cycles that were charged without charging them again', async () => {
    const subscription = await renewsIn(-7 * DAY_MS, ['CARD']);
    await untilNext(subscription, 4);
    await reset(workflowOf(world, subscription).workflowId);
    await untilNext(subscription, 4);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(await eventsOf(world, subscription)).toEqual(['renewed', 'renewed']);
    await cancelSubscription(world, subscription);
  });
});

describe('a PIX code that is paid before its workflow is started', () => {
  /**
   * The second cycle as a worker leaves it that dies after it is opened and before its charge is started;
   * then it is paid.
   */
  async function paidEarly() {
    const anchor = new Date(Date.now() - 7 * DAY_MS);
    const subscription = await insertSubscription(world, anchor, { cycle: 'WEEKLY', methods: ['PIX'] });
    const second = { subscriptionId: subscription.id, number: 2, nowMs: Date.now() };
    expect(await world.activities.openCycle(second)).toMatchObject({ status: 'ACTIVE' });
    const charge = await newestCharge(world, subscription);
    expect(await notify(world, await mustPay(world, charge))).toBe('PAID');
    return { subscription, charge };
  }

  async function untilThirdCycleWaits(subscription: Subscription): Promise<void> {
    await startSubscription(world, subscription);
    await untilNext(subscription, 3);
  }

  it('renews the subscription at once, whose next cycle then waits for its time', async () => {
    const { subscription } = await paidEarly();
    await untilThirdCycleWaits(subscription);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID']);
    await cancelSubscription(world, subscription);
  });

  it('and refunded too, is not asked for a second time', async () => {
    const { subscription, charge } = await paidEarly();
    expect((await refund(world, charge)).status).toBe('REFUNDED');
    await untilThirdCycleWaits(subscription);
    expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'REFUNDED']);
    expect(await eventsOf(world, subscription)).not.toContain('payment_failed');
    await cancelSubscription(world, subscription);
  });
});
