import { expect, it } from '@jest/globals';
import { dataOf } from '../support/api-client.ts';
import { buildPixCharge, buildWebhook } from '../support/build.ts';
import { createDeployment } from '../support/deployment.ts';
import { eventually } from '../support/eventually.ts';
import { startMortalTemporal } from '../support/mortal-servers.ts';
import { allPaidOnce, talliesOf } from '../support/tallies.ts';
import { startWebhookSink } from '../support/webhook-sink.ts';
import { chargesToldOf } from '../support/webhooks-received.ts';

/** Clients and workers reconnect within seconds; tasks that were out are given out again after ten. */
const RECOVERY_MS = 40_000;

/** The ten seconds a request waits for a workflow, and a moment for a busy machine. */
const PATIENCE_OF_A_REQUEST_MS = 12_000;

it('kill -9 of Temporal while charges are created and paid loses nothing and doubles nothing', async () => {
  const count = 20;
  await using temporal = await startMortalTemporal();
  await using deployment = await createDeployment({ temporalAddress: temporal.address });
  const [{ api }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  await using sink = await startWebhookSink();
  const endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url });

  const paying = Array.from({ length: count }, async () => {
    const { id } = await buildPixCharge(api);
    return (await api.post(`/v2/transparents/simulate-payment?id=${id}`)).status;
  });
  await endpoint.waitFor((received) => received.length > 0);
  await temporal.kill();

  const latecomer = await buildPixCharge(api);
  const askedAtMs = performance.now();
  const refused = await api.post(`/v2/transparents/simulate-payment?id=${latecomer.id}`);
  expect(performance.now() - askedAtMs).toBeLessThan(PATIENCE_OF_A_REQUEST_MS);
  expect(refused).toMatchObject({ status: 503, json: { code: 'TEMPORARILY_UNAVAILABLE' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(dataOf(await api.get(`/v2/transparents/check?id=${latecomer.id}`))).toMatchObject({
    status: 'PENDING',
  });
  // Every charge was created; its payer's bank was told at once or will be asked again.
  for (const status of await Promise.all(paying)) expect([200, 503]).toContain(status);

  await temporal.restart();
  const all = allPaidOnce(count + 1);
  await eventually(async () => expect(await talliesOf(deployment.database)).toEqual(all), RECOVERY_MS);
  expect(chargesToldOf(endpoint.received).size).toBe(count + 1);
});

it('charges created while Temporal is down are answered, and their workflows exist soon after it is back', async () => {
  await using temporal = await startMortalTemporal();
  await using deployment = await createDeployment({ temporalAddress: temporal.address });
  const [{ api }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
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
