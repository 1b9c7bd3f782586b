import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { ChargeId, DeliveryId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { DeliveryAttemptInput } from '../../src/webhooks/load-attempt.ts';
import { recordAttempt } from '../../src/webhooks/record-attempt.ts';
import type { PaymentAccepted } from '../../workflows/checkout.contract.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { mustPay, recordOf } from '../support/fixtures/charges.ts';
import { usesOf } from '../support/fixtures/checkouts.ts';
import { requestRefund } from '../support/fixtures/money.ts';
import { plainStatus } from '../support/fixtures/plain-status.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { heldBy, movementsOf } from '../support/rows/books.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { insertPix } from '../support/rows/charges.ts';
import { insertCharge, insertCheckout, insertCoupon } from '../support/rows/checkout-rows.ts';

// If a worker dies after an activity's commit and before its answer, Temporal runs the activity again with the
// same input.

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

async function discrepancies() {
  return (await verifyLedger(fixture.database.em.fork(), fixture.storeId)).discrepancies;
}

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

const PAID_ONCE = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['transparent.completed'],
  deliveries: 2,
};

describe('run again after its commit', () => {
  it('stores one payment, event and delivery per webhook for a repeated recordPayment', async () => {
    await twoWebhooks();
    const charge = await insertPix(fixture);
    const { providerPaymentId } = await mustPay(fixture, charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID_ONCE);
    // Each delivery was started twice. Temporal rejects the second start by its workflow id.
    expect(new Set(started).size).toBe(2);
  });

  it('starts deliveries in the second run of recordPayment if the first could not', async () => {
    await twoWebhooks();
    const charge = await insertPix(fixture);
    const { providerPaymentId } = await mustPay(fixture, charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    const cutOff = newWorker({ startDelivery: () => Promise.reject(new Error('Temporal is down')) });
    await expect(cutOff.recordPayment(input)).rejects.toThrow('Temporal is down');
    expect(started).toEqual([]);
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID_ONCE);
    expect(new Set(started).size).toBe(2);
  });

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

  it('returns an underpayment once if recordPayment is repeated', async () => {
    const charge = await insertPix(fixture);
    const tooLittle = await mustPay(fixture, charge, { amountCents: 1 });
    const { providerPaymentId } = tooLittle;
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    expect(await newWorker().recordPayment(input)).toBe('PENDING');
    expect(await newWorker().recordPayment(input)).toBe('PENDING');
    expect((await recordOf(fixture, charge)).payments).toEqual(['RETURNED 1']);
    expect(fixture.provider.isReturned(tooLittle)).toBe(true);
    expect(await movementsOf(fixture)).toEqual(['RETURN_RESERVED', 'RETURN_SETTLED']);
  });

  it('resumes the return of a payment after a worker died, with its cents in suspense', async () => {
    const charge = await insertPix(fixture);
    const tooLittle = await mustPay(fixture, charge, { amountCents: 7 });
    const input = { chargeId: charge.id, providerPaymentId: tooLittle.providerPaymentId, nowMs: Date.now() };
    fixture.provider.afterNextAnswer('refund', () => Promise.reject(new Error('the worker died')));
    await expect(newWorker().recordPayment(input)).rejects.toThrow('the worker died');
    expect((await recordOf(fixture, charge)).payments).toEqual(['RETURNING 7']);
    expect(await heldBy(fixture)).toEqual({ clearingCents: 7, suspenseCents: 7 });
    expect(await discrepancies()).toEqual([]);

    expect(await newWorker().recordPayment(input)).toBe('PENDING');
    expect((await recordOf(fixture, charge)).payments).toEqual(['RETURNED 7']);
    expect(await heldBy(fixture)).toEqual({});
    expect(await discrepancies()).toEqual([]);
  });

  it.each([
    ['expiring', 'expireCharge', 'EXPIRED'],
    ['cancelling', 'cancelCharge', 'CANCELLED'],
  ] as const)('repeats the answer for %s a charge twice', async (_, activity, status) => {
    const charge = await insertPix(fixture);
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await plainStatus(newWorker()[activity](input))).toBe(status);
    expect(await newWorker()[activity]({ ...input })).toBe(status);
    expect((await recordOf(fixture, charge)).status).toBe(status);
  });

  it('accepts an unnoticed payment once when expireCharge is repeated', async () => {
    await twoWebhooks();
    const charge = await insertPix(fixture);
    await mustPay(fixture, charge);
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await newWorker().expireCharge(input)).toBe('PAID');
    expect(await newWorker().expireCharge(input)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID_ONCE);
  });
});

describe('run again after its commit, for a checkout,', () => {
  const CHECKOUT_PAID_ONCE = { ...PAID_ONCE, events: ['checkout.completed'] };
  const COUPON_USED_ONCE = { redeemsCount: 1, reservedCount: 0 };

  /** A charge by this method that holds the last use of a coupon, and its checkout of R$ 100.00. */
  async function heldCoupon(method: 'PIX' | 'CARD' | 'FREE', charge: Partial<Charge> = {}) {
    const coupon = await insertCoupon(fixture, { maxRedeems: 1, reservedCount: 1 });
    const checkout = await insertCheckout(fixture);
    const closesAt = new Date(Date.now() + 60_000);
    const held = { couponId: coupon.id, provider: fixture.provider.name, closesAt, ...charge };
    return { coupon, checkout, charge: await insertCharge(fixture, checkout, method, held) };
  }

  it('counts a coupon once and notifies the checkout again if recordPayment repeats', async () => {
    await twoWebhooks();
    const { coupon, checkout, charge } = await heldCoupon('PIX');
    const { providerPaymentId } = await mustPay(fixture, charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(CHECKOUT_PAID_ONCE);
    expect(await usesOf(fixture, coupon)).toEqual(COUPON_USED_ONCE);
    expect(await paidOf(checkout)).toEqual({ status: 'PAID', paidAmountCents: 10_000 });
    // The checkout is notified twice. Its workflow ignores the second signal.
    expect(notified).toEqual([checkout.id, checkout.id]);
    expect(new Set(started).size).toBe(2);
  });

  it('notifies the checkout in the second run of recordPayment if the first could not', async () => {
    const { checkout, charge } = await heldCoupon('PIX');
    const { providerPaymentId } = await mustPay(fixture, charge);
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    const cutOff = newWorker({ notifyCheckout: () => Promise.reject(new Error('Temporal is down')) });
    await expect(cutOff.recordPayment(input)).rejects.toThrow('Temporal is down');
    expect(notified).toEqual([]);
    expect(await newWorker().recordPayment(input)).toBe('PAID');
    expect(notified).toEqual([checkout.id]);
  });

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

  it('stores one payment for a card approval that could not be recorded at first', async () => {
    await twoWebhooks();
    const { coupon, checkout, charge } = await heldCoupon('CARD');
    const input = { chargeId: charge.id, nowMs: Date.now() };
    fixture.provider.afterNextAnswer('chargeCard', () => Promise.reject(new Error('the worker died')));
    await expect(newWorker().authorizeCharge(input)).rejects.toThrow('the worker died');
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PENDING', payments: [] });
    expect(await newWorker().authorizeCharge(input)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(CHECKOUT_PAID_ONCE);
    expect(await usesOf(fixture, coupon)).toEqual(COUPON_USED_ONCE);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
    expect(notified).toEqual([checkout.id]);
    expect(new Set(started).size).toBe(2);
  });

  it.each(['CARD', 'FREE'] as const)(
    'stores one payment and event if a %s charge is authorized twice',
    async (method) => {
      await twoWebhooks();
      const { coupon, checkout, charge } = await heldCoupon(method);
      const input = { chargeId: charge.id, nowMs: Date.now() };
      const cutOff = newWorker({ startDelivery: () => Promise.reject(new Error('Temporal is down')) });
      await expect(cutOff.authorizeCharge(input)).rejects.toThrow('Temporal is down');
      expect(await newWorker().authorizeCharge(input)).toBe('PAID');
      expect(await newWorker().authorizeCharge(input)).toBe('PAID');
      const { paidAmountCents, payments, ...rest } = await recordOf(fixture, charge);
      const { paidAmountCents: _amount, payments: _payments, ...once } = CHECKOUT_PAID_ONCE;
      expect(rest).toEqual(once);
      expect({ paidAmountCents, payments }).toEqual(
        method === 'FREE'
          ? { paidAmountCents: 0, payments: [] }
          : { paidAmountCents: 10_000, payments: ['ACCEPTED 10000'] },
      );
      expect(await usesOf(fixture, coupon)).toEqual(COUPON_USED_ONCE);
      expect(await paidOf(checkout)).toEqual({ status: 'PAID', paidAmountCents });
      expect(new Set(started).size).toBe(2);
    },
  );

  it('gives the coupon back once if a decline is repeated', async () => {
    const { coupon, charge } = await heldCoupon('CARD');
    fixture.provider.declineNext('card_declined');
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await plainStatus(newWorker().authorizeCharge(input))).toBe('FAILED');
    expect(await plainStatus(newWorker().authorizeCharge(input))).toBe('FAILED');
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
  });

  it.each([
    ['expireCharge', 'EXPIRED'],
    ['cancelCharge', 'CANCELLED'],
    ['failCharge', 'FAILED'],
  ] as const)('gives the coupon back once for a repeated %s', async (activity, status) => {
    const { coupon, charge } = await heldCoupon('PIX');
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await plainStatus(newWorker()[activity](input))).toBe(status);
    expect(await plainStatus(newWorker()[activity](input))).toBe(status);
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
  });

  it.each([
    ['expireCheckout', { status: 'EXPIRED', lookAgainAtMs: null }],
    ['cancelCheckout', 'CANCELLED'],
  ] as const)('repeats its answer for a repeated %s', async (activity, answer) => {
    const checkout = await insertCheckout(fixture);
    const input = { checkoutId: checkout.id, nowMs: checkout.expiresAt?.getTime() ?? 0 };
    expect(await newWorker()[activity](input)).toEqual(answer);
    expect(await newWorker()[activity](input)).toEqual(answer);
  });

  it('resumes closing the charges of a checkout where it was interrupted', async () => {
    const checkout = await insertCheckout(fixture);
    const charges = [
      await insertCharge(fixture, checkout, 'PIX'),
      await insertCharge(fixture, checkout, 'PIX'),
    ];
    const closed: ChargeId[] = [];
    const cancelCharge = async ({ id }: Charge) => {
      if (closed.length === 1 && id !== closed[0]) throw new Error('Temporal is down');
      closed.push(id);
      return plainStatus(newWorker().cancelCharge({ chargeId: id, nowMs: Date.now() }));
    };
    const input = { checkoutId: checkout.id };
    await expect(newWorker({ cancelCharge }).closeCharges(input)).rejects.toThrow('Temporal is down');
    await newWorker({
      cancelCharge: ({ id }) => plainStatus(newWorker().cancelCharge({ chargeId: id, nowMs: Date.now() })),
    }).closeCharges(input);
    for (const charge of charges) expect((await recordOf(fixture, charge)).status).toBe('CANCELLED');
  });

  async function paidOf({ id }: Checkout) {
    const row = await fixture.database.em.fork().findOneOrFail(CheckoutEntity, { id });
    return { status: row.status, paidAmountCents: row.paidAmountCents };
  }
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
