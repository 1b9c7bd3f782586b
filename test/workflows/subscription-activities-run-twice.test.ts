import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { ChargeId, DeliveryId, PlanUpdateId, SubscriptionId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { cancelNow } from '../../src/subscriptions/cancel-subscription.ts';
import type { CycleCharge } from '../../src/subscriptions/dunning/begin-attempt.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { plainStatus } from '../support/fixtures/plain-status.ts';
import {
  addUsage,
  cyclesOf,
  DAY_MS,
  eventsOf,
  insertSubscription,
  outcomesOf,
} from '../support/fixtures/subscriptions.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';
import { onlyInDevelopment } from '../support/outside/providers.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';

// If a worker dies after an activity's commit and before its answer, Temporal runs the activity again with the
// same input. test/faults/activities shows for every activity that this changes nothing; here is what it cannot show.

const EVENTS: EventName[] = [
  'subscription.completed',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.plan_changed',
  'subscription.cancelled',
];
let shared: BareFixture;
let fixture: BareFixture;
const OWN_EVENTS = ['subscription.past_due', 'subscription.paused', 'subscription.trial_changed'] as const;

let started: DeliveryId[];
let startedSubscriptions: SubscriptionId[];
let startedCharges: ChargeId[];
/** Each notified subscription, with the charge and its status. */
let notified: string[];
let cancelledCharges: ChargeId[];

beforeAll(async () => {
  shared = await createBareFixture();
});

beforeEach(async () => {
  fixture = await shared.withNewStore();
  for (const endpoint of ['https://example.com/1', 'https://example.com/2']) {
    await insertWebhook(fixture.database, {
      storeId: fixture.storeId,
      endpoint,
      events: [...EVENTS, ...OWN_EVENTS],
    });
  }
  started = [];
  startedSubscriptions = [];
  startedCharges = [];
  notified = [];
  cancelledCharges = [];
});

afterAll(async () => {
  await shared.close();
});

function depsOf(changes: Partial<ActivityDeps> = {}): ActivityDeps {
  return fixture.deps({
    startDelivery: async ({ deliveryId }) => void started.push(deliveryId),
    cancelCharge: async ({ id }) => {
      cancelledCharges.push(id);
      return plainStatus(newWorker().cancelCharge({ chargeId: id, nowMs: Date.now() }));
    },
    notifyCheckout: async () => {},
    startSubscription: async ({ id }) => void startedSubscriptions.push(id),
    startAttempt: async ({ id }) => void startedCharges.push(id),
    notifySubscription: async (id, { chargeId, status }) => void notified.push(`${id} ${chargeId} ${status}`),
    startSettlement: async () => {},
    ...changes,
  });
}

const newWorker = (changes: Partial<ActivityDeps> = {}) => fixture.newWorker(depsOf(changes));

/** A worker that dies when it is about to start a delivery. */
const cutOff = () => newWorker({ startDelivery: () => Promise.reject(new Error('Temporal is down')) });

/** A subscription at the end of its first cycle. */
function atTheEndOfCycle(method: 'CARD' | 'PIX' = 'CARD', maxRetry = 3): Promise<Subscription> {
  const anchor = new Date(Date.now() - 7 * DAY_MS);
  return insertSubscription(fixture, anchor, { cycle: 'WEEKLY', methods: [method], maxRetry });
}

const second = ({ id }: Subscription) => ({ subscriptionId: id, number: 2, nowMs: Date.now() });

/** Opens its second cycle. */
async function open(subscription: Subscription): Promise<CycleCharge> {
  const cycle = await newWorker().openCycle(second(subscription));
  if (cycle.status !== 'ACTIVE' || cycle.charge === null) throw new Error('the subscription is charged');
  return cycle.charge;
}

async function cycleCosts(subscription: Subscription): Promise<string[]> {
  return (await cyclesOf(fixture, subscription)).map((line) => line.split(' ').slice(2).join(' '));
}

function updateOf(id: PlanUpdateId) {
  return fixture.database.em.fork().findOneOrFail(PlanUpdateEntity, { id });
}

describe('an activity that runs again after its commit', () => {
  it.each(['CARD', 'PIX'] as const)(
    'opens one cycle and one charge by %s when openCycle runs twice',
    async (method) => {
      const subscription = await atTheEndOfCycle(method);
      await addUsage(fixture, subscription, 30);
      const input = second(subscription);
      const cycle = await newWorker().openCycle(input);
      await addUsage(fixture, subscription, 7);
      expect(await newWorker().openCycle(input)).toEqual(cycle);
      expect(await cycleCosts(subscription)).toEqual(['5000 PAID', '5030 PENDING']);
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PENDING']);
    },
  );

  it('returns PAID and starts nothing if openCycle runs again after the payment', async () => {
    const subscription = await atTheEndOfCycle();
    const { chargeId } = await open(subscription);
    await newWorker().authorizeCharge({ chargeId, nowMs: Date.now() });
    startedCharges = [];
    expect(await open(subscription)).toMatchObject({ chargeId, status: 'PAID' });
    expect(startedCharges).toEqual([]);
  });

  it('applies a plan change once, and no later one, when openCycle runs twice', async () => {
    const subscription = await atTheEndOfCycle();
    const first = await changeTo(subscription, 8_000);
    const input = second(subscription);
    await newWorker().openCycle(input);
    const next = await changeTo(subscription, 9_000);
    await newWorker().openCycle(input);
    expect((await updateOf(first.planUpdateId)).status).toBe('APPLIED');
    expect((await updateOf(next.planUpdateId)).status).toBe('PENDING');
    expect(await cycleCosts(subscription)).toEqual(['5000 PAID', '8000 PENDING']);
  });

  it('keeps a newer plan change pending when the replaced one runs again', async () => {
    const subscription = await atTheEndOfCycle();
    const first = await changeTo(subscription, 8_000);
    const newer = await changeTo(subscription, 9_000);
    await newWorker().changePlan(first);
    expect((await updateOf(first.planUpdateId)).status).toBe('REPLACED');
    expect((await updateOf(newer.planUpdateId)).status).toBe('PENDING');
  });

  it('keeps a plan change accepted if the subscription is cancelled before the rerun', async () => {
    const subscription = await atTheEndOfCycle();
    const change = await planChange(subscription, 8_000);
    await expect(cutOff().changePlan(change)).rejects.toThrow('Temporal is down');
    await cancelNow(depsOf(), subscription.id, new Date());
    expect(await newWorker().changePlan(change)).toMatchObject({ status: 'ACTIVE' });
    expect(await eventsOf(fixture, subscription)).toEqual(['plan_changed', 'cancelled']);
  });
});

describe('an activity that runs again after its event was deleted', () => {
  /** Deletes events and their deliveries, as retention does once they are old. */
  async function deleteEvents(): Promise<void> {
    const em = fixture.database.em.fork();
    await em.execute('delete from deliveries where store_id = :storeId', fixture);
    await em.execute('delete from events where store_id = :storeId', fixture);
    started = [];
  }

  const nothingMoreIsPublished = async (subscription: Subscription) => {
    expect(started).toEqual([]);
    expect(await eventsOf(fixture, subscription)).toEqual([]);
  };

  it.each([3, 1])(
    'never publishes a failed attempt (of at most %i) again after event deletion',
    async (maxRetry) => {
      const subscription = await atTheEndOfCycle('CARD', maxRetry);
      const { chargeId } = await open(subscription);
      fixture.provider.declineNext('insufficient_funds');
      await newWorker().authorizeCharge({ chargeId, nowMs: Date.now() });
      const input = { ...second(subscription), attempt: 1, chargeId };
      const failed = await newWorker().recordFailedAttempt(input);
      await deleteEvents();
      expect(await newWorker().recordFailedAttempt(input)).toEqual(failed);
      await nothingMoreIsPublished(subscription);
    },
  );

  it('never publishes a cancellation again after its event was deleted', async () => {
    const subscription = await atTheEndOfCycle();
    const input = { subscriptionId: subscription.id, nowMs: Date.now() };
    await newWorker().cancelSubscription(input);
    await deleteEvents();
    expect(await newWorker().cancelSubscription(input)).toBe('CANCELLED');
    await nothingMoreIsPublished(subscription);
  });

  it('never publishes a plan change again after its event was deleted', async () => {
    const subscription = await atTheEndOfCycle();
    const change = await planChange(subscription, 8_000);
    const changed = await newWorker().changePlan(change);
    await deleteEvents();
    expect(await newWorker().changePlan(change)).toEqual(changed);
    await nothingMoreIsPublished(subscription);
  });

  it('never publishes the payment of a cycle again after its event was deleted', async () => {
    const subscription = await atTheEndOfCycle();
    const { chargeId } = await open(subscription);
    const input = { chargeId, nowMs: Date.now() };
    await newWorker().authorizeCharge(input);
    await deleteEvents();
    expect(await newWorker().authorizeCharge(input)).toBe('PAID');
    await nothingMoreIsPublished(subscription);
  });
});

describe('a subscription that is cancelled while an activity runs', () => {
  it('stores no charge if the subscription is cancelled while its code is issued', async () => {
    const subscription = await atTheEndOfCycle('PIX');
    const slow = new MisbehavingProvider();
    const issuePix = slow.issuePix.bind(slow);
    slow.issuePix = async (request) => {
      await cancelNow(depsOf(), subscription.id, new Date());
      return issuePix(request);
    };
    const worker = newWorker({ providers: onlyInDevelopment(slow) });
    expect(await worker.openCycle(second(subscription))).toEqual({ status: 'CANCELLED' });
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
  });

  it('starts no further attempt after the subscription is cancelled', async () => {
    const subscription = await atTheEndOfCycle();
    const { chargeId } = await open(subscription);
    await cancelNow(depsOf(), subscription.id, new Date());
    expect(await newWorker().retryCycle({ ...second(subscription), attempt: 2 })).toBeNull();
    expect(cancelledCharges).toEqual([chargeId]);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'CANCELLED']);
  });
});

async function planChange({ id }: Subscription, priceCents: number) {
  const product = await insertProduct(fixture, { cycle: 'WEEKLY', priceCents });
  const planUpdateId = mintId<PlanUpdateId>('planUpdate', new Date());
  return { subscriptionId: id, planUpdateId, productId: product.id, quantity: 1, nowMs: Date.now() };
}

async function changeTo(subscription: Subscription, priceCents: number) {
  const change = await planChange(subscription, priceCents);
  expect(await newWorker().changePlan(change)).toMatchObject({ status: 'ACTIVE' });
  return change;
}
