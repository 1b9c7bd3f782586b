import { expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { openDatabase } from '../../src/database/orm.ts';
import { notifiedChargesOf, startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { startMortalPostgres } from '../support/servers/mortal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { holdRows, untilWaiting } from '../support/waiting/hold.ts';
import { allPaidOnce, talliesOf } from '../support/waiting/tallies.ts';

/** Activities are retried after at most 30 seconds, sooner after a short outage. */
const RECOVERY_MS = 90_000;

it('pays and notifies each charge once after kill -9 of Postgres during payments', async () => {
  const count = 20;
  await using postgres = await startMortalPostgres();
  const database = await openDatabase(postgres.url, 4);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.close(true));
  await using deployment = await createDeployment({ database: { url: postgres.url, database } });
  const [{ api, process: server }, worker] = await Promise.all([
    deployment.startApi(),
    deployment.startWorker(),
  ]);
  await using sink = await startWebhookSink();
  const isDead = Promise.withResolvers<number>();
  const endpoint = sink.endpoint(() => isDead.promise);
  await buildWebhook(api, { endpoint: endpoint.url });
  const charges = await Promise.all(Array.from({ length: count }, () => buildPixCharge(api)));
  const ids = charges.map(({ id }) => id);
  await eventually(async () =>
    expect(await database.em.fork().count(ChargeEntity, { workflowStartedAt: null })).toBe(0),
  );

  // The webhooks of half are being sent; the payments of the other half are being stored.
  const pay = (id: string) => api.post(`/v2/transparents/simulate-payment?id=${id}`);
  const first = ids.slice(0, count / 2).map(pay);
  await endpoint.waitFor((received) => received.length === count / 2);
  // Its own pool is never closed: its only connection is lost within a transaction, and closing would wait
  // for it.
  await holdRows(await openDatabase(postgres.url, 1), 'charges', ids.slice(count / 2));
  first.push(...ids.slice(count / 2).map(pay));
  await untilWaiting(database, count / 2);
  await postgres.kill();
  isDead.resolve(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(503);
  const statuses = (await Promise.all(first)).map(({ status }) => status);
  for (const status of statuses) expect([200, 500, 503]).toContain(status);

  await postgres.restart();
  // Clients retry the requests that failed, as payers do.
  await eventually(async () => {
    const answers = await Promise.all(ids.map(pay));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  }, RECOVERY_MS);
  await eventually(async () => expect(await talliesOf(database)).toEqual(allPaidOnce(count)), RECOVERY_MS);
  expect(notifiedChargesOf(endpoint.received)).toEqual(new Set(ids));
  // The API and the worker survived the outage.
  expect(await Promise.race([server.exited, worker.exited, 'running'])).toBe('running');
});
