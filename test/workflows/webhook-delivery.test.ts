import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import { type Notices, Sweeper } from '../../src/recovery/sweeper.ts';
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

/** Contract section 7, written out once more. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Waits on a time-skipping server take their time plus what the attempt itself took in this machine's. */
const OVERHEAD_MS = 10 * SECOND_MS;

let fixture: SubscribedFixture;

beforeAll(async () => {
  fixture = await createSubscribedFixture();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => fixture.close());

describe('a webhook whose endpoint answers', () => {
  it('200 is DELIVERED by one attempt', async () => {
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

  it('500 for three days is attempted 11 times, at its schedule give or take 10 %, and then FAILED', async () => {
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

  it('with errors and a redirect at first is DELIVERED by attempt 4, and each attempt can be read', async () => {
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

  it('410 is FAILED at once and its webhook disabled, so that nothing is sent there any more', async () => {
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

describe('a webhook whose run is lost before its first attempt', () => {
  /** It is marked as started, by whoever wrote it. */
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

  it('is attempted once, when a minute has passed', async () => {
    const { endpoint, handle, later } = await unattempted();
    await handle.terminate();
    await sweep(later(50 * SECOND_MS));
    expect((await handle.describe()).status.name).toBe('TERMINATED');
    await Promise.all([sweep(later(70 * SECOND_MS)), sweep(later(70 * SECOND_MS))]);
    expect(await handle.result()).toBe('DELIVERED');
    await sweep(later(200 * SECOND_MS));
    expect(endpoint.received).toHaveLength(1);
  });

  it('is attempted although what the same sweep tells besides is answered by nobody', async () => {
    const { handle, later } = await unattempted();
    await handle.terminate();
    const told = Promise.withResolvers<void>();
    const swept = sweep(later(70 * SECOND_MS), [{ notifyAgain: () => told.promise }]);
    await eventually(async () => expect((await handle.describe()).status.name).not.toBe('TERMINATED'));
    told.resolve();
    await swept;
    expect(await handle.result()).toBe('DELIVERED');
  });

  it('is left alone where it runs, and looked at once a minute', async () => {
    const { delivery, handle, later } = await unattempted();
    const { runId } = await handle.describe();
    const startedAt = async () => (await deliveryOf(fixture, delivery)).workflowStartedAt;
    await sweep(later(70 * SECOND_MS));
    const looked = await startedAt();
    expect(looked).not.toEqual(delivery.workflowStartedAt);
    await sweep(later(72 * SECOND_MS));
    expect(await startedAt()).toEqual(looked);
    expect((await handle.describe()).runId).toBe(runId);
    await handle.terminate();
  });
});

describe('a webhook that is deleted between two attempts', () => {
  it('ends FAILED without another post', async () => {
    // It answers once the webhook is deleted, as the next attempt would come within seconds of that answer.
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
  it('sends the same bytes and id, with a timestamp and a signature of its own that verifies', async () => {
    // Retries of days pass in an instant here, so this machine's clock, which signs, is moved on by hand.
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
