import { expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { dataOf } from '../support/api/api-client.ts';
import { notifiedChargesOf, startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import type { ServiceProcess } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { cutWaiting, holdRows, untilWaiting } from '../support/waiting/hold.ts';
import { allPaidOnce, talliesOf } from '../support/waiting/tallies.ts';

/** Temporal gives a task of a dead worker to another one after 10 seconds; then it has to run. */
const RECOVERY_MS = 90_000;

it('resends a webhook whose worker died while sending, and counts the payment once', async () => {
  await using deployment = await createDeployment();
  const { api } = await deployment.startApi();
  let worker: ServiceProcess | undefined = await deployment.startWorker();
  await using sink = await startWebhookSink();
  const endpoint = sink.endpoint(async () => {
    await worker?.kill();
    worker = undefined;
    return 200;
  });
  await buildWebhook(api, { endpoint: endpoint.url });
  const { id } = await buildPixCharge(api);

  const paid = await api.post(`/v2/transparents/simulate-payment?id=${id}`);
  expect(dataOf(paid)).toMatchObject({ status: 'PAID' });
  await eventually(() => expect(worker).toBeUndefined());
  expect(await talliesOf(deployment.database)).toEqual({ ...allPaidOnce(1), deliveries: { PENDING: 1 } });

  await deployment.startWorker();
  await eventually(
    async () => expect(await talliesOf(deployment.database)).toEqual(allPaidOnce(1)),
    RECOVERY_MS,
  );
  expect(endpoint.received.length).toBe(2);
  expect(new Set(endpoint.received.map((webhook) => webhook.headers['webhook-id'])).size).toBe(1);
  expect(new Set(endpoint.received.map((webhook) => webhook.body)).size).toBe(1);
});

it('pays each of thirty charges once if the worker dies during their payments', async () => {
  await using deployment = await createDeployment();
  const { database } = deployment;
  const { api } = await deployment.startApi();
  const worker = await deployment.startWorker();
  await using sink = await startWebhookSink();
  const isDead = Promise.withResolvers<number>();
  const endpoint = sink.endpoint(() => isDead.promise);
  await buildWebhook(api, { endpoint: endpoint.url });
  const charges = await Promise.all(Array.from({ length: 30 }, () => buildPixCharge(api)));
  const ids = charges.map(({ id }) => id);
  await eventually(async () =>
    expect(await database.em.fork().count(ChargeEntity, { workflowStartedAt: null })).toBe(0),
  );

  // The webhooks of half are being sent; the payments of the other half are being stored.
  const pay = (id: string) => api.post(`/v2/transparents/simulate-payment?id=${id}`);
  const answers = ids.slice(0, 15).map(pay);
  await endpoint.waitFor((received) => received.length === 15);
  await using held = await holdRows(database, 'charges', ids.slice(15));
  answers.push(...ids.slice(15).map(pay));
  await untilWaiting(database, 15);
  await worker.kill();
  expect(await talliesOf(database)).toEqual({
    charges: { PAID: 15, PENDING: 15 },
    payments: { ACCEPTED: 15 },
    events: 15,
    deliveries: { PENDING: 15 },
  });
  await cutWaiting(database, 7);
  await held.release();
  isDead.resolve(200);

  await deployment.startWorker();
  await eventually(async () => expect(await talliesOf(database)).toEqual(allPaidOnce(30)), RECOVERY_MS);
  expect(notifiedChargesOf(endpoint.received)).toEqual(new Set(ids));
  // 503 if the confirmation took too long.
  for (const { status } of await Promise.all(answers)) expect([200, 503]).toContain(status);
});
