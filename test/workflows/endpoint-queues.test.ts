import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryId, StoreId, WebhookId } from '../../src/domain/ids.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { type CrowdedEndpoint, DeliveryBacklog } from '../../src/webhooks/delivery-backlog.ts';
import { EndpointCapacity } from '../../src/webhooks/endpoint-capacity.ts';
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
const STORE = 'store_A' as StoreId;
const OTHER = 'store_B' as StoreId;

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

/** Enters until refused. @returns one function per attempt that leaves the queue. */
function fill(
  queues: EndpointQueues,
  webhookId: WebhookId,
  queue: DeliveryQueue,
  storeId = STORE,
): (() => void)[] {
  const leaves: (() => void)[] = [];
  for (
    let leave = queues.enter(webhookId, queue, storeId);
    leave !== null;
    leave = queues.enter(webhookId, queue, storeId)
  ) {
    leaves.push(leave);
  }
  return leaves;
}

describe('the fast queue', () => {
  it('refuses an unknown endpoint in the fast queue', () => {
    expect(new EndpointQueues().enter(A, 'fast', STORE)).toBeNull();
  });

  it('opens the fast queue to an endpoint that answers within a second', () => {
    const queues = new EndpointQueues();
    queues.report(A, answered({ durationMs: 999 }));
    expect(queues.enter(A, 'fast', STORE)).not.toBeNull();
    expect(queues.enter(B, 'fast', STORE)).toBeNull();
  });

  it.each([
    ['takes a second', answered({ durationMs: 1_000 })],
    ['fails', answered({ outcome: 'failed', statusCode: 500 })],
    ['is gone', answered({ outcome: 'gone', statusCode: 410 })],
  ])('closes the fast queue to an endpoint that %s', (_, result) => {
    const queues = new EndpointQueues();
    queues.report(A, answered());
    queues.report(A, result);
    expect(queues.enter(A, 'fast', STORE)).toBeNull();
  });

  it('closes the fast queue once an attempt has been open for a second', () => {
    let nowMs = 0;
    const queues = new EndpointQueues(() => nowMs);
    queues.report(A, answered());
    const leave = queues.enter(A, 'fast', STORE);
    nowMs = 999;
    expect(queues.enter(A, 'fast', STORE)).not.toBeNull();
    nowMs = 1_000;
    expect(queues.enter(A, 'fast', STORE)).toBeNull();
    leave?.();
    expect(queues.enter(A, 'fast', STORE)).not.toBeNull();
  });

  it('accepts 32 attempts of one endpoint at a time in the fast queue', () => {
    const queues = new EndpointQueues();
    queues.report(A, answered());
    const leaves = fill(queues, A, 'fast');
    expect(leaves).toHaveLength(32);
    leaves[0]?.();
    expect(fill(queues, A, 'fast')).toHaveLength(1);
  });
});

describe('the open queue', () => {
  it('accepts 50 attempts of one endpoint at a time, fast ones included', () => {
    const queues = new EndpointQueues();
    queues.report(A, answered());
    expect(fill(queues, A, 'fast').length + fill(queues, A, 'open').length).toBe(50);
    expect(queues.hasRoom(A, 'open')).toBe(false);
  });

  it('accepts 50 attempts although another endpoint holds its full share', () => {
    const queues = new EndpointQueues();
    fill(queues, A, 'open');
    expect(fill(queues, B, 'open')).toHaveLength(50);
  });

  it('keeps the count of open attempts after 10,001 reports of other endpoints', () => {
    const queues = new EndpointQueues();
    fill(queues, A, 'open');
    for (let i = 0; i < 10_001; i++) queues.report(`webh_${i}` as WebhookId, answered());
    expect(queues.enter(A, 'open', STORE)).toBeNull();
  });
});

describe.each([
  ['fast', 120, 80],
  ['open', 300, 200],
] as const)('the %s queue', (queue, room, roomOfStore) => {
  /** Forty endpoints that are reported as fast. */
  const many = Array.from({ length: 40 }, (_, index) => `webh_${index}` as WebhookId);

  it('leaves slots of the worker to other work although forty endpoints hang', () => {
    const queues = new EndpointQueues();
    for (const webhookId of many) queues.report(webhookId, answered());
    const half = (storeId: StoreId, from: number) =>
      many.slice(from, from + 20).flatMap((webhookId) => fill(queues, webhookId, queue, storeId));
    expect([...half(STORE, 0), ...half(OTHER, 20)]).toHaveLength(room);
  });

  it('keeps room for other stores although forty endpoints of one hang', () => {
    const queues = new EndpointQueues();
    for (const webhookId of [...many, A]) queues.report(webhookId, answered());
    const leaves = many.flatMap((webhookId) => fill(queues, webhookId, queue));
    expect(leaves).toHaveLength(roomOfStore);
    expect(fill(queues, A, queue, OTHER).length).toBeGreaterThan(1);
    for (const leave of leaves) leave();
    expect(queues.enter(many[0] ?? A, queue, STORE)).not.toBeNull();
  });

  it('keeps room for a third store although sixty endpoints of two hang', () => {
    const queues = new EndpointQueues();
    const third = 'store_C' as StoreId;
    const all = Array.from({ length: 60 }, (_, index) => `webh_${index}` as WebhookId);
    for (const webhookId of [...all, A, B]) queues.report(webhookId, answered());
    const enterAll = () =>
      all.flatMap((id, index) => queues.enter(id, queue, index % 2 === 0 ? STORE : OTHER) ?? []);
    const leaves = Array.from({ length: room }, enterAll).flat();
    expect(leaves).toHaveLength(room);
    const enterThird = () => [A, B].flatMap((id) => fill(queues, id, queue, third));
    const ofThird = enterThird();
    expect(ofThird).toHaveLength(2);
    for (const leave of leaves) {
      leave();
      enterAll();
      ofThird.push(...enterThird());
    }
    expect(ofThird.length).toBeGreaterThan(2);
  });

  it('gives each of forty endpoints an equal share of the queue', () => {
    const queues = new EndpointQueues();
    for (const webhookId of many) queues.report(webhookId, answered());
    const held = new Map(many.map((webhookId) => [webhookId, 0]));
    for (let attempt = 0; attempt < room; attempt++)
      for (const [index, webhookId] of many.entries())
        if (queues.enter(webhookId, queue, index % 2 === 0 ? STORE : OTHER))
          held.set(webhookId, (held.get(webhookId) ?? 0) + 1);
    expect(new Set(held.values())).toEqual(new Set([Math.floor(room / many.length)]));
  });
});

const ofStore = (id: string, storeId = STORE) => ({ deliveryId: id as DeliveryId, webhookId: A, storeId });

describe('deliveries that find their endpoint crowded', () => {
  const pauseMs = (room: DeliveryBacklog, id: string, endpoint: Partial<CrowdedEndpoint> = {}) =>
    Number(room.leaveFor(ofStore(id), { roomEveryMs: 0, pausedForMs: 0, ...endpoint }).nextRetryDelay);

  it('retries within 1.1 seconds if no other delivery waits', () => {
    expect(pauseMs(new DeliveryBacklog(), 'log_1')).toBeLessThanOrEqual(1_100);
  });

  it('retries later the more deliveries wait, but within a minute', () => {
    const room = new DeliveryBacklog();
    const pausesMs = Array.from({ length: 2_000 }, (_, index) => pauseMs(room, `log_${index}`));
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(60_000);
    expect(Math.min(...pausesMs.slice(1_000))).toBeGreaterThan(15_000);
  });

  it('retries the few of one store soon while thousands of another wait', () => {
    const room = new DeliveryBacklog();
    for (let index = 0; index < 2_000; index += 1) pauseMs(room, `log_${index}`);
    const crowded = { roomEveryMs: 0, pausedForMs: 0 };
    const pausesMs = Array.from({ length: 10 }, (_, index) =>
      room.pauseMs(ofStore(`log_other_${index}`, OTHER), crowded),
    );
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(1_000 + (9 * 1_000) / 15);
  });

  it('spreads the retries after the pause of an endpoint', () => {
    const room = new DeliveryBacklog();
    const pausesMs = Array.from({ length: 100 }, (_, index) =>
      pauseMs(room, `log_${index}`, { pausedForMs: 30_000 }),
    );
    expect(Math.min(...pausesMs)).toBeGreaterThan(30_000);
    expect(new Set(pausesMs).size).toBeGreaterThan(50);
  });

  it('remembers the endpoint of a delivery until the delivery has room', () => {
    const room = new DeliveryBacklog();
    pauseMs(room, 'log_1');
    expect(room.crowdedBefore('log_1' as DeliveryId)).toMatchObject(ofStore('log_1'));
    room.left('log_1' as DeliveryId);
    expect(room.crowdedBefore('log_1' as DeliveryId)).toBeNull();
    expect(pauseMs(room, 'log_2')).toBeLessThanOrEqual(1_100);
  });
});

describe('the backlog of an endpoint', () => {
  const leave = (room: DeliveryBacklog, id: string, webhookId = A, roomEveryMs = 0) =>
    room.pauseMs({ ...ofStore(id), webhookId }, { roomEveryMs, pausedForMs: 0 });

  it('retries its deliveries as often as it has room, but within a minute', () => {
    const room = new DeliveryBacklog();
    const pausesMs = Array.from({ length: 200 }, (_, index) => leave(room, `log_${index}`, A, 4_000));
    expect(pausesMs[10]).toBeGreaterThanOrEqual((10 * 4_000) / 2);
    expect(pausesMs[10]).toBeLessThanOrEqual(10 * 4_000);
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(60_000);
    expect(leave(room, 'log_other', B, 4_000)).toBeLessThanOrEqual(8_000);
  });

  it('forgets a delivery that is over behind one of a paused endpoint', () => {
    let nowMs = 0;
    const room = new DeliveryBacklog(() => nowMs);
    room.pauseMs({ ...ofStore('log_paused'), webhookId: B }, { roomEveryMs: 0, pausedForMs: 300_000 });
    nowMs = leave(room, 'log_1') + 10_001;
    leave(room, 'log_2');
    expect(room.crowdedBefore('log_1' as DeliveryId)).toBeNull();
    expect(room.crowdedBefore('log_paused' as DeliveryId)).not.toBeNull();
  });

  it('forgets a delivery that has not returned ten seconds after its pause', () => {
    let nowMs = 0;
    const room = new DeliveryBacklog(() => nowMs);
    const pauseMs = leave(room, 'log_1');
    nowMs = pauseMs + 9_000;
    leave(room, 'log_2', B);
    expect(room.crowdedBefore('log_1' as DeliveryId)).toMatchObject(ofStore('log_1'));
    nowMs = pauseMs + 10_000;
    leave(room, 'log_3', B);
    expect(room.crowdedBefore('log_1' as DeliveryId)).toBeNull();
  });
});

describe('the start of a new delivery', () => {
  const delayMs = (capacity: EndpointCapacity, id = 'log_new', storeId = STORE) =>
    capacity.startDelayMs({ deliveryId: id as DeliveryId, webhookId: A, storeId });

  it('begins at once at an unknown or fast endpoint, however many attempts run', () => {
    const capacity = new EndpointCapacity();
    expect(delayMs(capacity)).toBe(0);
    fill(capacity.queues, A, 'open');
    capacity.queues.report(A, answered());
    expect(delayMs(capacity)).toBe(0);
  });

  it('waits while all room of the endpoint is taken', () => {
    const capacity = new EndpointCapacity();
    const leaves = fill(capacity.queues, A, 'open');
    expect(delayMs(capacity, 'log_1')).toBeGreaterThan(0);
    for (const leave of leaves) leave();
    expect(delayMs(capacity, 'log_2')).toBe(0);
  });

  it('waits while endpoints of its store take all room of the store', () => {
    const capacity = new EndpointCapacity();
    for (let index = 0; index < 40; index += 1) fill(capacity.queues, `webh_${index}` as WebhookId, 'open');
    expect(capacity.queues.hasRoom(A, 'open')).toBe(true);
    expect(delayMs(capacity)).toBeGreaterThan(0);
    expect(delayMs(capacity, 'log_of_other', OTHER)).toBe(0);
  });

  it('waits while the breaker pauses the endpoint, or until it answers', () => {
    let nowMs = 0;
    const capacity = new EndpointCapacity(() => nowMs);
    capacity.leaveFor(ofStore('log_paused'), 30_000);
    expect(delayMs(capacity)).toBeGreaterThan(0);
    nowMs = 30_000;
    expect(delayMs(capacity)).toBe(0);
    capacity.leaveFor(ofStore('log_paused'), 30_000);
    capacity.queues.report(A, answered({ durationMs: 2_000 }));
    expect(delayMs(capacity)).toBe(0);
  });

  it('expects room as often as the running attempts end', () => {
    let nowMs = 0;
    const queues = new EndpointQueues(() => nowMs);
    for (let attempt = 0; attempt < 5; attempt += 1) queues.enter(A, 'open', STORE);
    nowMs = 10_000;
    expect(queues.roomEveryMs(A)).toBe(2_000);
    queues.report(A, answered({ outcome: 'failed', durationMs: 30_000 }));
    expect(queues.roomEveryMs(A)).toBe(6_000);
  });
});

describe('an endpoint that hangs', () => {
  /** More than one endpoint's share, and more than the share and this worker's remaining slots. */
  const HANGING = 70;

  let fixture: WorkflowFixture;
  let sinks: WebhookSink[];

  beforeAll(async () => {
    // Two servers, because each server has its own limit of connections.
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

  /** The number of distinct deliveries. On a slow machine, some time out after 30 seconds and are sent again. */
  const deliveriesIn = (received: readonly ReceivedWebhook[]) =>
    new Set(received.map(({ headers }) => headers['webhook-id'])).size;

  /**
   * Sends until the newest delivery took less than the second that opens the fast queue. @returns how many
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

  it('limits a hanging endpoint to its share, so that others get their webhooks', async () => {
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

  it('limits an endpoint to its share if it hangs after it was fast', async () => {
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
