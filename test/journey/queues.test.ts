import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { advance } from '../support/fixtures/clock.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { spawnScript } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';

let deployment: Deployment;
let sink: WebhookSink;
let api: ApiClient;
let endpoint: Endpoint;
let webhookId: string;

// Nothing takes the queue of deliveries until a test starts a worker for it.
beforeAll(async () => {
  [deployment, sink] = await Promise.all([createDeployment(), startWebhookSink()]);
  [{ api }] = await Promise.all([
    deployment.startApi(),
    deployment.startWorker({}, ['--queues', 'payments,billing,dev']),
  ]);
  endpoint = sink.endpoint();
  ({ id: webhookId } = await buildWebhook(api, { endpoint: endpoint.url }));
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

/** A charge that is paid, and its delivery. */
async function paidCharge() {
  const { id } = await buildPixCharge(api);
  const paid = await api.post(`/transparents/simulate-payment?id=${id}`);
  expect(paid).toMatchObject({ status: 200, json: { data: { status: 'PAID' } } });
  const [delivery] = dataOf<{ id: string }[]>(await api.get('/v2/webhooks/deliveries'));
  return { id, deliveryId: `delivery/${delivery?.id}` };
}

const isReceived = (id: string) => endpoint.received.some(({ body }) => body.includes(id));

it('shares queues fairly: charges by store, deliveries by endpoint', async () => {
  const turnOf = async (workflowId: string) => {
    const { raw } = await deployment.temporal.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.priority?.fairnessKey;
  };
  const { id, deliveryId } = await paidCharge();
  expect(await turnOf(`charge/${id}`)).toBe(deployment.storeId);
  await eventually(async () => expect(await turnOf(deliveryId)).toBe(webhookId));
});

it('finishes runs of earlier releases in the single queue with payments workers', async () => {
  const { temporal, env } = deployment;
  const { id, deliveryId: workflowId } = await paidCharge();
  await eventually(() => temporal.workflow.getHandle(workflowId).terminate());
  await temporal.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
    workflowId,
    taskQueue: String(env.TEMPORAL_TASK_QUEUE),
    args: [{ deliveryId: workflowId.replace('delivery/', ''), resend: false }],
  });
  await endpoint.waitFor(() => isReceived(id));
  expect(await temporal.workflow.getHandle(workflowId).result()).toBe('DELIVERED');
});

it('confirms payments without a deliveries worker and sends webhooks once one starts', async () => {
  const { id } = await paidCharge();
  const { json } = await api.get('/webhooks/deliveries');
  expect(Object(json.data)[0]).toMatchObject({ status: 'PENDING', attempts: [] });
  expect(isReceived(id)).toBe(false);
  await deployment.startWorker({}, ['--queues', 'deliveries']);
  await endpoint.waitFor(() => isReceived(id));
});

it('runs charges and clocks of dev environments in a queue of their own', async () => {
  const { temporal, env, storeId } = deployment;
  const { id } = await paidCharge();
  await advance(api, { by: 'P2D' });
  for (const workflowId of [`charge/${id}`, `clock/${storeId}`]) {
    const { taskQueue } = await temporal.workflow.getHandle(workflowId).describe();
    expect(taskQueue).toBe(`${env.TEMPORAL_TASK_QUEUE}-dev`);
  }
});

it('refuses to start a worker for an unknown queue, naming the known ones', async () => {
  const worker = spawnScript('src/worker.ts', deployment.env, ['--queues', 'payments,webhooks']);
  expect(await worker.exited).not.toBe('0');
  expect(worker.output()).toContain('there is no "webhooks"; known are payments, billing, deliveries, dev');
});
