import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryId, WebhookId } from '../../src/domain/ids.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { DeliveryBacklog } from '../../src/webhooks/delivery-backlog.ts';
import { type DeliveryQueue, EndpointQueues } from '../../src/webhooks/endpoint-queues.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import {
  type Endpoint,
  type ReceivedWebhook,
  startWebhookSink,
  type WebhookSink,
} from '../support/outside/webhook-sink.ts';
import { deliveryAttemptsOf, type SentDelivery, send } from '../support/rows/deliveries.ts';

const A = 'webh_A' as WebhookId;
const B = 'webh_B' as WebhookId;

function answered(changes: Partial<PostResult> = {}): PostResult {
  return {
    outcome: 'delivered',
    statusCode: 200,
    durationMs: 20,
    responseExcerpt: '',
    error: null,
    ...changes,
  };
}

/** Enters until refused. @returns what to call to leave again, one per attempt. */
function fill(queues: EndpointQueues, webhookId: WebhookId, queue: DeliveryQueue): (() => void)[] {
  const leaves: (() => void)[] = [];
  for (let leave = queues.enter(webhookId, queue); leave !== null; leave = queues.enter(webhookId, queue)) {
    leaves.push(leave);
  }
  return leaves;
}

describe('the fast lane', () => {
  it('is closed to an endpoint that has not been seen yet', () => {
    expect(new EndpointQueues().enter(A, 'fast')).toBeNull();
  });

  it('opens with a delivery within a second', () => {
    const queues = new EndpointQueues();
    queues.report(A, answered({ durationMs: 999 }));
    expect(queues.enter(A, 'fast')).not.toBeNull();
    expect(queues.enter(B, 'fast')).toBeNull();
  });

  it.each([
    ['takes a second', answered({ durationMs: 1_000 })],
    ['fails', answered({ outcome: 'failed', statusCode: 500 })],
    ['is gone', answered({ outcome: 'gone', statusCode: 410 })],
  ])('closes to an endpoint that %s', (_, result) => {
    const queues = new EndpointQueues();
    queues.report(A, answered());
    queues.report(A, result);
    expect(queues.enter(A, 'fast')).toBeNull();
  });

  it('closes to an endpoint that stops answering after a second, and not only when its attempts are given up', () => {
    let nowMs = 0;
    const queues = new EndpointQueues(() => nowMs);
    queues.report(A, answered());
    const leave = queues.enter(A, 'fast');
    nowMs = 999;
    expect(queues.enter(A, 'fast')).not.toBeNull();
    nowMs = 1_000;
    expect(queues.enter(A, 'fast')).toBeNull();
    leave?.();
    expect(queues.enter(A, 'fast')).not.toBeNull();
  });

  it('takes 32 attempts of one endpoint at a time', () => {
    const queues = new EndpointQueues();
    queues.report(A, answered());
    const leaves = fill(queues, A, 'fast');
    expect(leaves).toHaveLength(32);
    leaves[0]?.();
    expect(fill(queues, A, 'fast')).toHaveLength(1);
  });
});

describe('the open lane', () => {
  it('takes 50 attempts of one endpoint at a time, fast ones included', () => {
    const queues = new EndpointQueues();
    queues.report(A, answered());
    expect(fill(queues, A, 'fast').length + fill(queues, A, 'open').length).toBe(50);
    expect(queues.hasRoom(A, 'open')).toBe(false);
  });

  it('is not narrowed by another endpoint that holds its full share', () => {
    const queues = new EndpointQueues();
    fill(queues, A, 'open');
    expect(fill(queues, B, 'open')).toHaveLength(50);
  });

  it('does not forget how many attempts are under way, however many other endpoints are seen meanwhile', () => {
    const queues = new EndpointQueues();
    fill(queues, A, 'open');
    for (let i = 0; i < 10_001; i++) queues.report(`webh_${i}` as WebhookId, answered());
    expect(queues.enter(A, 'open')).toBeNull();
  });
});

describe.each([
  ['fast', 120],
  ['open', 300],
] as const)('the %s lane', (queue, room) => {
  /** Endpoints that were fast until now. */
  const many = Array.from({ length: 40 }, (_, index) => `webh_${index}` as WebhookId);

  it('leaves slots of the worker to work that is no delivery, however many endpoints hang', () => {
    const queues = new EndpointQueues();
    for (const webhookId of many) queues.report(webhookId, answered());
    expect(many.flatMap((webhookId) => fill(queues, webhookId, queue))).toHaveLength(room);
  });

  it('shares itself out among those that are being sent to at the same time', () => {
    const queues = new EndpointQueues();
    for (const webhookId of many) queues.report(webhookId, answered());
    const held = new Map(many.map((webhookId) => [webhookId, 0]));
    for (let attempt = 0; attempt < room; attempt++)
      for (const webhookId of many)
        if (queues.enter(webhookId, queue)) held.set(webhookId, (held.get(webhookId) ?? 0) + 1);
    expect(new Set(held.values())).toEqual(new Set([Math.floor(room / many.length)]));
  });
});

describe('deliveries that find their endpoint crowded', () => {
  const pauseMs = (room: DeliveryBacklog, id: string, atLeastMs?: number) =>
    Number(room.leaveFor(id as DeliveryId, A, atLeastMs).nextRetryDelay);

  it('come back within a second or so where they are few', () => {
    expect(pauseMs(new DeliveryBacklog(), 'log_1')).toBeLessThanOrEqual(1_100);
  });

  it('come back the later the more of them wait, so that each second some do, and within a minute', () => {
    const room = new DeliveryBacklog();
    const pausesMs = Array.from({ length: 2_000 }, (_, index) => pauseMs(room, `log_${index}`));
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(60_000);
    expect(Math.min(...pausesMs.slice(1_000))).toBeGreaterThan(15_000);
  });

  it('come back after the pause of an endpoint that does not answer, spread out', () => {
    const room = new DeliveryBacklog();
    const pausesMs = Array.from({ length: 100 }, (_, index) => pauseMs(room, `log_${index}`, 30_000));
    expect(Math.min(...pausesMs)).toBeGreaterThan(30_000);
    expect(new Set(pausesMs).size).toBeGreaterThan(50);
  });

  it('are remembered until they have found room', () => {
    const room = new DeliveryBacklog();
    pauseMs(room, 'log_1');
    expect(room.endpointOf('log_1' as DeliveryId)).toBe(A);
    room.left('log_1' as DeliveryId);
    expect(room.endpointOf('log_1' as DeliveryId)).toBeNull();
    expect(pauseMs(room, 'log_2')).toBeLessThanOrEqual(1_100);
  });
});

describe('an endpoint that hangs', () => {
  /** More than one endpoint's share, and more than the share and this worker's remaining slots. */
  const HANGING = 70;

  let fixture: WorkflowFixture;
  let sinks: WebhookSink[];

  beforeAll(async () => {
    // Two servers, as connections are shared out per server as well.
    [fixture, ...sinks] = await Promise.all([
      createWorkflowFixture({ concurrentActivities: 60 }),
      startWebhookSink(),
      startWebhookSink(),
    ]);
  });

  afterAll(async () => {
    await fixture.close();
    for (const sink of sinks) await sink[Symbol.asyncDispose]();
  });

  function endpoints(isHanging: (attempt: number) => boolean) {
    const answer = Promise.withResolvers<number>();
    const [slow, quick] = sinks;
    if (slow === undefined || quick === undefined) throw new Error('no sinks');
    const hanging = slow.endpoint((attempt) => (isHanging(attempt) ? answer.promise : 200));
    return { hanging, healthy: quick.endpoint(), answerAll: () => answer.resolve(200) };
  }

  /** Each once: on a slow machine some are given up after their 30 seconds, and come again. */
  const deliveriesIn = (received: readonly ReceivedWebhook[]) =>
    new Set(received.map(({ headers }) => headers['webhook-id'])).size;

  /**
   * Sends until the newest delivery took less than the second that opens the fast lane. @returns how many
   * were sent.
   */
  async function untilFast(url: string, first: SentDelivery): Promise<number> {
    for (
      let [sent, newest] = [1, first];
      ;
      [sent, newest] = [sent + 1, await send(fixture, url, first.webhook)]
    ) {
      await newest.workflow().result();
      const [attempt] = await deliveryAttemptsOf(fixture, newest);
      if ((attempt?.durationMs ?? 0) < 1_000) return sent;
    }
  }

  async function sendMany(
    endpoint: Endpoint,
    count: number,
    webhook: Awaited<ReturnType<typeof send>>['webhook'],
  ) {
    await Promise.all(Array.from({ length: count }, () => send(fixture, endpoint.url, webhook)));
  }

  it('holds its share of a worker and no more, so that other endpoints get their webhooks', async () => {
    const { hanging, healthy, answerAll } = endpoints(() => true);
    const { webhook } = await send(fixture, hanging.url);
    await sendMany(hanging, HANGING - 1, webhook);
    await hanging.waitFor((received) => received.length === 50);
    for (let sent = 1; sent <= 10; sent++) await send(fixture, healthy.url);
    await healthy.waitFor((received) => received.length === 10);
    expect(hanging.mostAtOnce).toBe(50);
    answerAll();
    await hanging.waitFor((received) => deliveriesIn(received) === HANGING);
  });

  it('after it was fast delays others no more', async () => {
    let isHanging = false;
    const { hanging, healthy, answerAll } = endpoints(() => isHanging);
    const first = await send(fixture, hanging.url);
    const before = await untilFast(hanging.url, first);
    isHanging = true;
    await sendMany(hanging, HANGING, first.webhook);
    await hanging.waitFor((received) => received.length === before + 50);
    for (let sent = 1; sent <= 10; sent++) await send(fixture, healthy.url);
    await healthy.waitFor((received) => received.length === 10);
    expect(hanging.mostAtOnce).toBe(50);
    answerAll();
    await hanging.waitFor((received) => deliveriesIn(received) === before + HANGING);
  });
});
