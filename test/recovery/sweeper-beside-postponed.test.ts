import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createStore } from '../../src/cli/stores.ts';
import type { Webhook } from '../../src/database/entities/webhook.ts';
import { UnattemptedDeliveries } from '../../src/recovery/sweep/start-unattempted.ts';
import { Sweeper } from '../../src/recovery/sweeper.ts';
import { StartPostponed } from '../../src/temporal/paced-starts.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

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

it.each([
  ['postponed', true],
  ['started one after the other', false],
])("finds other stores' webhooks however many of one store are %s", async (_, isPostponed) => {
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
        if (start.storeId !== webhook.storeId) started.push(start.id);
        else if (isPostponed) throw new StartPostponed();
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

it("restarts another store's lost run however many webhooks of one store wait", async () => {
  const waiting = (minutesAgo: number) => {
    const at = new Date(Date.now() - minutesAgo * 60_000);
    return { createdAt: at, workflowStartedAt: at };
  };
  for (let index = 0; index < 100; index += 1)
    await insertDelivery(test.database, webhook, waiting(200 - index));
  const { id } = await insertDelivery(test.database, await newWebhook(), waiting(3));
  const checked: string[] = [];
  const unattempted = new UnattemptedDeliveries({
    database: test.database,
    starter: { startOnly: async (start) => void checked.push(start.id) },
    log: SILENT_LOG,
  });
  await unattempted.startSome(new Date());
  expect(checked).toHaveLength(30);
  await unattempted.startSome(new Date());
  expect(checked).toContain(id);
  // The one of the other store, and thirty of all.
  expect(checked).toHaveLength(30 + 1 + 30);
});
