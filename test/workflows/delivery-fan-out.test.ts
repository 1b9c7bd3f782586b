import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import type { Database } from '../../src/database/orm.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { BusyEnvironments } from '../../src/temporal/busy-environments.ts';
import { deliveryWorkflowStart } from '../../src/temporal/delivery.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

const NOW = new Date();
const STORE: StoreId = mintId('store', NOW);
const OTHER: StoreId = mintId('store', NOW);
const ENDPOINTS = 40;

/** A Temporal server that answers a start when the test says so. */
class SlowTemporal {
  readonly #answers: (() => void)[] = [];
  #answersAtOnce: boolean = false;
  started = 0;

  readonly client = {
    withDeadline: (_untilMs: number, run: () => Promise<unknown>) => run(),
    workflow: {
      start: () => {
        this.started += 1;
        if (this.#answersAtOnce) return Promise.resolve();
        return new Promise<void>((resolve) => this.#answers.push(resolve));
      },
    },
  } as unknown as Client;

  answer(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }

  answerAll(): void {
    this.#answersAtOnce = true;
    this.answer();
  }
}

const deliveries = () =>
  Array.from({ length: ENDPOINTS }, () =>
    deliveryWorkflowStart({
      deliveryId: mintId('delivery', NOW),
      webhookId: mintId('webhook', NOW),
      storeId: STORE,
      devMode: true,
      eventName: 'transparent.completed',
    }),
  );

function starterBeside(database: Database, others: readonly StoreId[]) {
  const temporal = new SlowTemporal();
  const busy = new BusyEnvironments();
  for (const storeId of others) busy.note({ storeId, devMode: true });
  const queues = 'no-worker-polls-it';
  return { temporal, starter: new WorkflowStarter(temporal.client, queues, database, SILENT_LOG, busy) };
}

it('starts five webhooks of an event at once beside other stores, then one by one', async () => {
  await using cleanup = new AsyncDisposableStack();
  const rows = await createTestDatabase();
  cleanup.defer(() => rows.drop());
  const { temporal, starter } = starterBeside(rows.database, [OTHER]);
  const starts = deliveries().map((start) => starter.startDelivery(start));
  await setImmediate();
  expect(temporal.started).toBe(5);
  for (let expected = 6; expected <= 8; expected += 1) {
    temporal.answer();
    await waitFor(() => temporal.started === expected);
  }
  temporal.answerAll();
  await Promise.all(starts);
  await starter.close();
});

it('starts all webhooks of an event at once if no other store is busy', async () => {
  await using cleanup = new AsyncDisposableStack();
  const rows = await createTestDatabase();
  cleanup.defer(() => rows.drop());
  const { temporal, starter } = starterBeside(rows.database, []);
  const starts = deliveries().map((start) => starter.startDelivery(start));
  await setImmediate();
  expect(temporal.started).toBe(ENDPOINTS);
  temporal.answerAll();
  await Promise.all(starts);
  await starter.close();
});
