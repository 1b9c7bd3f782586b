import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { cancel, notify, payUnnoticed, recordOf } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  checkoutRecordOf,
  checkoutWorkflowOf,
  openCheckout,
  sleepingCheckout,
  startCheckoutAsleep,
  usesOf,
} from '../support/fixtures/checkouts.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import {
  cancelSubscription,
  cyclesOf,
  eventsOf,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { insertBoleto, insertPix, startAsleep } from '../support/rows/charges.ts';
import { chargesOf, insertCoupon } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

const HOUR_MS = 60 * 60 * 1_000;

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
  await fixture.listen();
});
afterAll(() => fixture.close());

/**
 * Money that left its payer a minute before the charge closed, and of which the provider does not know yet.
 */
const paidInTime = (charge: Charge) => payUnnoticed(fixture, charge);

const rowOf = ({ id }: Charge) => fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });

describe('a payment that was made in time and is notified after the charge has expired', () => {
  it('accepts the payment once with its event, even if it is notified three times', async () => {
    const charge = await insertPix(fixture);
    const payment = paidInTime(charge);
    expect(await (await startAsleep(fixture, charge)).result()).toBe('EXPIRED');
    const before = await balanceOf(fixture.database.em.fork(), { storeId: fixture.storeId, devMode: true });
    await fixture.environment.sleep('2 days');
    for (let times = 0; times < 3; times++) expect(await notify(fixture, payment)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual({
      status: 'PAID',
      paidAmountCents: 10_000,
      payments: ['ACCEPTED 10000'],
      events: ['transparent.completed'],
      deliveries: 1,
    });
    expect(fixture.provider.isReturned(payment)).toBe(false);
    expect((await rowOf(charge)).paidAt).toEqual(payment.paidAt);
    const after = await balanceOf(fixture.database.em.fork(), { storeId: fixture.storeId, devMode: true });
    expect(after.availableCents - before.availableCents).toBe(10_000 - 80);
  });

  it('accepts a boleto payment that is notified a day after the expiry', async () => {
    const dueDate = addDays(saoPauloDateOf(await fixture.now()), 3);
    const boleto = await insertBoleto(fixture, { dueDate, interest: null, fine: null });
    const payment = paidInTime(boleto);
    expect(await (await startAsleep(fixture, boleto)).result()).toBe('EXPIRED');
    await fixture.environment.sleep('1 day');
    expect(await notify(fixture, payment)).toBe('PAID');
    expect(fixture.provider.isReturned(payment)).toBe(false);
  });

  it('returns a payment of too little', async () => {
    const charge = await insertPix(fixture);
    const payment = paidInTime({ ...charge, amountCents: 9_999 });
    await (await startAsleep(fixture, charge)).result();
    expect(await notify(fixture, payment)).toBe('EXPIRED');
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });

  it('returns the payment if the charge was cancelled', async () => {
    const charge = await insertPix(fixture);
    const payment = paidInTime(charge);
    expect(await cancel(fixture, charge)).toBe('CANCELLED');
    expect(await notify(fixture, payment)).toBe('CANCELLED');
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });

  it('keeps a payment RETURNED that was returned before', async () => {
    const charge = await insertPix(fixture);
    const payment = paidInTime(charge);
    await (await startAsleep(fixture, charge)).result();
    const { providerPaymentId, amountCents, paidAt } = payment;
    const refundReference = mintId<RefundId>('refund', paidAt);
    await fixture.provider.refund({ refundReference, providerPaymentId, amountCents });
    await fixture.database.em.fork().insert(PaymentEntity, {
      id: mintId('payment', paidAt),
      chargeId: charge.id,
      provider: charge.provider,
      providerPaymentId,
      endToEndIdentifier: null,
      outcome: 'RETURNED',
      amountCents,
      paidAt,
      payerName: null,
      payerTaxId: null,
      metadata: {},
      createdAt: paidAt,
    });
    expect(await notify(fixture, payment)).toBe('EXPIRED');
    expect((await recordOf(fixture, charge)).payments).toEqual(['RETURNED 10000']);
  });
});

describe('a payment in time of a checkout that has expired', () => {
  const expired = async (couponCodes: readonly string[] = []) => {
    const { checkout, workflow } = await sleepingCheckout(fixture, {
      expiresInMs: HOUR_MS,
      coupons: [...couponCodes],
    });
    const charge = await beginPayment(fixture, checkout, { couponCode: couponCodes[0] ?? null });
    const payment = paidInTime(charge);
    expect(await workflow.result()).toBe('EXPIRED');
    return { checkout, charge, payment };
  };

  it('makes the expired checkout PAID, also in the result of its workflow', async () => {
    const { checkout, payment } = await expired();
    expect(await notify(fixture, payment)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({
      status: 'PAID',
      paidAmountCents: 10_000,
      charges: ['PIX PAID'],
      payments: ['ACCEPTED 10000'],
      events: 1,
    });
    expect(await checkoutWorkflowOf(fixture, checkout).result()).toBe('PAID');
  });

  it('returns the payment if another one of the checkout was first', async () => {
    const checkout = await openCheckout(fixture);
    await startCheckoutAsleep(fixture, checkout);
    const charge = await beginPayment(fixture, checkout);
    const payment = paidInTime(charge);
    await sleepUntil(fixture, new Date(charge.closesAt.getTime() + 60_000));
    await eventually(async () => expect((await rowOf(charge)).status).toBe('EXPIRED'));
    await beginPayment(fixture, checkout, { method: 'CARD' });
    expect(await notify(fixture, payment)).toBe('EXPIRED');
    expect(fixture.provider.isReturned(payment)).toBe(true);
    expect((await checkoutRecordOf(fixture, checkout)).charges).toEqual(['PIX EXPIRED', 'CARD PAID']);
  });

  it('counts as a use of the coupon only below its cap', async () => {
    const coupon = await insertCoupon(fixture, { maxRedeems: 1 });
    const first = await expired([coupon.code]);
    const second = await expired([coupon.code]);
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
    expect(await notify(fixture, first.payment)).toBe('PAID');
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
    // The money was paid in time, so it is accepted although the coupon is used up.
    expect(await notify(fixture, second.payment)).toBe('PAID');
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
  });
});

describe("a late notification of a subscription cycle's first code", () => {
  /**
   * A subscription by PIX whose second cycle has seen one code run out and waits for the next one to be paid.
   */
  async function twiceAsked() {
    const { id } = await subscribe(fixture, { methods: ['PIX'], maxRetry: 3, retryEveryDays: 2 });
    const { cycleEndsAt } = await subscriptionOf(fixture, { id });
    await sleepUntil(fixture, new Date(cycleEndsAt.getTime() + 60_000));
    const opened = await eventually(async () => {
      const subscription = await subscriptionOf(fixture, { id });
      const [, first] = await chargesOf(fixture, subscription.checkoutId);
      if (first === undefined) throw new Error('the cycle has not been opened');
      return { subscription, first };
    });
    const payment = paidInTime(opened.first);
    await sleepUntil(fixture, new Date(opened.first.closesAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(fixture, opened.subscription)).toEqual(['PAID', 'FAILED', 'PENDING']),
    );
    return { ...opened, payment };
  }

  it('pays the cycle, closes the other code and charges the next cycle on time', async () => {
    const { subscription, payment } = await twiceAsked();
    expect(await notify(fixture, payment)).toBe('PAID');
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'CANCELLED']),
    );
    expect((await cyclesOf(fixture, subscription)).map((line) => line.split(' ')[3])).toEqual([
      'PAID',
      'PAID',
    ]);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      'payment_failed',
      'past_due',
      'renewed',
    ]);
    const { status, failedAttempts, lastFailure } = await subscriptionOf(fixture, { id: subscription.id });
    expect([status, failedAttempts, lastFailure]).toEqual(['ACTIVE', 0, null]);

    const { cycleEndsAt } = await subscriptionOf(fixture, { id: subscription.id });
    await sleepUntil(fixture, new Date(cycleEndsAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'CANCELLED', 'PENDING']),
    );
  });

  it('returns the late payment if the other code has paid the cycle', async () => {
    const { subscription, payment } = await twiceAsked();
    const [, , other] = await chargesOf(fixture, subscription.checkoutId);
    if (other === undefined) throw new Error('there is a second code');
    const again = fixture.provider.payDespiteClosing({
      reference: other.providerReference,
      amountCents: other.amountCents,
      paidAt: await fixture.now(),
    });
    expect(await notify(fixture, again)).toBe('PAID');
    expect(await notify(fixture, payment)).toBe('FAILED');
    expect([fixture.provider.isReturned(again), fixture.provider.isReturned(payment)]).toEqual([false, true]);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      'payment_failed',
      'past_due',
      'renewed',
    ]);
  });

  it('returns the payment if the subscription was cancelled meanwhile', async () => {
    const { subscription, payment } = await twiceAsked();
    await cancelSubscription(fixture, subscription);
    expect(await notify(fixture, payment)).toBe('FAILED');
    expect(fixture.provider.isReturned(payment)).toBe(true);
    expect((await cyclesOf(fixture, subscription)).at(-1)).toMatch(/FAILED$/);
  });
});

it('renews a card subscription as usual', async () => {
  const subscription = await subscribe(fixture);
  expect(await outcomesOf(fixture, await nextCycle(fixture, subscription))).toEqual(['PAID', 'PAID']);
});
