import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { balanceOf } from '../../src/database/ledger/ledger.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { cancel, notify, payUnnoticed, recordOf } from '../support/lives/charge-life.ts';
import {
  beginPayment,
  checkoutRecordOf,
  checkoutWorkflowOf,
  openCheckout,
  sleepingCheckout,
  startCheckoutAsleep,
  usesOf,
} from '../support/lives/checkout-life.ts';
import { createListeningWorld, type ListeningWorld } from '../support/lives/listening-world.ts';
import {
  cancelSubscription,
  cyclesOf,
  eventsOf,
  nextCycle,
  outcomesOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
} from '../support/lives/subscription-life.ts';
import { insertBoleto, insertPix, startAsleep } from '../support/rows/charges.ts';
import { chargesOf, insertCoupon } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

const HOUR_MS = 60 * 60 * 1_000;

let world: ListeningWorld;
beforeAll(async () => {
  world = await createListeningWorld();
  await world.listen();
});
afterAll(() => world.close());

/**
 * Money that left its payer a minute before the charge closed, and of which the provider does not know yet.
 */
const paidInTime = (charge: Charge) => payUnnoticed(world, charge);

const rowOf = ({ id }: Charge) => world.database.em.fork().findOneOrFail(ChargeEntity, { id });

describe('a payment that was made in time and is heard of when the charge has expired', () => {
  it('is accepted, once, with its event and its money, however often it is told of', async () => {
    const charge = await insertPix(world);
    const payment = paidInTime(charge);
    expect(await (await startAsleep(world, charge)).result()).toBe('EXPIRED');
    const before = await balanceOf(world.database.em.fork(), { storeId: world.storeId, devMode: true });
    await world.environment.sleep('2 days');
    for (let times = 0; times < 3; times++) expect(await notify(world, payment)).toBe('PAID');
    expect(await recordOf(world, charge)).toEqual({
      status: 'PAID',
      paidAmountCents: 10_000,
      payments: ['ACCEPTED 10000'],
      events: ['transparent.completed'],
      deliveries: 1,
    });
    expect(world.provider.isReturned(payment)).toBe(false);
    expect((await rowOf(charge)).paidAt).toEqual(payment.paidAt);
    const after = await balanceOf(world.database.em.fork(), { storeId: world.storeId, devMode: true });
    expect(after.availableCents - before.availableCents).toBe(10_000 - 80);
  });

  it('is accepted of a boleto that cleared the next business day', async () => {
    const dueDate = addDays(saoPauloDateOf(await world.now()), 3);
    const boleto = await insertBoleto(world, { dueDate, interest: null, fine: null });
    const payment = paidInTime(boleto);
    expect(await (await startAsleep(world, boleto)).result()).toBe('EXPIRED');
    await world.environment.sleep('1 day');
    expect(await notify(world, payment)).toBe('PAID');
    expect(world.provider.isReturned(payment)).toBe(false);
  });

  it('goes back where it was too little', async () => {
    const charge = await insertPix(world);
    const payment = paidInTime({ ...charge, amountCents: 9_999 });
    await (await startAsleep(world, charge)).result();
    expect(await notify(world, payment)).toBe('EXPIRED');
    expect(world.provider.isReturned(payment)).toBe(true);
  });

  it('goes back where the charge was cancelled', async () => {
    const charge = await insertPix(world);
    const payment = paidInTime(charge);
    expect(await cancel(world, charge)).toBe('CANCELLED');
    expect(await notify(world, payment)).toBe('CANCELLED');
    expect(world.provider.isReturned(payment)).toBe(true);
  });

  it('stays returned where it has been sent back before, as by an earlier release', async () => {
    const charge = await insertPix(world);
    const payment = paidInTime(charge);
    await (await startAsleep(world, charge)).result();
    const { providerPaymentId, amountCents, paidAt } = payment;
    const refundReference = mintId<RefundId>('refund', paidAt);
    await world.provider.refund({ refundReference, providerPaymentId, amountCents });
    await world.database.em.fork().insert(PaymentEntity, {
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
    expect(await notify(world, payment)).toBe('EXPIRED');
    expect((await recordOf(world, charge)).payments).toEqual(['RETURNED 10000']);
  });
});

describe('of a checkout that has expired, a payment made in time', () => {
  const expired = async (couponCodes: readonly string[] = []) => {
    const { checkout, workflow } = await sleepingCheckout(world, {
      expiresInMs: HOUR_MS,
      coupons: [...couponCodes],
    });
    const charge = await beginPayment(world, checkout, { couponCode: couponCodes[0] ?? null });
    const payment = paidInTime(charge);
    expect(await workflow.result()).toBe('EXPIRED');
    return { checkout, charge, payment };
  };

  it('makes it PAID, which its workflow shows too', async () => {
    const { checkout, payment } = await expired();
    expect(await notify(world, payment)).toBe('PAID');
    expect(await checkoutRecordOf(world, checkout)).toEqual({
      status: 'PAID',
      paidAmountCents: 10_000,
      charges: ['PIX PAID'],
      payments: ['ACCEPTED 10000'],
      events: 1,
    });
    expect(await checkoutWorkflowOf(world, checkout).result()).toBe('PAID');
  });

  it('goes back where another one was first', async () => {
    const checkout = await openCheckout(world);
    await startCheckoutAsleep(world, checkout);
    const charge = await beginPayment(world, checkout);
    const payment = paidInTime(charge);
    await sleepUntil(world, new Date(charge.closesAt.getTime() + 60_000));
    await eventually(async () => expect((await rowOf(charge)).status).toBe('EXPIRED'));
    await beginPayment(world, checkout, { method: 'CARD' });
    expect(await notify(world, payment)).toBe('EXPIRED');
    expect(world.provider.isReturned(payment)).toBe(true);
    expect((await checkoutRecordOf(world, checkout)).charges).toEqual(['PIX EXPIRED', 'CARD PAID']);
  });

  it('counts as a use of its coupon while there is one left, and never takes the coupon over its cap', async () => {
    const coupon = await insertCoupon(world, { maxRedeems: 1 });
    const first = await expired([coupon.code]);
    const second = await expired([coupon.code]);
    expect(await usesOf(world, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
    expect(await notify(world, first.payment)).toBe('PAID');
    expect(await usesOf(world, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
    // The money was paid in time, so it is taken all the same.
    expect(await notify(world, second.payment)).toBe('PAID');
    expect(await usesOf(world, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
  });
});

describe("of a subscription's cycle, a code that had run out before its payment was heard of", () => {
  /**
   * A subscription by PIX whose second cycle has seen one code run out and waits for the next one to be paid.
   */
  async function twiceAsked() {
    const { id } = await subscribe(world, { methods: ['PIX'], maxRetry: 3, retryEveryDays: 2 });
    const { cycleEndsAt } = await subscriptionOf(world, { id });
    await sleepUntil(world, new Date(cycleEndsAt.getTime() + 60_000));
    const opened = await eventually(async () => {
      const subscription = await subscriptionOf(world, { id });
      const [, first] = await chargesOf(world, subscription.checkoutId);
      if (first === undefined) throw new Error('the cycle has not been opened');
      return { subscription, first };
    });
    const payment = paidInTime(opened.first);
    await sleepUntil(world, new Date(opened.first.closesAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(world, opened.subscription)).toEqual(['PAID', 'FAILED', 'PENDING']),
    );
    return { ...opened, payment };
  }

  it('pays the cycle: the other code is closed, and the next cycle is charged in its time', async () => {
    const { subscription, payment } = await twiceAsked();
    expect(await notify(world, payment)).toBe('PAID');
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID', 'CANCELLED']),
    );
    expect((await cyclesOf(world, subscription)).map((line) => line.split(' ')[3])).toEqual(['PAID', 'PAID']);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'payment_failed', 'renewed']);
    const { status, failedAttempts, lastFailure } = await subscriptionOf(world, { id: subscription.id });
    expect([status, failedAttempts, lastFailure]).toEqual(['ACTIVE', 0, null]);

    const { cycleEndsAt } = await subscriptionOf(world, { id: subscription.id });
    await sleepUntil(world, new Date(cycleEndsAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await outcomesOf(world, subscription)).toEqual(['PAID', 'PAID', 'CANCELLED', 'PENDING']),
    );
  });

  it('is one payment of the cycle: what is paid with the other code as well goes back', async () => {
    const { subscription, payment } = await twiceAsked();
    const [, , other] = await chargesOf(world, subscription.checkoutId);
    if (other === undefined) throw new Error('there is a second code');
    const again = world.provider.payDespiteClosing({
      reference: other.providerReference,
      amountCents: other.amountCents,
      paidAt: await world.now(),
    });
    expect(await notify(world, again)).toBe('PAID');
    expect(await notify(world, payment)).toBe('FAILED');
    expect([world.provider.isReturned(again), world.provider.isReturned(payment)]).toEqual([false, true]);
    expect(await eventsOf(world, subscription)).toEqual(['completed', 'payment_failed', 'renewed']);
  });

  it('goes back where the subscription was cancelled meanwhile', async () => {
    const { subscription, payment } = await twiceAsked();
    await cancelSubscription(world, subscription);
    expect(await notify(world, payment)).toBe('FAILED');
    expect(world.provider.isReturned(payment)).toBe(true);
    expect((await cyclesOf(world, subscription)).at(-1)).toMatch(/FAILED$/);
  });
});

it('a card subscription is not touched by any of this', async () => {
  const subscription = await subscribe(world);
  expect(await outcomesOf(world, await nextCycle(world, subscription))).toEqual(['PAID', 'PAID']);
});
