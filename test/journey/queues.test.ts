import { expect, it } from '@jest/globals';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { dataOf } from '../support/api/api-client.ts';
import { advance } from '../support/fixtures/clock.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { spawnScript } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';

it('confirms payments without a deliveries worker and sends webhooks once one starts', async () => {
  await using deployment = await createDeployment();
  const { api } = await deployment.startApi();
  await using sink = await startWebhookSink();
  const endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url });
  await deployment.startWorker({}, ['--queues', 'payments,billing,dev']);
  const { id } = await buildPixCharge(api);
  const paid = await api.post(`/transparents/simulate-payment?id=${id}`);
  expect(paid).toMatchObject({ status: 200, json: { data: { status: 'PAID' } } });
  await eventually(async () => {
    const { json } = await api.get('/webhooks/deliveries');
    expect(json.data).toMatchObject([{ status: 'PENDING', attempts: [] }]);
  });
  expect(endpoint.received).toEqual([]);

  await deployment.startWorker({}, ['--queues', 'deliveries']);
  await endpoint.waitFor((received) => received.length === 1);
});

it('finishes runs of earlier releases in the single queue with payments workers', async () => {
  await using deployment = await createDeployment();
  const { temporal, env } = deployment;
  await using sink = await startWebhookSink();
  const endpoint = sink.endpoint();
  const [{ api }] = await Promise.all([
    deployment.startApi(),
    deployment.startWorker({}, ['--queues', 'payments,dev']),
  ]);
  await buildWebhook(api, { endpoint: endpoint.url });
  const { id } = await buildPixCharge(api);
  await api.post(`/transparents/simulate-payment?id=${id}`);
  const [delivery] = dataOf<{ id: string }[]>(await api.get('/v2/webhooks/deliveries'));
  const workflowId = `delivery/${delivery?.id}`;
  await eventually(() => temporal.workflow.getHandle(workflowId).terminate());
  await temporal.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
    workflowId,
    taskQueue: String(env.TEMPORAL_TASK_QUEUE),
    args: [{ deliveryId: delivery?.id, resend: false }],
  });
  await endpoint.waitFor((received) => received.length === 1);
  expect(await temporal.workflow.getHandle(workflowId).result()).toBe('DELIVERED');
});

it('runs charges and clocks of dev environments in a queue of their own', async () => {
  await using deployment = await createDeployment();
  const { temporal, env, storeId } = deployment;
  const [{ api }] = await Promise.all([
    deployment.startApi(),
    deployment.startWorker({}, ['--queues', 'dev']),
  ]);
  const { id } = await buildPixCharge(api);
  const paid = await api.post(`/transparents/simulate-payment?id=${id}`);
  expect(paid).toMatchObject({ status: 200, json: { data: { status: 'PAID' } } });
  await advance(api, { by: 'P2D' });
  for (const workflowId of [`charge/${id}`, `clock/${storeId}`]) {
    const { taskQueue } = await temporal.workflow.getHandle(workflowId).describe();
    expect(taskQueue).toBe(`${env.TEMPORAL_TASK_QUEUE}-dev`);
  }
});

it('shares queues fairly: charges by store, deliveries by endpoint', async () => {
  await using deployment = await createDeployment();
  const { temporal, storeId } = deployment;
  const [{ api }] = await Promise.all([
    deployment.startApi(),
    deployment.startWorker({}, ['--queues', 'payments,dev']),
  ]);
  const turnOf = async (workflowId: string) => {
    const { raw } = await temporal.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.priority?.fairnessKey;
  };
  const webhook = await buildWebhook(api);
  const { id } = await buildPixCharge(api);
  await api.post(`/transparents/simulate-payment?id=${id}`);
  expect(await turnOf(`charge/${id}`)).toBe(storeId);
  await eventually(async () => {
    const [delivery] = dataOf<{ id: string }[]>(await api.get('/v2/webhooks/deliveries'));
    expect(await turnOf(`delivery/${delivery?.id}`)).toBe(webhook.id);
  });
});

it('refuses to start a worker for an unknown queue, naming the known ones', async () => {
  await using deployment = await createDeployment();
  const worker = spawnScript('src/worker.ts', deployment.env, ['--queues', 'payments,webhooks']);
  expect(await worker.exited).not.toBe('0');
  expect(worker.output()).toContain('there is no "webhooks"; known are payments, billing, deliveries, dev');
});
