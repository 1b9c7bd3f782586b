import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import { deliveryToStart } from '../../src/events/delivery-to-start.ts';
import { type Notices, Sweeper } from '../../src/recovery/sweeper.ts';
import { deliveryWorkflowStart } from '../../src/temporal/delivery.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { standardWebhooksSecret } from '../../src/webhooks/signature.ts';
import { deliveryWorkflowId, WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { chargeUpdates } from '../support/fixtures/charges.ts';
import { howItEnded } from '../support/fixtures/how-it-ended.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { deliveryAttemptsOf, deliveryOf, send, webhookOf } from '../support/rows/deliveries.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses of contract section 7, repeated so that a change in the code fails here. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** An attempt itself takes real time, which adds to the pause on the time-skipping server. */
const OVERHEAD_MS = 10 * SECOND_MS;

let fixture: SubscribedFixture;

beforeAll(async () => {
  fixture = await createSubscribedFixture();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => fixture.close());

describe('a webhook whose endpoint answers a request', () => {
  it('marks a delivery DELIVERED after one attempt that is answered with 200', async () => {
    const endpoint = fixture.sink.endpoint();
    const delivery = await send(fixture, endpoint.url);
    expect(await delivery.workflow().result()).toBe('DELIVERED');
    expect(endpoint.received).toHaveLength(1);
    // Traces are off.
    expect(endpoint.received[0]?.headers.traceparent).toBeUndefined();
    expect(await deliveryOf(fixture, delivery)).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: null,
      finishedAt: expect.any(Date),
    });
  });

  it('attempts a delivery 11 times on schedule (±10%) and then marks it FAILED', async () => {
    const endpoint = fixture.sink.endpoint(() => 500);
    const delivery = await send(fixture, endpoint.url);
    expect(await howItEnded(delivery.workflow())).toBe('FAILED');
    expect(endpoint.received).toHaveLength(11);
    expect(await deliveryOf(fixture, delivery)).toMatchObject({
      status: 'FAILED',
      attempts: 11,
      nextAttemptAt: null,
      finishedAt: expect.any(Date),
    });

    const attempts = await deliveryAttemptsOf(fixture, delivery);
    const startedMs = attempts.map((attempt) => attempt.startedAt.getTime());
    const pausesMs = startedMs.slice(1).map((ms, index) => ms - (startedMs[index] ?? 0));
    expect(pausesMs).toHaveLength(PAUSES_MS.length);
    for (const [index, planned] of PAUSES_MS.entries()) {
      expect(pausesMs[index]).toBeGreaterThanOrEqual(planned * 0.9);
      expect(pausesMs[index]).toBeLessThanOrEqual(planned * 1.1 + OVERHEAD_MS);
    }
    expect(new Set(attempts.map((attempt) => attempt.statusCode))).toEqual(new Set([500]));
  });

  it('delivers with attempt 4 after errors and a redirect, and stores each attempt', async () => {
    const endpoint = fixture.sink.endpoint((attempt) => [500, 503, 302][attempt - 1] ?? 204);
    const delivery = await send(fixture, endpoint.url);
    expect(await delivery.workflow().result()).toBe('DELIVERED');
    expect(endpoint.received).toHaveLength(4);
    expect(await deliveryOf(fixture, delivery)).toMatchObject({ status: 'DELIVERED', attempts: 4 });
    const attempts = await deliveryAttemptsOf(fixture, delivery);
    expect(attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [500, 'HTTP 500'],
      [503, 'HTTP 503'],
      [302, 'redirect: HTTP 302 is not followed'],
      [204, null],
    ]);
    expect(attempts[0]?.responseExcerpt).toBe('answer 500');
  });

  it('marks a delivery FAILED on a 410, disables the webhook and sends nothing more', async () => {
    const endpoint = fixture.sink.endpoint(() => 410);
    const delivery = await send(fixture, endpoint.url);
    expect(await howItEnded(delivery.workflow())).toBe('FAILED');
    expect(endpoint.received).toHaveLength(1);
    expect((await webhookOf(fixture, delivery)).disabledAt).toBeInstanceOf(Date);

    const next = await send(fixture, endpoint.url, delivery.webhook);
    expect(await howItEnded(next.workflow())).toBe('FAILED');
    expect(endpoint.received).toHaveLength(1);
  });
});

describe('a webhook whose start is postponed', () => {
  it('keeps a row that says so until its workflow starts', async () => {
    const { client, database, taskQueue, storeId } = fixture;
    const endpoint = fixture.sink.endpoint();
    const webhook = await insertWebhook(database, { storeId, endpoint: endpoint.url });
    const delivery = await insertDelivery(database, webhook);
    const start = deliveryWorkflowStart(await deliveryToStart(database, delivery.id));
    const starter = new WorkflowStarter(client, taskQueue, database, SILENT_LOG);
    const startSoon = jest.spyOn(starter, 'startSoon').mockImplementation(() => undefined);

    starter.postponeDelivery(start, 1_000);
    await eventually(async () => expect(startSoon).toHaveBeenCalledTimes(1));
    expect(await deliveryOf(fixture, delivery)).toMatchObject({ workflowStartedAt: null });

    startSoon.mockRestore();
    starter.startSoon(start);
    await endpoint.waitFor((received) => received.length === 1);
    await starter.close();
    expect(await deliveryOf(fixture, delivery)).toMatchObject({ workflowStartedAt: expect.any(Date) });
  });
});

describe('a webhook whose run is lost before its first attempt', () => {
  /** A delivery that is marked as started. Its run makes the first attempt in an hour. */
  async function unattempted() {
    const endpoint = fixture.sink.endpoint();
    const { database, storeId } = fixture;
    const webhook = await insertWebhook(database, { storeId, endpoint: endpoint.url });
    const delivery = await insertDelivery(database, webhook);
    const { id: deliveryId, createdAt } = delivery;
    const workflowId = deliveryWorkflowId(deliveryId);
    const begun = { workflowId, taskQueue: fixture.taskQueue, startDelay: HOUR_MS };
    const args = [{ deliveryId, resend: false }];
    await fixture.client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, { ...begun, args });
    const handle = fixture.client.workflow.getHandle(workflowId);
    return { endpoint, delivery, handle, later: (ms: number) => new Date(createdAt.getTime() + ms) };
  }

  async function sweep(now: Date, notices: readonly Notices[] = []): Promise<void> {
    const { client, database, taskQueue } = fixture;
    const starter = new WorkflowStarter(client, taskQueue, database, SILENT_LOG);
    const rest = { notices, clocks: NO_CLOCKS, chargeUpdates: chargeUpdates(fixture), log: SILENT_LOG };
    await new Sweeper({ client, database, starter, ...rest }).sweep(now);
    await starter.close();
  }

  it('starts a lost run again once after a minute, even with two sweeps at once', async () => {
    const { endpoint, handle, later } = await unattempted();
    await handle.terminate();
    await sweep(later(50 * SECOND_MS));
    expect((await handle.describe()).status.name).toBe('TERMINATED');
    await Promise.all([sweep(later(70 * SECOND_MS)), sweep(later(70 * SECOND_MS))]);
    expect(await handle.result()).toBe('DELIVERED');
    await sweep(later(200 * SECOND_MS));
    expect(endpoint.received).toHaveLength(1);
  });

  it('starts a lost run again while a notification of the same sweep hangs', async () => {
    const { handle, later } = await unattempted();
    await handle.terminate();
    const answer = Promise.withResolvers<void>();
    const swept = sweep(later(70 * SECOND_MS), [{ notifyAgain: () => answer.promise }]);
    await eventually(async () => expect((await handle.describe()).status.name).not.toBe('TERMINATED'));
    answer.resolve();
    await swept;
    expect(await handle.result()).toBe('DELIVERED');
  });

  it('leaves a running delivery alone and checks it once a minute', async () => {
    const { delivery, handle, later } = await unattempted();
    const { runId } = await handle.describe();
    const startedAt = async () => (await deliveryOf(fixture, delivery)).workflowStartedAt;
    await sweep(later(70 * SECOND_MS));
    const checkedAt = await startedAt();
    expect(checkedAt).not.toEqual(delivery.workflowStartedAt);
    await sweep(later(72 * SECOND_MS));
    expect(await startedAt()).toEqual(checkedAt);
    expect((await handle.describe()).runId).toBe(runId);
    await handle.terminate();
  });
});

describe('a webhook that is deleted between two attempts', () => {
  it('fails without another request if the webhook is deleted between attempts', async () => {
    // The endpoint answers only once the webhook is deleted, as the next attempt follows within seconds.
    const isDeleted = Promise.withResolvers<number>();
    const endpoint = fixture.sink.endpoint(() => isDeleted.promise);
    const delivery = await send(fixture, endpoint.url);
    await endpoint.waitFor((received) => received.length === 1);
    const deleted = { deletedAt: await fixture.now() };
    await fixture.database.em.fork().nativeUpdate(WebhookEntity, { id: delivery.webhook.id }, deleted);
    isDeleted.resolve(500);
    expect(await howItEnded(delivery.workflow())).toBe('FAILED');
    expect(endpoint.received).toHaveLength(1);
    expect(await deliveryOf(fixture, delivery)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      nextAttemptAt: null,
    });
  });
});

describe('every attempt at a delivery', () => {
  it('sends the same bytes and id with a new timestamp and signature per attempt', async () => {
    // The server skips the days between retries. The clock of this machine, which signs, is moved by hand.
    const realNow = Date.now;
    let laterMs = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + laterMs);
    const verified: unknown[] = [];
    const endpoint = fixture.sink.endpoint((attempt, { headers, body }) => {
      const verifier = new Webhook(standardWebhooksSecret('a-secret-of-some-length'));
      verified.push(verifier.verify(body, headers as Record<string, string>));
      laterMs += HOUR_MS;
      return attempt < 4 ? 500 : 200;
    });
    const delivery = await send(fixture, endpoint.url);
    expect(await delivery.workflow().result()).toBe('DELIVERED');

    const sent = endpoint.received;
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4);
    expect(new Set(sent.map(({ headers }) => headers['webhook-signature'])).size).toBe(4);
    const envelope = {
      id: delivery.id,
      event: 'transparent.completed',
      apiVersion: 2,
      devMode: true,
      eventId: (await deliveryOf(fixture, delivery)).eventId,
      data: {},
    };
    expect(verified).toEqual([envelope, envelope, envelope, envelope]);
    for (const { headers, body } of sent) {
      expect(headers).toMatchObject({
        'webhook-id': delivery.id,
        'content-type': 'application/json',
        'user-agent': 'Recebe/test',
        'x-webhook-signature': createHmac('sha256', 'a-secret-of-some-length').update(body).digest('base64'),
      });
    }
  });
});
