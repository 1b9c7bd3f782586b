import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { mintId } from '../../src/ids.ts';
import { deliveryWorkflowStart } from '../../src/temporal/delivery.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { TcpProxy } from '../support/servers/tcp-proxy.ts';

/** No worker polls this queue. */
const TASK_QUEUE = 'starts-that-hang';

/** More starts than may run at the same time. */
const STARTS = 20;
/** Twice five seconds, for the running starts and for the waiting ones, plus a margin for a busy machine. */
const MOST_MS = 14_000;

let rows: Awaited<ReturnType<typeof createTestDatabase>>;
/** The network between the service and Temporal. */
let network: TcpProxy;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  rows = await createTestDatabase();
  const [, port] = (process.env.RECEBE_TEST_TEMPORAL_ADDRESS ?? '').split(':');
  network = await TcpProxy.start(Number(port));
  connection = await Connection.connect({ address: `127.0.0.1:${network.port}` });
  client = new Client({ connection });
});

afterAll(async () => {
  await connection.close();
  await network[Symbol.asyncDispose]();
  await rows.drop();
});

function someStart() {
  const now = new Date();
  return deliveryWorkflowStart({
    deliveryId: mintId('delivery', now),
    webhookId: mintId('webhook', now),
    storeId: mintId('store', now),
    devMode: true,
    eventName: 'transparent.completed',
  });
}

it('frees the places of unanswered starts after five seconds', async () => {
  const starter = new WorkflowStarter(client, TASK_QUEUE, rows.database, SILENT_LOG);
  network.swallow();
  const beganMs = performance.now();
  const starts = Array.from({ length: STARTS }, () => starter.startOnly(someStart()));
  const outcomes = await Promise.allSettled(starts).finally(() => network.flow());
  const tookMs = performance.now() - beganMs;
  expect(outcomes.map(({ status }) => status)).toEqual(Array(STARTS).fill('rejected'));
  expect(tookMs).toBeLessThan(MOST_MS);

  const answered = someStart();
  await starter.startOnly(answered);
  const handle = client.workflow.getHandle(answered.options.workflowId);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await handle.terminate();
  await starter.close();
});
