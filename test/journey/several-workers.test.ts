import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Database } from '../../src/database/orm.ts';
import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { auditorScheduleId } from '../../workflows/auditor.contract.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import {
  type Endpoint,
  notifiedChargesOf,
  startWebhookSink,
  type WebhookSink,
} from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import type { ServiceProcess } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { hold, holdRows, untilWaiting } from '../support/waiting/hold.ts';
import { allPaidOnce, talliesOf } from '../support/waiting/tallies.ts';

/** Nothing listens there, so a charge's start cannot have happened before its API is killed. */
const NO_TEMPORAL = { TEMPORAL_ADDRESS: '127.0.0.1:9' };

/** A sweep skips rows younger than five seconds, runs every two seconds and starts hundreds at once. */
const SWEEP_MS = 90_000;

/** The shortest time that an orchestrator waits before it kills. */
const GRACE_MS = 8_000;

it('starts workflows of a dead API once with two sweeping workers', async () => {
  await using deployment = await createDeployment();
  const { api, process: doomed } = await deployment.startApi(NO_TEMPORAL);
  await using sink = await startWebhookSink();
  const endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url });
  const paid = await Promise.all(Array.from({ length: 25 }, () => buildPixCharge(api)));
  // More than one sweep handles, so that both workers find some.
  const unpaid = await Promise.all(Array.from({ length: 225 }, () => buildPixCharge(api)));
  await doomed.kill();
  expect(await unstarted(deployment.database)).toBe(250);
  await payAtTheBank(
    deployment.database,
    paid.map(({ id }) => id),
  );

  // Their first sweeps start at the same time.
  await using held = await hold(deployment.database, 'lock table charges in access exclusive mode');
  await Promise.all([deployment.startWorker(), deployment.startWorker()]);
  await untilWaiting(deployment.database, 2);
  await held.release();
  await eventually(async () => {
    expect(await talliesOf(deployment.database)).toEqual({
      ...allPaidOnce(25),
      charges: { PAID: 25, PENDING: 225 },
    });
    expect(await unstarted(deployment.database)).toBe(0);
    const started = await workflowIdsOf(deployment);
    expect(started).toHaveLength(250);
    expect(new Set(started)).toEqual(new Set([...paid, ...unpaid].map(({ id }) => `charge/${id}`)));
  }, SWEEP_MS);
  expect(notifiedChargesOf(endpoint.received)).toEqual(new Set(paid.map(({ id }) => id)));
  // The workers have also scheduled the audits that find later losses.
  const { temporal, env } = deployment;
  const schedule = temporal.schedule.getHandle(auditorScheduleId(String(env.TEMPORAL_TASK_QUEUE)));
  await eventually(async () => expect(await schedule.describe()).toMatchObject({ state: { paused: false } }));
  await schedule.delete();
});

describe('processes that are asked to stop', () => {
  let deployment: Deployment;
  let sink: WebhookSink;
  let api: ApiClient;
  let server: ServiceProcess;
  let worker: ServiceProcess;
  let endpoint: Endpoint;
  const answer = Promise.withResolvers<number>();

  beforeAll(async () => {
    [deployment, sink] = await Promise.all([createDeployment(), startWebhookSink()]);
    [{ api, process: server }, worker] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    endpoint = sink.endpoint(() => answer.promise);
    await buildWebhook(api, { endpoint: endpoint.url });
  });
  afterAll(async () => {
    await deployment[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });

  it('finishes the webhook in flight before a worker stops, and sends it only once', async () => {
    const { id } = await buildPixCharge(api);
    await api.post(`/v2/transparents/simulate-payment?id=${id}`);
    await endpoint.waitFor((received) => received.length === 1);

    const ended = worker.terminate();
    await eventually(() => expect(worker.output()).toContain('worker stopping'));
    const answeredAtMs = performance.now();
    answer.resolve(200);
    expect(await ended).toBe('exit code 0');
    expect(performance.now() - answeredAtMs).toBeLessThan(GRACE_MS);

    await deployment.startWorker();
    await eventually(async () => expect(await talliesOf(deployment.database)).toEqual(allPaidOnce(1)));
    expect(endpoint.received.length).toBe(1);
  });

  it('answers requests in flight before an API process stops', async () => {
    const count = 10;
    const { database } = deployment;
    const charges = await Promise.all(Array.from({ length: count }, () => buildPixCharge(api)));
    const ids = charges.map(({ id }) => id);
    await eventually(async () => expect(await unstarted(database)).toBe(0));

    await using held = await holdRows(database, 'charges', ids);
    const answers = Promise.all(ids.map((id) => api.post(`/v2/transparents/simulate-payment?id=${id}`)));
    await untilWaiting(database, count);
    const ended = server.terminate();
    await eventually(() => expect(takesConnections(api.url)).resolves.toBe(false));
    await held.release();
    const heldUntilMs = performance.now();
    expect((await answers).map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(await ended).toBe('exit code 0');
    expect(performance.now() - heldUntilMs).toBeLessThan(GRACE_MS);
    await eventually(async () => expect(await talliesOf(database)).toEqual(allPaidOnce(count + 1)));
  });
});

/** Whether a process listens at the address. */
function takesConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

async function unstarted(database: Database): Promise<number> {
  return database.em.fork().count(ChargeEntity, { workflowStartedAt: null });
}

async function workflowIdsOf({ temporal, storeId }: Deployment): Promise<string[]> {
  const query = `WorkflowType = 'charge' AND StoreId = '${storeId}'`;
  const found = await Array.fromAsync(temporal.workflow.list({ query }));
  return found.map(({ workflowId }) => workflowId).sort();
}

/** Pays at a bank that cannot notify Recebe: a worker must poll for its notifications. */
async function payAtTheBank(database: Database, chargeIds: readonly string[]): Promise<void> {
  const bank = new SandboxBank(database);
  const charges = await database.em.fork().find(ChargeEntity, { id: { $in: chargeIds as never } });
  const payer = { name: null, taxId: null };
  for (const { providerReference: reference, amountCents } of charges) {
    await bank.pay({ reference, amountCents, paidAt: new Date(), payer, metadata: null });
  }
}
