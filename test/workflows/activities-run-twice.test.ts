import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryAttemptInput } from '../../activities/deliveries.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createActivities } from '../../activities/index.ts';
import { createStore } from '../../src/cli/stores.ts';
import { DeliveryEntity } from '../../src/database/delivery.ts';
import type { DeliveryId, StoreId } from '../../src/domain/ids.ts';
import { createDispatcher } from '../../src/outbound/guarded-dispatcher.ts';
import { insertDelivery, insertWebhook } from '../support/build.ts';
import { mustPay, recordOf } from '../support/charge-life.ts';
import { insertPix } from '../support/charges.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { MisbehavingProvider } from '../support/misbehaving-provider.ts';
import { SILENT_LOG } from '../support/silent-temporal.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts';

// A worker that dies after an activity's commit and before its answer has the activity run again, with the same input.

const webhooks = createDispatcher({ allowPrivateEndpoints: true });
const provider = new MisbehavingProvider();
const now = async () => new Date();
let testDatabase: TestDatabase;
let sink: WebhookSink;
let storeId: StoreId;
let started: DeliveryId[];

beforeAll(async () => {
  [testDatabase, sink] = await Promise.all([createTestDatabase(), startWebhookSink()]);
});

beforeEach(async () => {
  const store = { name: 'Loja Teste', city: 'SAO PAULO' };
  storeId = (await createStore(testDatabase.database.em.fork(), store, new Date())).id;
  started = [];
});

afterAll(async () => {
  await webhooks.close();
  await sink[Symbol.asyncDispose]();
  await testDatabase.drop();
});

function place() {
  return { database: testDatabase.database, storeId, provider, now };
}

/** The activities of a worker; one that died is replaced by a new one, which remembers nothing. */
function newWorker(changes: Partial<ActivityDeps> = {}) {
  return createActivities({
    database: testDatabase.database,
    providers: { development: provider, production: null },
    publicUrl: 'https://recebe.test',
    startDelivery: async ({ deliveryId }) => void started.push(deliveryId),
    dispatcher: webhooks.dispatcher,
    userAgent: 'Recebe/test',
    webhookCompatibilityKey: null,
    log: SILENT_LOG,
    ...changes,
  });
}

async function twoWebhooks(): Promise<void> {
  for (const { url: endpoint } of [sink.endpoint(), sink.endpoint()]) {
    await insertWebhook(testDatabase.database, { storeId, endpoint });
  }
}

const PAID_ONCE = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['transparent.completed'],
  deliveries: 2,
};

describe('run again after its commit', () => {
  it('accepting a payment leaves one payment, one event and one delivery per webhook', async () => {
    await twoWebhooks();
    const charge = await insertPix(place());
    const { providerPaymentId } = await mustPay(place(), charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await recordOf(place(), charge)).toEqual(PAID_ONCE);
    // Started twice, which the ids of their workflows make one start.
    expect(new Set(started).size).toBe(2);
  });

  it('accepting a payment starts the deliveries that could not be started before', async () => {
    await twoWebhooks();
    const charge = await insertPix(place());
    const { providerPaymentId } = await mustPay(place(), charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    const cutOff = newWorker({ startDelivery: () => Promise.reject(new Error('Temporal is down')) });
    await expect(cutOff.recordPayment(input)).rejects.toThrow('Temporal is down');
    expect(started).toEqual([]);
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await recordOf(place(), charge)).toEqual(PAID_ONCE);
    expect(new Set(started).size).toBe(2);
  });

  it('accepting a payment does not repeat deliveries that were made meanwhile', async () => {
    await twoWebhooks();
    const charge = await insertPix(place());
    const { providerPaymentId } = await mustPay(place(), charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    await newWorker().recordPayment(input);
    await testDatabase.database.em
      .fork()
      .nativeUpdate(DeliveryEntity, { id: { $in: started } }, { status: 'DELIVERED', attempts: 1 });
    started = [];
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(started).toEqual([]);
  });

  it('returning a payment leaves one record of it', async () => {
    const charge = await insertPix(place());
    const tooLittle = await mustPay(place(), charge, { amountCents: 1 });
    const { providerPaymentId } = tooLittle;
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    expect(await newWorker().recordPayment(input)).toBe('PENDING');
    expect(await newWorker().recordPayment(input)).toBe('PENDING');
    expect((await recordOf(place(), charge)).payments).toEqual(['RETURNED 1']);
    expect(provider.isReturned(tooLittle)).toBe(true);
  });

  it.each([
    ['expiring', 'expireCharge', 'EXPIRED'],
    ['cancelling', 'cancelCharge', 'CANCELLED'],
  ] as const)('%s a charge answers the same', async (_, activity, status) => {
    const charge = await insertPix(place());
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await newWorker()[activity](input)).toBe(status);
    expect(await newWorker()[activity]({ ...input })).toBe(status);
    expect((await recordOf(place(), charge)).status).toBe(status);
  });

  it('closing a charge that was paid unnoticed accepts that payment once', async () => {
    await twoWebhooks();
    const charge = await insertPix(place());
    await mustPay(place(), charge);
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await newWorker().expireCharge(input)).toBe('PAID');
    expect(await newWorker().expireCharge(input)).toBe('PAID');
    expect(await recordOf(place(), charge)).toEqual(PAID_ONCE);
  });
});

describe('an attempt at a webhook', () => {
  async function deliveryTo(endpoint: Endpoint) {
    const { database } = testDatabase;
    return insertDelivery(database, await insertWebhook(database, { storeId, endpoint: endpoint.url }));
  }

  function firstAttempt(deliveryId: DeliveryId): DeliveryAttemptInput {
    return { deliveryId, resend: false, attemptKey: 'run-1', retryDelayMs: 5_000, nowMs: Date.now() };
  }

  it.each([
    [200, 'DELIVERED'],
    [500, 'PENDING'],
  ])(
    'that was answered with %i is not sent again by a second run of its activity',
    async (answer, status) => {
      const endpoint = sink.endpoint(() => answer);
      const { id } = await deliveryTo(endpoint);
      expect(await newWorker().attemptDelivery(firstAttempt(id))).toBe(status);
      expect(await newWorker().attemptDelivery(firstAttempt(id))).toBe(status);
      expect(endpoint.received).toHaveLength(1);
      const row = await testDatabase.database.em.fork().findOneOrFail(DeliveryEntity, { id });
      expect(row).toMatchObject({ status, attempts: 1 });
    },
  );

  it('is not made where the delivery has ended, unless it is to be resent', async () => {
    const endpoint = sink.endpoint();
    const { id } = await deliveryTo(endpoint);
    const attempt = firstAttempt(id);
    await newWorker().attemptDelivery(attempt);
    expect(await newWorker().attemptDelivery({ ...attempt, attemptKey: 'run-2' })).toBe('DELIVERED');
    expect(endpoint.received).toHaveLength(1);
    const resent = { ...attempt, attemptKey: 'run-2', resend: true };
    expect(await newWorker().attemptDelivery(resent)).toBe('DELIVERED');
    expect(endpoint.received).toHaveLength(2);
  });
});
