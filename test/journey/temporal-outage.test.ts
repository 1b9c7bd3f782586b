import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { notifiedChargesOf, startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { startMortalTemporal } from '../support/servers/mortal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { holdRows, untilWaiting } from '../support/waiting/hold.ts';
import { allPaidOnce, talliesOf } from '../support/waiting/tallies.ts';

/** Clients and workers reconnect within seconds; tasks that were out are given out again after ten. */
const RECOVERY_MS = 90_000;

/** The five seconds that a request waits for a workflow, plus the delay of a busy machine. */
const PATIENCE_OF_A_REQUEST_MS = 12_000;

let temporal: Awaited<ReturnType<typeof startMortalTemporal>>;
let deployment: Deployment;
let api: ApiClient;

beforeAll(async () => {
  temporal = await startMortalTemporal();
  deployment = await createDeployment({ temporalAddress: temporal.address });
  [{ api }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await temporal[Symbol.asyncDispose]();
});

it('loses and duplicates no payment after kill -9 of Temporal', async () => {
  const count = 10;
  const { database } = deployment;
  await using sink = await startWebhookSink();
  const isDead = Promise.withResolvers<number>();
  const endpoint = sink.endpoint(() => isDead.promise);
  await buildWebhook(api, { endpoint: endpoint.url });
  const some = async () =>
    (await Promise.all(Array.from({ length: count }, () => buildPixCharge(api)))).map(({ id }) => id);
  const [sending, storing] = [await some(), await some()];
  await eventually(async () =>
    expect(await database.em.fork().count(ChargeEntity, { workflowStartedAt: null })).toBe(0),
  );

  // When Temporal is killed, some payments are being sent as webhooks, some are being stored, and some
  // are anywhere between the charge's creation and that.
  const pay = async (id: string) => (await api.post(`/v2/transparents/simulate-payment?id=${id}`)).status;
  const paying = sending.map(pay);
  await endpoint.waitFor((received) => received.length === count);
  await using held = await holdRows(database, 'charges', storing);
  paying.push(...storing.map(pay));
  await untilWaiting(database, count);
  paying.push(...Array.from({ length: count }, async () => pay((await buildPixCharge(api)).id)));
  await temporal.kill();
  await held.release();
  isDead.resolve(200);

  const latecomer = await buildPixCharge(api);
  const askedAtMs = performance.now();
  const refused = await api.post(`/v2/transparents/simulate-payment?id=${latecomer.id}`);
  expect(performance.now() - askedAtMs).toBeLessThan(PATIENCE_OF_A_REQUEST_MS);
  expect(refused).toMatchObject({ status: 503, json: { code: 'TEMPORARILY_UNAVAILABLE' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(dataOf(await api.get(`/v2/transparents/check?id=${latecomer.id}`))).toMatchObject({
    status: 'PENDING',
  });
  // Every charge was created, and each payment was confirmed at once or will be polled again.
  for (const status of await Promise.all(paying)) expect([200, 503]).toContain(status);

  await temporal.restart();
  const all = allPaidOnce(3 * count + 1);
  await eventually(async () => expect(await talliesOf(database)).toEqual(all), RECOVERY_MS);
  expect(notifiedChargesOf(endpoint.received).size).toBe(3 * count + 1);
});

it('creates charges while Temporal is down and starts their workflows afterwards', async () => {
  await temporal.kill();

  const lasting = await Promise.all(Array.from({ length: 10 }, () => buildPixCharge(api)));
  const brief = await buildPixCharge(api, { expiresIn: 1 });
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  await eventually(() => expect(Date.parse(brief.expiresAt)).toBeLessThan(Date.now()));
  expect(dataOf(await api.get(`/v2/transparents/check?id=${brief.id}`))).toMatchObject({ status: 'PENDING' });

  await temporal.restart();
  const running = `WorkflowType = 'charge' AND StoreId = '${deployment.storeId}' AND \`Status\` = 'PENDING'`;
  await eventually(async () => {
    expect(await talliesOf(deployment.database)).toMatchObject({ charges: { PENDING: 10, EXPIRED: 1 } });
    const found = await Array.fromAsync(deployment.temporal.workflow.list({ query: running }));
    expect(found.map(({ workflowId }) => workflowId).sort()).toEqual(
      lasting.map(({ id }) => `charge/${id}`).sort(),
    );
  }, RECOVERY_MS);
});
