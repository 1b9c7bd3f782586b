import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { DeliveryAttemptInput } from '../../src/webhooks/load-attempt.ts';
import { recordAttempt } from '../../src/webhooks/record-attempt.ts';
import type { PaymentAccepted } from '../../workflows/checkout.contract.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { mustPay } from '../support/fixtures/charges.ts';
import { requestRefund } from '../support/fixtures/money.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { insertPix } from '../support/rows/charges.ts';
import { insertCharge, insertCheckout, insertCoupon } from '../support/rows/checkout-rows.ts';

// If a worker dies after an activity's commit and before its answer, Temporal runs the activity again with the
// same input. test/faults/activities shows for every activity that this changes nothing; here is what it cannot show.

let shared: BareFixture;
let fixture: BareFixture;
let sink: WebhookSink;
let notified: string[];
let started: DeliveryId[];

beforeAll(async () => {
  [shared, sink] = await Promise.all([createBareFixture(), startWebhookSink()]);
});

beforeEach(async () => {
  fixture = await shared.withNewStore();
  started = [];
  notified = [];
});

afterAll(async () => {
  await sink[Symbol.asyncDispose]();
  await shared.close();
});

function newWorker(changes: Partial<ActivityDeps> = {}) {
  return fixture.newWorker({
    startDelivery: async ({ deliveryId }) => void started.push(deliveryId),
    notifyCheckout: async ({ id }) => void notified.push(id),
    startSettlement: async () => {},
    ...changes,
  });
}

async function twoWebhooks(): Promise<void> {
  const events: EventName[] = ['transparent.completed', 'checkout.completed'];
  for (const { url: endpoint } of [sink.endpoint(), sink.endpoint()]) {
    await insertWebhook(fixture.database, { storeId: fixture.storeId, endpoint, events });
  }
}

describe('run again after its commit', () => {
  it('starts no delivery again that was made before recordPayment is repeated', async () => {
    await twoWebhooks();
    const charge = await insertPix(fixture);
    const { providerPaymentId } = await mustPay(fixture, charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    await newWorker().recordPayment(input);
    await fixture.database.em
      .fork()
      .nativeUpdate(DeliveryEntity, { id: { $in: started } }, { status: 'DELIVERED', attempts: 1 });
    started = [];
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(started).toEqual([]);
  });

  it('repeats no delivery of a refund that was already delivered', async () => {
    const charge = await insertPix(fixture);
    const { providerPaymentId } = await mustPay(fixture, charge);
    await newWorker().recordPayment({ chargeId: charge.id, providerPaymentId, nowMs: Date.now() });
    const { storeId, database } = fixture;
    await insertWebhook(database, {
      storeId,
      endpoint: sink.endpoint().url,
      events: ['transparent.refunded'],
    });
    const { id: refundId } = await requestRefund(fixture, charge);
    const input = { chargeId: charge.id, refundId, nowMs: Date.now() };
    await newWorker().refundCharge(input);
    expect(started).toHaveLength(1);
    const made = { status: 'DELIVERED', attempts: 1 } as const;
    await database.em.fork().nativeUpdate(DeliveryEntity, { id: { $in: started } }, made);
    started = [];
    expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(started).toEqual([]);
  });
});

describe('run again after its commit, for a checkout,', () => {
  /** A charge by this method that holds the last use of a coupon, and its checkout of R$ 100.00. */
  async function heldCoupon(method: 'PIX' | 'CARD' | 'FREE', charge: Partial<Charge> = {}) {
    const coupon = await insertCoupon(fixture, { maxRedeems: 1, reservedCount: 1 });
    const checkout = await insertCheckout(fixture);
    const closesAt = new Date(Date.now() + 60_000);
    const held = { couponId: coupon.id, provider: fixture.provider.name, closesAt, ...charge };
    return { coupon, checkout, charge: await insertCharge(fixture, checkout, method, held) };
  }

  it.each([
    ['CARD', 'authorizeCharge'],
    ['PIX', 'recordPayment'],
    ['PIX', 'cancelCharge'],
    ['PIX', 'expireCharge'],
  ] as const)(
    'notifies the checkout of a %s payment refunded before %s is run again',
    async (method, activity) => {
      const { checkout, charge } = await heldCoupon(method);
      const { providerPaymentId } =
        method === 'PIX' ? await mustPay(fixture, charge) : { providerPaymentId: 'of the card' };
      const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
      const cutOff = newWorker({ notifyCheckout: () => Promise.reject(new Error('Temporal is down')) });
      await expect(cutOff[activity](input)).rejects.toThrow('Temporal is down');
      const { id: refundId } = await requestRefund(fixture, charge);
      expect(await newWorker().refundCharge({ chargeId: charge.id, refundId, nowMs: Date.now() })).toBe(
        'REFUNDED',
      );
      expect(notified).toEqual([]);
      expect(await newWorker()[activity](input)).toBe('REFUNDED');
      expect(notified).toEqual([checkout.id]);
    },
  );

  it('notifies the checkout whether any of its other charges are open', async () => {
    const accepted: PaymentAccepted[] = [];
    const notifyCheckout = async (_: Checkout, message: PaymentAccepted) => void accepted.push(message);
    for (const others of [0, 1]) {
      const { checkout, charge } = await heldCoupon('CARD');
      if (others > 0) await insertCharge(fixture, checkout, 'PIX');
      await newWorker({ notifyCheckout }).authorizeCharge({ chargeId: charge.id, nowMs: Date.now() });
    }
    expect(accepted).toEqual([{ othersOpen: false }, { othersOpen: true }]);
  });
});

describe('an attempt at a webhook', () => {
  async function deliveryTo(endpoint: Endpoint) {
    const { database } = fixture;
    return insertDelivery(
      database,
      await insertWebhook(database, { storeId: fixture.storeId, endpoint: endpoint.url }),
    );
  }

  function firstAttempt(deliveryId: DeliveryId): DeliveryAttemptInput {
    return { deliveryId, resend: false, attemptKey: 'run-1', retryDelayMs: 5_000, nowMs: Date.now() };
  }

  it.each([
    [200, 'DELIVERED', 'DELIVERED'],
    [500, 'PENDING', { status: 'PENDING', said: expect.stringContaining('HTTP 500') }],
  ])(
    'sends nothing in the second run of an attempt that was answered with %i',
    async (answer, status, result) => {
      const endpoint = sink.endpoint(() => answer);
      const { id } = await deliveryTo(endpoint);
      expect(await newWorker().attemptDelivery(firstAttempt(id))).toEqual(result);
      expect(await newWorker().attemptDelivery(firstAttempt(id))).toBe(status);
      expect(endpoint.received).toHaveLength(1);
      const row = await fixture.database.em.fork().findOneOrFail(DeliveryEntity, { id });
      expect(row).toMatchObject({ status, attempts: 1 });
    },
  );

  it('schedules the full backoff after a timeout and stores nextAttemptAt', async () => {
    const { id } = await deliveryTo(sink.endpoint());
    const attempt = firstAttempt(id);
    const hung = { outcome: 'failed', statusCode: null, durationMs: 30_000, responseExcerpt: '' } as const;
    await recordAttempt(fixture.database, attempt, { ...hung, error: 'no response' });
    const row = await fixture.database.em.fork().findOneOrFail(DeliveryEntity, { id });
    expect(row.nextAttemptAt).toEqual(new Date(attempt.nowMs + 35_000));
  });

  it('records an attempt once that two workers make at the same time', async () => {
    const isLate = Promise.withResolvers<number>();
    const endpoint = sink.endpoint((attempt) => (attempt === 1 ? isLate.promise : 200));
    const { id } = await deliveryTo(endpoint);
    const heldUp = newWorker().attemptDelivery(firstAttempt(id));
    await endpoint.waitFor((received) => received.length === 1);
    expect(await newWorker().attemptDelivery(firstAttempt(id))).toBe('DELIVERED');
    isLate.resolve(500);
    expect(await heldUp).toBe('DELIVERED');
    expect(await fixture.database.em.fork().findOneOrFail(DeliveryEntity, { id })).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: null,
    });
  });

  it('makes no attempt for a delivery that has ended, except to resend it', async () => {
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
