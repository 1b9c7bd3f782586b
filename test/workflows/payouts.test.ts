import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createPayoutActivities } from '../../activities/payouts.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import type { Payout } from '../../src/database/entities/payout.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { PayoutKind } from '../../src/domain/payout.ts';
import { Sweeper } from '../../src/recovery/sweeper.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { payoutStateQuery, payoutWorkflowId } from '../../workflows/payout.contract.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { chargeUpdates } from '../support/fixtures/charges.ts';
import { historiesOf } from '../support/fixtures/histories.ts';
import { balance, payoutOf, startPayout } from '../support/fixtures/money.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { onlyInDevelopment } from '../support/outside/providers.ts';
import type { Endpoint } from '../support/outside/webhook-sink.ts';
import { credit } from '../support/rows/credit.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const ANA = { type: 'EMAIL', key: 'ana@example.com' } as const;
const MINUTE_MS = 60_000;

let fixture: SubscribedFixture;
let endpoint: Endpoint;
/** The store's balance before each test. */
let availableCents: number;

beforeAll(async () => {
  fixture = await createSubscribedFixture();
  const { database, storeId } = fixture;
  const events = ['payout.completed', 'payout.failed', 'transfer.completed', 'transfer.failed'] as const;
  endpoint = await fixture.listen({ events: [...events] });
  await credit(database, { storeId, devMode: true }, 1_000_000);
});
beforeEach(async () => {
  ({ availableCents } = await balance(fixture));
  // A store may request one payout per minute.
  await fixture.environment.sleep(MINUTE_MS);
});
afterAll(() => fixture.close());

const payout = () => askForPayout(fixture, 2_500);
const transfer = () => askForPayout(fixture, 2_500, { kind: 'TRANSFER', destination: ANA });

async function end(row: Payout) {
  return (await startPayout(fixture, row)).result();
}

/** Status, events, movements and cost of a payout, in a form that a test can compare at a glance. */
async function recordOf({ id }: Payout) {
  const em = fixture.database.em.fork();
  const { status, endToEndIdentifier, failureReason } = await payoutOf(fixture, id);
  const events = await em.find(EventEntity, { key: { $like: `%/${id}` } });
  const movements = await em.execute<{ kind: string }[]>(
    'select kind from ledger_movements where subject_id = ? order by kind',
    [id],
  );
  const spentCents = availableCents - (await balance(fixture)).availableCents;
  return {
    status,
    reason: failureReason,
    hasIdentifier: endToEndIdentifier !== null,
    events: events.map(({ name }) => name),
    movements: movements.map(({ kind }) => kind),
    spentCents,
  };
}

const completed = (kind: PayoutKind) => ({
  status: 'COMPLETE',
  reason: null,
  hasIdentifier: true,
  events: [kind === 'PAYOUT' ? 'payout.completed' : 'transfer.completed'],
  movements: ['PAYOUT_COMPLETED', 'PAYOUT_RESERVED'],
  spentCents: 2_500,
});
const failed = (kind: PayoutKind, reason: string) => ({
  status: 'FAILED',
  reason,
  hasIdentifier: false,
  events: [kind === 'PAYOUT' ? 'payout.failed' : 'transfer.failed'],
  movements: ['PAYOUT_FAILED', 'PAYOUT_RESERVED'],
  spentCents: 0,
});

/** The requests that the provider received for this payout. */
const askedFor = ({ id }: Payout) => fixture.provider.transfers.filter(({ reference }) => reference === id);

/** The event that the endpoint received about this payout. All its deliveries have one id. */
async function publishedEventsOf({ id }: Payout) {
  const ofIt = () => endpoint.received.filter(({ body }) => body.includes(id));
  await endpoint.waitFor(() => ofIt().length > 0);
  const bodies = ofIt().map(({ body }) => JSON.parse(body));
  expect(new Set(bodies.map((body) => body.id)).size).toBe(1);
  return bodies[0];
}

describe('a payout or transfer', () => {
  it("completes a payout to the store's own account and sends its full event", async () => {
    const row = await payout();
    expect(await end(row)).toBe('COMPLETE');
    expect(await recordOf(row)).toEqual(completed('PAYOUT'));
    expect(askedFor(row)).toMatchObject([{ reference: row.id, amountCents: 2_500, destination: null }]);
    const { endToEndIdentifier, updatedAt } = await payoutOf(fixture, row.id);
    expect(await publishedEventsOf(row)).toEqual({
      id: expect.stringMatching(/^log_/),
      event: 'payout.completed',
      apiVersion: 2,
      eventId: expect.stringMatching(/^evnt_/),
      devMode: true,
      data: {
        withdraw: {
          id: row.id,
          externalId: row.externalId,
          amount: 2_500,
          platformFee: 0,
          status: 'COMPLETE',
          method: 'PIX',
          devMode: true,
          receiptUrl: `https://recebe.test/receipt/${row.id}`,
          endToEndIdentifier,
          createdAt: row.createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        },
      },
    });
  });

  it('completes a transfer to a Pix key and keeps the key out of its event', async () => {
    const row = await transfer();
    expect(await end(row)).toBe('COMPLETE');
    expect(await recordOf(row)).toEqual(completed('TRANSFER'));
    expect(askedFor(row)).toMatchObject([{ destination: ANA }]);
    const published = await publishedEventsOf(row);
    expect(published).toMatchObject({ event: 'transfer.completed', data: { transfer: { id: row.id } } });
    expect(JSON.stringify(published)).not.toContain(ANA.key);
  });

  it('credits a failed transfer to the cent and sends its event with the reason', async () => {
    fixture.provider.answerTransfers({ outcome: 'FAILED', reason: 'key_not_found' });
    const row = await transfer();
    expect((await balance(fixture)).availableCents).toBe(availableCents - 2_500);
    expect(await end(row)).toBe('FAILED');
    expect(await recordOf(row)).toEqual(failed('TRANSFER', 'key_not_found'));
    const { updatedAt } = await payoutOf(fixture, row.id);
    expect(await publishedEventsOf(row)).toEqual({
      id: expect.stringMatching(/^log_/),
      event: 'transfer.failed',
      apiVersion: 2,
      eventId: expect.stringMatching(/^evnt_/),
      devMode: true,
      data: {
        transfer: {
          id: row.id,
          externalId: row.externalId,
          amount: 2_500,
          platformFee: 0,
          status: 'FAILED',
          method: 'PIX',
          devMode: true,
          receiptUrl: `https://recebe.test/receipt/${row.id}`,
          reason: 'key_not_found',
          createdAt: row.createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        },
      },
    });
  });

  it('credits a failed payout and sends its event with the reason', async () => {
    fixture.provider.answerTransfers({ outcome: 'FAILED', reason: 'account_closed' });
    const row = await payout();
    expect(await end(row)).toBe('FAILED');
    expect(await recordOf(row)).toEqual(failed('PAYOUT', 'account_closed'));
    expect(await publishedEventsOf(row)).toMatchObject({
      event: 'payout.failed',
      data: {
        withdraw: {
          id: row.id,
          status: 'FAILED',
          reason: 'account_closed',
          receiptUrl: `https://recebe.test/receipt/${row.id}`,
        },
      },
    });
  });

  it('polls a slow transfer at least every 15 minutes until it completes', async () => {
    const asks = 100;
    fixture.provider.answerTransfers(...Array(asks).fill({ outcome: 'PENDING' }));
    const row = await transfer();
    const workflow = await startPayout(fixture, row);
    expect(await workflow.result()).toBe('COMPLETE');
    expect(await recordOf(row)).toEqual(completed('TRANSFER'));
    const times = askedFor(row).map(({ now }) => now.getTime());
    expect(times).toHaveLength(asks + 1);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(20 * 60 * MINUTE_MS);
    // The timers are compared, because the time between two requests includes delays of the machine.
    const runs = await historiesOf(fixture, workflow);
    const pauses = runs
      .flat()
      .flatMap(({ timerStartedEventAttributes: timer }) => (timer ? [tsToMs(timer.startToFireTimeout)] : []));
    expect(Math.max(...runs.map((events) => events.length))).toBeLessThan(500);
    expect(pauses).toHaveLength(asks);
    expect([pauses[0], Math.max(...pauses)]).toEqual([1_000, 15 * MINUTE_MS]);
    expect(await workflow.query(payoutStateQuery)).toEqual({ status: 'COMPLETE', asked: asks + 1 });
  });
});

describe('a payout that meets a fault', () => {
  it('completes once if the ledger cannot be written after the answer', async () => {
    const row = await payout();
    const execute = (sql: string) => fixture.database.em.fork().execute(sql);
    fixture.provider.afterNextAnswer('sendPix', async () => {
      await execute("alter table payouts add constraint closed check (status = 'PENDING') not valid");
      fixture.provider.afterNextAnswer('sendPix', () =>
        execute('alter table payouts drop constraint closed'),
      );
    });
    expect(await end(row)).toBe('COMPLETE');
    expect(askedFor(row).length).toBe(2);
    expect(await recordOf(row)).toEqual(completed('PAYOUT'));
  });

  it('completes once and starts its delivery if a worker dies before it does', async () => {
    const row = await transfer();
    const nowMs = row.createdAt.getTime();
    const started: DeliveryId[] = [];
    const newWorker = (startDelivery: ActivityDeps['startDelivery']) => {
      const deps: Partial<ActivityDeps> = {
        database: fixture.database,
        providers: onlyInDevelopment(fixture.provider),
        publicUrl: 'https://recebe.test',
        startDelivery,
      };
      return createPayoutActivities(deps as ActivityDeps);
    };
    const dying = newWorker(() => Promise.reject(new Error('killed')));
    await expect(dying.advancePayout({ payoutId: row.id, nowMs })).rejects.toThrow('killed');
    const next = newWorker(async ({ deliveryId }) => void started.push(deliveryId));
    expect(await next.advancePayout({ payoutId: row.id, nowMs: nowMs + 1_000 })).toBe('COMPLETE');
    expect([started.length, askedFor(row).length]).toEqual([1, 1]);
    expect(await recordOf(row)).toEqual(completed('TRANSFER'));
  });

  it('completes once if ten workers advance it at the same time', async () => {
    const row = await transfer();
    const createdMs = row.createdAt.getTime();
    const advance = (index: number) =>
      fixture.activities.advancePayout({ payoutId: row.id, nowMs: createdMs + index });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => advance(index)));
    expect(new Set(answers)).toEqual(new Set(['COMPLETE']));
    expect(await recordOf(row)).toEqual(completed('TRANSFER'));
    const { updatedAt } = await payoutOf(fixture, row.id);
    expect(await publishedEventsOf(row)).toMatchObject({
      data: { transfer: { updatedAt: updatedAt.toISOString() } },
    });
  });
});

describe('the workflow of a payout', () => {
  async function sweep(): Promise<void> {
    const { client, database, taskQueue } = fixture;
    const starter = new WorkflowStarter(client, taskQueue, database, SILENT_LOG);
    const rest = { notices: [], clocks: NO_CLOCKS, chargeUpdates: chargeUpdates(fixture) };
    const sweeper = new Sweeper({ client, database, starter, ...rest, log: SILENT_LOG });
    await sweeper.sweep(new Date((await fixture.now()).getTime() + MINUTE_MS));
    await starter.close();
  }

  it('gets started once by the sweeper if its start was lost', async () => {
    const row = await payout();
    expect(row.workflowStartedAt).toBeNull();
    await sweep();
    expect((await payoutOf(fixture, row.id)).workflowStartedAt).not.toBeNull();
    const workflow = fixture.client.workflow.getHandle(payoutWorkflowId(row.id));
    expect(await workflow.result()).toBe('COMPLETE');
    const { runId } = await workflow.describe();
    await sweep();
    expect((await workflow.describe()).runId).toBe(runId);
    expect(await recordOf(row)).toEqual(completed('PAYOUT'));
  });

  it('keeps the Pix key of a transfer out of its history', async () => {
    const row = await askForPayout(fixture, 2_500, {
      kind: 'TRANSFER',
      destination: { type: 'CPF', key: '52998224725' },
    });
    const workflow = await startPayout(fixture, row);
    await workflow.result();
    const history = JSON.stringify(await workflow.fetchHistory());
    const payloads = history.replace(/"data":"([^"]*)"/g, (_, data) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(payloads).toContain(row.id);
    expect(payloads).not.toContain('52998224725');
  });
});
