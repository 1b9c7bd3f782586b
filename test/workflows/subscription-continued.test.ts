import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { subscriptionStateQuery } from '../../workflows/subscription.contract.ts';
import { historiesOf } from '../support/fixtures/histories.ts';
import {
  addUsage,
  amountsOf,
  billWith,
  cancelSubscription,
  changePlan,
  cyclesOf,
  DAY_MS,
  eventsOf,
  insertSubscription,
  outcomesOf,
  startSubscription,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { serviceWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { IS_THOROUGH, roundsOf } from '../support/jest/thoroughness.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Cycles that are due from the start. A run has about four of them. */
const CYCLES = IS_THOROUGH ? 60 : 30;
const USAGE_RECORDS = roundsOf(5_000);

/** Thousands of requests one after the other take half a minute on a quiet machine. */
const TIMEOUT_MS = 400_000;

/** Clients that change the plan at once. */
const CALLERS = 4;

/**
 * Cycles during which the plan is changed, so that a machine cannot charge all cycles before it changes any
 * plan.
 */
const HELD_CYCLES = 10;

let fixture: WorkflowFixture;
beforeAll(async () => {
  // The time-skipping server may lose something when a run continues as new. In tests the real one suggests
  // that after few events.
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'subscription-continued' });
  await billWith(fixture, { missedCycles: 'CHARGE' });
});
afterAll(() => fixture.close());

describe('a subscription that continues as new again and again', () => {
  it(
    'loses and duplicates no cycle, plan change or usage while it continues as new',
    async () => {
      const anchor = new Date(Date.now() - (CYCLES - 1) * 7 * DAY_MS - DAY_MS);
      const subscription = await insertSubscription(fixture, anchor, { cycle: 'WEEKLY' });
      const metered = await insertProduct(fixture, { name: 'Mensagem', priceCents: 1 });
      const isCaughtUp = async () =>
        (await subscriptionOf(fixture, { id: subscription.id })).cycleNumber >= CYCLES;
      await startSubscription(fixture, subscription);

      const changes: string[] = [];
      holdIssuer(changes, HELD_CYCLES);
      const callChanges = async (caller: number) => {
        for (let call = 0; !(await isCaughtUp()); call += 1) {
          const to = { priceCents: 5_000 + 100 * caller + (call % 10), cycle: 'WEEKLY' } as const;
          const { status, planUpdateId } = await changePlan(fixture, subscription, to);
          expect(status).toBe('ACTIVE');
          changes.push(planUpdateId);
        }
      };
      let recorded = 0;
      const recordUsage = async () => {
        while (recorded < USAGE_RECORDS) {
          recorded += 1;
          await addUsage(fixture, subscription, 1, metered);
        }
      };
      await Promise.all([
        ...Array.from({ length: CALLERS }, (_, caller) => callChanges(caller)),
        recordUsage(),
        recordUsage(),
      ]);

      await eventually(async () =>
        expect(await outcomesOf(fixture, subscription)).toEqual(Array(CYCLES).fill('PAID')),
      );
      const cycles = await cyclesOf(fixture, subscription);
      expect(cycles.map((line) => Number(line.split(' ')[0]))).toEqual(
        Array.from({ length: CYCLES }, (_, index) => index + 1),
      );
      expect((await eventsOf(fixture, subscription)).filter((name) => name === 'renewed')).toHaveLength(
        CYCLES - 1,
      );
      await expectAllChanges(subscription, changes);
      await expectAllUsage(subscription);
      expect((await historiesOf(fixture, workflowOf(fixture, subscription))).length).toBeGreaterThan(
        CYCLES / 6,
      );
      const { nextNumber } = await workflowOf(fixture, subscription).query(subscriptionStateQuery);
      expect(nextNumber).toBe(CYCLES + 1);
      const { typedSearchAttributes } = await workflowOf(fixture, subscription).describe();
      expect(typedSearchAttributes.get(searchAttribute.storeId)).toBe(subscription.storeId);
      expect(typedSearchAttributes.get(searchAttribute.cycleNumber)).toBe(CYCLES);
      expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
    },
    TIMEOUT_MS,
  );
});

describe('a subscription that waits', () => {
  it('accepts any number of plan changes by continuing as new before a run is full', async () => {
    const subscription = await insertSubscription(fixture, new Date(Date.now() - DAY_MS), {
      cycle: 'WEEKLY',
    });
    await startSubscription(fixture, subscription);
    for (let change = 0; change < 40; change += 1)
      await changePlan(fixture, subscription, { priceCents: 5_000 + change, cycle: 'WEEKLY' });

    const runs = await historiesOf(fixture, workflowOf(fixture, subscription));
    expect(runs.length).toBeGreaterThan(3);
    const { nextNumber, nextChargeAt, plan } = await workflowOf(fixture, subscription).query(
      subscriptionStateQuery,
    );
    expect({ nextNumber, nextChargeAt }).toEqual({
      nextNumber: 2,
      nextChargeAt: subscription.cycleEndsAt.toISOString(),
    });
    expect(plan.amountCents).toBe(5_039);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
  });

  it('keeps the failed attempt and the time of the next one when it continues as new', async () => {
    fixture.provider.declineNext('insufficient_funds');
    const subscription = await insertSubscription(fixture, new Date(Date.now() - 8 * DAY_MS), {
      cycle: 'WEEKLY',
    });
    await startSubscription(fixture, subscription);
    const { retryAt } = await eventually(async () => {
      const state = await workflowOf(fixture, subscription).query(subscriptionStateQuery);
      expect(state).toMatchObject({ nextNumber: 2, failedAttempts: 1, lastFailure: 'insufficient_funds' });
      return state;
    });
    for (let change = 0; change < 20; change += 1)
      await changePlan(fixture, subscription, { priceCents: 5_000 + change, cycle: 'WEEKLY' });

    expect((await historiesOf(fixture, workflowOf(fixture, subscription))).length).toBeGreaterThan(1);
    await eventually(async () =>
      expect(await workflowOf(fixture, subscription).query(subscriptionStateQuery)).toMatchObject({
        nextNumber: 2,
        failedAttempts: 1,
        lastFailure: 'insufficient_funds',
        retryAt,
      }),
    );
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED']);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
  });
});

describe('a change of plan that comes with a cycle that is due', () => {
  it('replays the history of a plan change that arrives with a due cycle', async () => {
    for (let round = 0; round < roundsOf(10); round += 1) {
      const subscription = await insertSubscription(fixture, new Date(Date.now() - 8 * DAY_MS), {
        cycle: 'WEEKLY',
      });
      // The change starts the run, so that its first task handles both the change and the cycle.
      await changePlan(fixture, subscription, { priceCents: 6_000, cycle: 'WEEKLY' });
      await eventually(async () => expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']));
      const { workflowId } = workflowOf(fixture, subscription);
      const history = await workflowOf(fixture, subscription).fetchHistory();
      await Worker.runReplayHistory({ workflowBundle: await serviceWorkflows() }, history, workflowId);
      await cancelSubscription(fixture, subscription);
    }
  });
});

/** The issuer answers for the next cycles only once as many more plan changes as there are callers were made. */
function holdIssuer(changes: readonly string[], cycles: number): void {
  if (cycles === 0) return;
  fixture.provider.afterNextAnswer('chargeCard', async () => {
    const enough = changes.length + CALLERS;
    await eventually(() => expect(changes.length).toBeGreaterThanOrEqual(enough));
    holdIssuer(changes, cycles - 1);
  });
}

/** Expects one row and one event per change. At most one is pending, all others are applied or replaced. */
async function expectAllChanges({ id }: Subscription, changes: readonly string[]): Promise<void> {
  const em = fixture.database.em.fork();
  const updates = await em.find(PlanUpdateEntity, { subscriptionId: id });
  expect(updates.map((update) => update.id as string).sort()).toEqual([...changes].sort());
  expect(changes.length).toBeGreaterThanOrEqual(HELD_CYCLES * CALLERS);
  const keys = changes.map((change) => `subscription.plan_changed/${change}`);
  expect(await em.count(EventEntity, { key: { $in: keys } })).toBe(changes.length);
  expect(updates.filter(({ status }) => status === 'PENDING').length).toBeLessThanOrEqual(1);
}

/** Expects all recorded usage in the amounts of the cycles, or waiting for the next one. */
async function expectAllUsage(subscription: Subscription): Promise<void> {
  const em = fixture.database.em.fork();
  const [row] = await em.execute<{ charged: number; waiting: number; recorded: number }[]>(
    `select (select sum(usage_cents) from installments where subscription_id = ?)::int as charged,
       coalesce(sum(amount_cents) filter (where installment_number > ?), 0)::int as waiting,
       sum(amount_cents)::int as recorded
     from usage_totals where subscription_id = ?`,
    [subscription.id, CYCLES, subscription.id],
  );
  expect(row?.recorded).toBe(USAGE_RECORDS);
  expect((row?.charged ?? 0) + (row?.waiting ?? 0)).toBe(USAGE_RECORDS);
  expect(await amountsOf(fixture, subscription)).toHaveLength(CYCLES);
}
