import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { createStore } from '../../src/cli/stores.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { hasPromisedAttempt } from '../../src/recovery/generation/delivery-successor.ts';
import { areRunsReplaced } from '../../src/recovery/generation/generation-row.ts';
import { arePolled } from '../../src/recovery/generation/old-runs.ts';
import { type ReplaceDeps, replaceOldRuns } from '../../src/recovery/generation/replace-runs.ts';
import { chargeStart } from '../../src/temporal/charge.ts';
import { CHARGE_WORKFLOW, chargeWorkflowId, lookUpPaymentSignal } from '../../workflows/charge.contract.ts';
import { mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf } from '../support/fixtures/checkouts.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { deliveryOf, type SentDelivery, send } from '../support/rows/deliveries.ts';
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
beforeEach(async () => {
  const em = before.database.em.fork();
  await em.execute(
    'update workflow_generations set done_at = null, began_at = null, claimed_by = null, claimed_until = null',
  );
});

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
  return charge;
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

it('continues in another process if one dies in the middle', async () => {
  const charges = await earlier((old) => Promise.all([begun(old), begun(old), begun(old)]));
  const environment = await connectToRealServer();
  const { client } = environment;
  const stop = new AbortController();
  const log = Object.assign(Object.create(SILENT_LOG), { warn: () => stop.abort() });
  await expect(replaceOldRuns({ ...depsOf(dyingAfter(client, 1)), log }, stop.signal)).rejects.toThrow();
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

/** A client whose starts fail after so many. */
function dyingAfter(client: Client, starts: number): Client {
  let left = starts;
  const start: Client['workflow']['start'] = (...given) => {
    left -= 1;
    if (left < 0) throw new Error('the process died');
    return client.workflow.start(...given);
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
