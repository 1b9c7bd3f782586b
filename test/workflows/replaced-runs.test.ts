import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { createStore } from '../../src/cli/stores.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { DebitEntity } from '../../src/database/entities/debit.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { hasPromisedAttempt } from '../../src/recovery/generation/delivery-successor.ts';
import { areRunsReplaced } from '../../src/recovery/generation/generation-row.ts';
import { arePolled, openRunsBefore } from '../../src/recovery/generation/old-runs.ts';
import { type ReplaceDeps, replaceOldRuns } from '../../src/recovery/generation/replace-runs.ts';
import type { WorkflowKind } from '../../src/recovery/obligations.ts';
import { startsOf } from '../../src/recovery/resume.ts';
import { chargeStart } from '../../src/temporal/charge.ts';
import { CHARGE_WORKFLOW, chargeWorkflowId, lookUpPaymentSignal } from '../../workflows/charge.contract.ts';
import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  checkoutRecordOf,
  openCheckout,
} from '../support/fixtures/checkouts.ts';
import { payoutOf } from '../support/fixtures/money.ts';
import { cancelSubscription, insertSubscription } from '../support/fixtures/subscriptions.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';
import { scriptedMandates } from '../support/outside/scripted-mandates.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { insertBoleto, insertPix, startAsleep } from '../support/rows/charges.ts';
import { credit } from '../support/rows/credit.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { deliveryOf, failedRange, resendOf, type SentDelivery, send } from '../support/rows/deliveries.ts';
import { insertDebit, insertMandate } from '../support/rows/mandates.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

const QUEUE = 'replaced-runs';
const DAY = { expiresInS: 86_400 };

/** Workflows with histories that the service's workflows cannot continue. */
const OLD_WORKFLOWS = new URL('../replay/changed-workflows.ts', import.meta.url);

/** The service's own workflows. The replacement treats their runs the same way. */
const SERVICE_WORKFLOWS = new URL('../../workflows/index.ts', import.meta.url);

let cleanup: AsyncDisposableStack;
let before: Pick<WorkflowFixture, 'database' | 'storeId' | 'provider'>;
let sink: Awaited<ReturnType<typeof startWebhookSink>>;

beforeAll(async () => {
  cleanup = new AsyncDisposableStack();
  const { database, drop } = await createTestDatabase();
  cleanup.defer(drop);
  const { id: storeId } = await createStore(database.em.fork(), { name: 'Loja', city: 'SP' }, new Date());
  sink = cleanup.use(await startWebhookSink());
  before = { database, storeId, provider: new MisbehavingProvider() };
});
afterAll(() => cleanup.disposeAsync());

/** The rows of a database whose runs belong to an earlier generation. */
beforeEach(asOfAnEarlierGeneration);

async function asOfAnEarlierGeneration(): Promise<void> {
  const em = before.database.em.fork();
  await em.execute(
    'update workflow_generations set done_at = null, began_at = null, claimed_by = null, claimed_until = null',
  );
}

/** A fixture with workers of this release, or of an earlier one. */
async function fixtureOf(bundle?: Awaited<ReturnType<typeof bundleWorkflows>>): Promise<WorkflowFixture> {
  const environment = await connectToRealServer();
  return createWorkflowFixture({ environment, taskQueue: QUEUE, before, ...(bundle && { bundle }) });
}

/** Does something while workers of an earlier release run, and stops them. */
async function earlier<Made>(
  make: (old: WorkflowFixture) => Promise<Made>,
  workflows = OLD_WORKFLOWS,
): Promise<Made> {
  const old = await fixtureOf(await bundleWorkflows(workflows));
  try {
    return await make(old);
  } finally {
    await old.close();
  }
}

/** Does something with the workers of this release, once the runs are replaced. */
async function now(work: (fixture: WorkflowFixture) => Promise<void>): Promise<void> {
  const environment = await connectToRealServer();
  await replaceOldRuns(depsOf(environment.client));
  await environment.teardown();
  const fixture = await fixtureOf();
  try {
    await work(fixture);
  } finally {
    await fixture.close();
  }
}

/** Counts no worker as polling, because the old workers of a test polled a moment ago. */
const depsOf = (client: Client): ReplaceDeps => ({
  client,
  taskQueue: QUEUE,
  database: before.database,
  log: SILENT_LOG,
  polledWithinMs: 0,
});

/** A charge whose run waits for its payer and has had a task. */
async function begun(old: WorkflowFixture): Promise<Charge> {
  const charge = await insertPix(old, DAY);
  const { options } = chargeStart(charge, null);
  const workflow = await old.client.workflow.start(CHARGE_WORKFLOW, { ...options, taskQueue: QUEUE });
  await untilTimers(workflow);
  await untilListed(old, workflow);
  return charge;
}

/** The server lists a run a moment after its start. An upgrade waits for the last poll of old workers, which a test does not. */
async function untilListed({ client }: WorkflowFixture, { workflowId }: WorkflowHandle): Promise<void> {
  await eventually(async () => {
    const listed: string[] = [];
    for await (const page of openRunsBefore(client, QUEUE, new Date()))
      listed.push(...page.map((run) => run.workflowId));
    expect(listed).toContain(workflowId);
  });
}

/** Both timers of the old code have fired, and the run waits for its deadline. */
async function untilTimers(workflow: WorkflowHandle): Promise<void> {
  await eventually(async () => {
    const { events } = await workflow.fetchHistory();
    const fired = events?.filter(({ timerFiredEventAttributes }) => timerFiredEventAttributes) ?? [];
    expect(fired).toHaveLength(2);
  });
}

const runOf = async ({ client }: Pick<WorkflowFixture, 'client'>, { id }: Charge) =>
  (await client.workflow.getHandle(chargeWorkflowId(id)).describe()).runId;

describe('the replacement of runs', () => {
  it('gives a charge that waits for its payer a new run, which is paid', async () => {
    const { charge, runId } = await earlier(async (old) => {
      const made = await begun(old);
      return { charge: made, runId: await runOf(old, made) };
    });
    await now(async (fixture) => {
      expect(await runOf(fixture, charge)).not.toBe(runId);
      await notify(fixture, await mustPay(fixture, charge));
      expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PAID' });
      expect(await areRunsReplaced(before.database)).toBe(true);
    });
  });

  it('keeps a run that has not begun, which is paid', async () => {
    const { charge, runId } = await earlier(async (old) => {
      const made = await insertPix(old, DAY);
      return { charge: made, runId: (await startAsleep(old, made)).firstExecutionRunId };
    });
    await now(async (fixture) => {
      expect(await runOf(fixture, charge)).toBe(runId);
      await notify(fixture, await mustPay(fixture, charge));
      expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PAID' });
    });
  });

  it('looks a payment up again that only a signal has named', async () => {
    const { charge, payment } = await earlier(async (old) => {
      const made = await begun(old);
      const money = await mustPay(old, made);
      old.provider.hideFromLookUps(money);
      const { providerPaymentId } = money;
      await chargeWorkflowOf(old, made).signal(lookUpPaymentSignal, { providerPaymentId });
      return { charge: made, payment: money };
    });
    before.provider.hideFromLookUps(payment, false);
    await now(async (fixture) => {
      await eventually(async () => expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PAID' }));
    });
  });

  it('continues a delivery with its next attempt', async () => {
    const endpoint = sink.endpoint((attempt) => (attempt === 1 ? 500 : 200));
    const delivery: SentDelivery = await earlier(async (old) => {
      const sent = await send(old, endpoint.url);
      await eventually(async () => expect(await deliveryOf(old, sent)).toMatchObject({ attempts: 1 }));
      return sent;
    }, SERVICE_WORKFLOWS);
    await now(async (fixture) => {
      await eventually(async () =>
        expect(await deliveryOf(fixture, delivery)).toMatchObject({ status: 'DELIVERED', attempts: 2 }),
      );
    });
  });
});

interface Continued {
  /** The id of the open item. */
  readonly id: string;
  readonly dueAt?: Date;
  /** Passes once the new run has done its work. */
  readonly ended: (fixture: WorkflowFixture) => Promise<unknown>;
}

/** An open item of each kind that has a workflow. A kind without one does not compile. */
const CONTINUED: Readonly<Record<WorkflowKind, (old: WorkflowFixture) => Promise<Continued>>> = {
  async charge(old) {
    const charge = await insertPix(old, DAY);
    return {
      id: charge.id,
      ended: async (fixture) => expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID'),
    };
  },
  async checkout(old) {
    const checkout = await openCheckout(old);
    return {
      id: checkout.id,
      async ended(fixture) {
        await beginPayment(fixture, checkout, { method: 'CARD' });
        await eventually(async () =>
          expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PAID' }),
        );
      },
    };
  },
  async subscription(old) {
    const subscription = await insertSubscription(old, await old.now());
    return {
      id: subscription.id,
      ended: async (fixture) => expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED'),
    };
  },
  async payout(old) {
    await credit(old.database, { storeId: old.storeId, devMode: true }, 10_000);
    const payout = await askForPayout(old, 1_000);
    return {
      id: payout.id,
      ended: (fixture) =>
        eventually(async () => expect((await payoutOf(fixture, payout.id)).status).toBe('COMPLETE')),
    };
  },
  async debit(old) {
    const subscription = await insertSubscription(old, await old.now());
    const mandate = await insertMandate(old.database, subscription);
    const debit = await insertDebit(old.database, subscription, mandate);
    return {
      id: debit.id,
      async ended({ database: { em }, provider }) {
        const refused = { outcome: 'REFUSED', reason: 'closed' } as const;
        provider.mandates = { ...scriptedMandates(provider, []), instruct: async () => refused };
        await eventually(async () =>
          expect(await em.fork().findOneOrFail(DebitEntity, { id: debit.id })).toMatchObject({
            status: 'REFUSED',
          }),
        );
      },
    };
  },
  async settlement(old) {
    const charge = await insertBoleto(old, {
      dueDate: addDays(saoPauloDateOf(await old.now()), 9),
      interest: null,
      fine: null,
    });
    await notify(old, await mustPay(old, charge));
    const settlesAt = new Date(Date.now() - 48 * 60 * 60_000);
    const { database, storeId } = old;
    await database.em.fork().nativeUpdate(ChargeEntity, { id: charge.id }, { settlesAt });
    return {
      id: settlementWorkflowId(storeId, true, saoPauloDateOf(settlesAt)),
      dueAt: settlesAt,
      ended: ({ database: { em } }) =>
        eventually(async () => {
          const { settledAt } = await em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
          expect(settledAt).not.toBeNull();
        }),
    };
  },
  async delivery({ database, storeId, now }) {
    const { url } = sink.endpoint();
    const webhook = await insertWebhook(database, { storeId, endpoint: url, createdAt: await now() });
    const { id } = await insertDelivery(database, webhook, { createdAt: await now() });
    return {
      id,
      ended: (fixture) =>
        eventually(async () =>
          expect(await deliveryOf(fixture, { id })).toMatchObject({ status: 'DELIVERED' }),
        ),
    };
  },
  async resend(old) {
    const range = await failedRange(old, sink.endpoint().url, 3);
    return {
      id: range.id,
      ended: (fixture) =>
        eventually(async () =>
          expect(await resendOf(fixture, range)).toMatchObject({ status: 'DONE', resentCount: 3 }),
        ),
    };
  },
};

describe('a run of each kind that has begun', () => {
  const kinds = Object.keys(CONTINUED) as WorkflowKind[];
  const replaced = new Map<WorkflowKind, Continued & { readonly runId: string; runAfter?: string }>();
  let fixture: WorkflowFixture;

  beforeAll(async () => {
    await asOfAnEarlierGeneration();
    const old = await fixtureOf();
    const open = new Map<WorkflowKind, Continued>();
    for (const kind of kinds) open.set(kind, await CONTINUED[kind](old));
    await old.close();
    const environment = await connectToRealServer();
    const { client } = environment;
    const runs = new Map<WorkflowKind, WorkflowHandle>();
    for (const [kind, continued] of open) {
      // No worker takes the first task, and without a start delay it counts as begun.
      const { dueAt = null } = continued;
      const item = { kind, id: continued.id, storeId: before.storeId, devMode: true, dueAt };
      const start = (await startsOf(before, kind, [item])).get(continued.id);
      if (start === undefined) throw new Error(`a ${kind} has no start`);
      const run = await client.workflow.start(start.workflowType, { ...start.options, taskQueue: QUEUE });
      const { workflowId, firstExecutionRunId: runId } = run;
      runs.set(kind, client.workflow.getHandle(workflowId));
      replaced.set(kind, { ...continued, runId });
    }
    const listed = client.workflow.list({ query: `TaskQueue = '${QUEUE}' AND ExecutionStatus = 'Running'` });
    await eventually(async () => {
      const ids = new Set((await Array.fromAsync(listed)).map(({ runId }) => runId));
      for (const { runId } of replaced.values()) expect(ids).toContain(runId);
    });
    await replaceOldRuns(depsOf(client));
    for (const [kind, run] of replaced) run.runAfter = (await runs.get(kind)?.describe())?.runId ?? run.runId;
    await environment.teardown();
    fixture = await fixtureOf();
  });
  afterAll(() => fixture.close());

  it.each(kinds)('continues a %s in a new run', async (kind) => {
    const run = replaced.get(kind);
    if (run === undefined) throw new Error('it was not started');
    expect(run.runAfter).not.toBe(run.runId);
    await run.ended(fixture);
  });
});

it('continues in another process if one dies in the middle', async () => {
  const charges = await earlier((old) => Promise.all([begun(old), begun(old), begun(old)]));
  const environment = await connectToRealServer();
  const { client } = environment;
  const stop = new AbortController();
  const dying = dyingAfter(client, 1, () => stop.abort());
  await expect(replaceOldRuns(depsOf(dying), stop.signal)).rejects.toThrow();
  expect(await areRunsReplaced(before.database)).toBe(false);
  const half = await Promise.all(charges.map((charge) => runOf({ client }, charge)));
  await before.database.em.fork().execute('update workflow_generations set claimed_until = now()');
  await now(async (fixture) => {
    const whole = await Promise.all(charges.map((charge) => runOf(fixture, charge)));
    expect(whole.filter((runId) => half.includes(runId))).toHaveLength(1);
    for (const charge of charges) {
      await notify(fixture, await mustPay(fixture, charge));
      expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PAID' });
    }
  });
  await environment.teardown();
});

/**
 * A client whose starts fail after so many. The first failure waits until those have succeeded and then calls `die`. A process
 * that waits or retries for another reason lives on, so it always dies after the same number of starts.
 */
function dyingAfter(client: Client, starts: number, die: () => void): Client {
  const made = new Set<Promise<unknown>>();
  const start: Client['workflow']['start'] = async (...given) => {
    if (made.size === starts) {
      await Promise.all(made);
      die();
      throw new Error('the process died');
    }
    const run = client.workflow.start(...given);
    made.add(run);
    run.catch(() => made.delete(run));
    return run;
  };
  const workflow = Object.assign(Object.create(client.workflow), { start });
  return Object.create(client, { workflow: { value: workflow } });
}

it('replaces each run once if two processes start at the same time', async () => {
  const { charge, runId } = await earlier(async (old) => {
    const made = await begun(old);
    return { charge: made, runId: await runOf(old, made) };
  });
  const environment = await connectToRealServer();
  const deps = depsOf(environment.client);
  await Promise.all([replaceOldRuns(deps), replaceOldRuns(deps)]);
  const runs = environment.client.workflow.list({ query: `WorkflowId = 'charge/${charge.id}'` });
  await eventually(async () => {
    const ids: string[] = [];
    for await (const run of runs) ids.push(run.runId);
    expect(ids).toHaveLength(2);
    expect(ids).toContain(runId);
  });
  await environment.teardown();
});

it('recognises workers that still poll', async () => {
  await earlier(async (old) => {
    const minute = 60_000;
    expect(await arePolled(old.client, QUEUE, minute)).toBe(true);
    expect(await arePolled(old.client, 'nobody-polls-this', minute)).toBe(false);
  });
});

describe('a delivery has a promised attempt', () => {
  const asked = (eventId: number) => ({ name: 'resend', argument: undefined, eventId });
  const of = (resend: boolean, messages: number[], completed: number[]) =>
    hasPromisedAttempt({ input: { resend }, messages: messages.map(asked), completed });

  it.each([
    ['that its run was opened for', of(true, [], []), true],
    ['that was requested during an attempt', of(false, [8], [5]), true],
    ['but not if it was made', of(false, [8], [5, 12]), false],
    ['but not without a request', of(false, [], [5]), false],
  ])('%s', (_, isPromised, expected) => expect(isPromised).toBe(expected));
});
