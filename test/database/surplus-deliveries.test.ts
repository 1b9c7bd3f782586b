import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createStore } from '../../src/cli/stores.ts';
import { deliveriesToStart } from '../../src/database/delivery-to-start.ts';
import type { Webhook } from '../../src/database/entities/webhook.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { BusyEnvironments } from '../../src/temporal/busy-environments.ts';
import { deliveryWorkflowStart } from '../../src/temporal/delivery.ts';
import { StartPostponed } from '../../src/temporal/paced-starts.ts';
import { Sweeper } from '../../src/temporal/sweeper.ts';
import type { WorkflowStart } from '../../src/temporal/workflow-start.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

/** The share of an environment, in a second. */
const SHARE = 20;
const OTHER = { storeId: 'store_other', devMode: true };

let test: TestDatabase;
let webhook: Webhook;
beforeAll(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  await test.database.em.fork().execute('delete from deliveries');
  webhook = await newWebhook();
});
afterAll(() => test.drop());

async function newWebhook(): Promise<Webhook> {
  const store = { name: 'Loja', city: 'SAO PAULO' };
  const { id: storeId } = await createStore(test.database.em.fork(), store, new Date());
  return insertWebhook(test.database, { storeId });
}

/** As an activity has written them: marked as started, and about to be. */
async function written(count: number): Promise<WorkflowStart[]> {
  const ids: DeliveryId[] = [];
  while (ids.length < count) ids.push((await insertDelivery(test.database, webhook)).id);
  return (await deliveriesToStart(test.database.em.fork(), ids)).map(deliveryWorkflowStart);
}

/** A starter for a Temporal that takes its time, until `answer`, and the ids that it was asked to start. */
function slowTemporal(busy: BusyEnvironments) {
  const asked: string[] = [];
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      start: (_: string, { workflowId }: { workflowId: string }) => {
        asked.push(workflowId);
        return promise;
      },
    },
  } as unknown as Client;
  return { asked, answer, starter: new WorkflowStarter(client, 'test', test.database, SILENT_LOG, busy) };
}

async function unstarted(): Promise<number> {
  const [row] = await test.database.em
    .fork()
    .execute<{ count: number }[]>(
      'select count(*)::int as count from deliveries where workflow_started_at is null',
    );
  return row?.count ?? 0;
}

it('webhooks beyond the share are left to the sweeper while others are busy', async () => {
  const busy = new BusyEnvironments();
  busy.note(OTHER);
  const { asked, answer, starter } = slowTemporal(busy);
  const starts = await written(SHARE + 30);
  const settled = starts.map((start) => starter.startDelivery(start));
  // Those beyond the share are not waited for.
  await Promise.all(settled.slice(SHARE));
  // One lane, or few on a larger machine, has begun with what is beyond the share.
  expect(asked.length).toBeGreaterThan(SHARE);
  expect(asked.length).toBeLessThan(SHARE + 30);
  answer();
  await Promise.all(settled);
  await starter.close();
  expect(await unstarted()).toBe(SHARE + 30 - asked.length);
});

it('all webhooks are started at once while nobody else is busy', async () => {
  const { asked, answer, starter } = slowTemporal(new BusyEnvironments());
  const settled = (await written(SHARE + 30)).map((start) => starter.startDelivery(start));
  expect(asked).toHaveLength(SHARE + 30);
  answer();
  await Promise.all(settled);
  await starter.close();
  expect(await unstarted()).toBe(0);
});

it('the sweeper finds webhooks of others however many of one store give way', async () => {
  const old = (secondsAgo: number) => ({
    createdAt: new Date(Date.now() - secondsAgo * 1_000),
    workflowStartedAt: null,
  });
  for (let index = 0; index < 300; index += 1) await insertDelivery(test.database, webhook, old(500 - index));
  const { id } = await insertDelivery(test.database, await newWebhook(), old(100));
  const started: string[] = [];
  const sweeper = new Sweeper({
    client: { withDeadline: (_, call) => call() } as Client,
    database: test.database,
    starter: {
      startOnly: async (start) => {
        if (start.storeId === webhook.storeId) throw new StartPostponed();
        started.push(start.id);
      },
    },
    chargeUpdates: { isSendingBack: async () => false, refund: async () => 'REFUNDED' },
    notices: [],
    clocks: NO_CLOCKS,
    log: SILENT_LOG,
  });
  // One look at the oldest, and one that leaves their store out.
  for (let look = 0; look < 2; look += 1) await sweeper.sweep(new Date());
  expect(started).toEqual([id]);
});
