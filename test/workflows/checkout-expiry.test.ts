import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storePayment } from '../../src/checkouts/store-payment.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { NOBODY } from '../../src/domain/payer.ts';
import { mintId } from '../../src/ids.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  cancelCheckout,
  chargeWorkflowOf,
  checkoutRecordOf,
  endOf,
  openLink,
  sleepingCheckout,
  startCheckoutAsleep,
  takeUpSell,
  tryPayment,
  usesOf,
} from '../support/fixtures/checkouts.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertCoupon, insertProduct } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The record of a checkout of 100.00 with one accepted payment. */
const PAID = { status: 'PAID', paidAmountCents: 10_000, payments: ['ACCEPTED 10000'], events: 1 };
const UNPAID = { paidAmountCents: null, payments: [], events: 0 };

let fixture: WorkflowFixture;

beforeAll(async () => {
  fixture = await createWorkflowFixture();
});

afterAll(() => fixture.close());

async function sleepUntil(instant: Date): Promise<void> {
  await fixture.environment.sleep(instant.getTime() - (await fixture.now()).getTime());
}

function deadlineOf({ expiresAt }: Checkout): Date {
  if (expiresAt === null) throw new Error('a payment link does not expire');
  return expiresAt;
}

function expectClosedAt(closeTime: Date | undefined, instant: Date): void {
  expect(closeTime?.getTime()).toBeGreaterThanOrEqual(instant.getTime());
  expect(closeTime?.getTime()).toBeLessThan(instant.getTime() + MINUTE_MS);
}

/** A checkout of 100.00 whose coupon of 10 % can be used once. */
async function checkoutWithLastCoupon() {
  const coupon = await insertCoupon(fixture, { maxRedeems: 1 });
  return { coupon, ...(await sleepingCheckout(fixture, { coupons: [coupon.code] })) };
}

// Awaiting `result()` lets the server's clock skip time, possibly years. `endOf` does not skip time.

describe('a checkout', () => {
  it('expires an unpaid checkout after 30 days and refuses payments from then on', async () => {
    const { checkout, workflow } = await sleepingCheckout(fixture);
    expect(await workflow.result()).toBe('EXPIRED');
    const deadline = new Date(checkout.createdAt.getTime() + 30 * DAY_MS);
    expectClosedAt((await workflow.describe()).closeTime, deadline);
    expect(await tryPayment(fixture, checkout)).toBe('NOT_OPEN');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({ ...UNPAID, status: 'EXPIRED', charges: [] });
  });

  it('takes a coupon while it is valid, and money that comes later', async () => {
    const startsAt = new Date((await fixture.now()).getTime() + DAY_MS);
    const endsAt = new Date(startsAt.getTime() + DAY_MS);
    const coupon = await insertCoupon(fixture, { validFrom: startsAt, validUntil: endsAt });
    const { checkout } = await sleepingCheckout(fixture, { coupons: [coupon.code] });
    const couponCode = coupon.code;
    expect(await tryPayment(fixture, checkout, { couponCode })).toBe('COUPON_OUTSIDE_VALIDITY');
    await sleepUntil(new Date(endsAt.getTime() - 10 * MINUTE_MS));
    const charge = await beginPayment(fixture, checkout, { couponCode });
    await sleepUntil(endsAt);
    expect(await tryPayment(fixture, checkout, { couponCode })).toBe('COUPON_OUTSIDE_VALIDITY');
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
  });

  it.each([
    ['was switched off', { status: 'INACTIVE' as const }, 'COUPON_NOT_VALID'],
    ['ended', { validUntil: new Date(0) }, 'COUPON_OUTSIDE_VALIDITY'],
    ['was used up', { maxRedeems: 1 }, 'COUPON_EXHAUSTED'],
  ])('refuses a payment whose coupon %s after the price was shown', async (_, changes, reason) => {
    const coupon = await insertCoupon(fixture);
    const { checkout } = await sleepingCheckout(fixture, { coupons: [coupon.code] });
    const first = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    await fixture.database.em.fork().nativeUpdate(CouponEntity, { id: coupon.id }, changes);
    const now = await fixture.now();
    const second = {
      ...first,
      id: mintId<ChargeId>('pixCharge', now),
      submissionKey: 'second',
      createdAt: now,
    };
    const payer = { payer: NOBODY, address: null, customer: null };
    const moment = { now, requestId: null };
    await expect(storePayment(fixture.database, second, payer, moment)).rejects.toMatchObject({
      reason,
    });
  });

  it('expires a PIX code after 30 minutes and releases the coupon that it held', async () => {
    const { coupon, checkout } = await checkoutWithLastCoupon();
    const charge = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 1 });
    expect(await tryPayment(fixture, checkout, { couponCode: coupon.code })).toBe('COUPON_EXHAUSTED');

    const deadline = new Date(charge.createdAt.getTime() + 30 * MINUTE_MS);
    expect(charge.closesAt).toEqual(deadline);
    // The clock continues while the test reads, so it stops a minute early.
    await sleepUntil(new Date(deadline.getTime() - MINUTE_MS));
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 1 });
    await sleepUntil(deadline);
    await eventually(async () =>
      expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 }),
    );
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ charges: ['PIX EXPIRED'] });
    expect(await tryPayment(fixture, checkout, { couponCode: coupon.code })).toMatchObject({
      status: 'PENDING',
    });
  });

  it('expires a PIX code of the last minute together with its checkout', async () => {
    const { checkout, workflow } = await sleepingCheckout(fixture);
    await sleepUntil(new Date(deadlineOf(checkout).getTime() - MINUTE_MS));
    const charge = await beginPayment(fixture, checkout);
    expect(charge.closesAt).toEqual(checkout.expiresAt);
    expect(await workflow.result()).toBe('EXPIRED');
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({
      status: 'EXPIRED',
      charges: ['PIX EXPIRED'],
    });
  });
});

describe('a boleto begun in the last hour of its checkout', () => {
  async function lastHourBoleto() {
    const { checkout, workflow } = await sleepingCheckout(fixture);
    await sleepUntil(new Date(deadlineOf(checkout).getTime() - HOUR_MS));
    const charge = await beginPayment(fixture, checkout, { method: 'BOLETO' });
    await sleepUntil(new Date(deadlineOf(checkout).getTime() + DAY_MS));
    return { checkout, workflow, charge };
  }

  it('accepts a boleto after the deadline of its checkout, which becomes PAID', async () => {
    const { checkout, workflow, charge } = await lastHourBoleto();
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await endOf(fixture, workflow)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({ ...PAID, charges: ['BOLETO PAID'] });
  });

  it('refuses other payments after the deadline while a boleto is open', async () => {
    const { checkout } = await lastHourBoleto();
    expect(await tryPayment(fixture, checkout)).toBe('NOT_OPEN');
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({
      status: 'PENDING',
      charges: ['BOLETO PENDING'],
    });
  });

  it('expires the checkout when its unpaid boleto expires', async () => {
    const { checkout, workflow, charge } = await lastHourBoleto();
    expect(await workflow.result()).toBe('EXPIRED');
    expectClosedAt((await workflow.describe()).closeTime, charge.closesAt);
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({
      ...UNPAID,
      status: 'EXPIRED',
      charges: ['BOLETO EXPIRED'],
    });
  });
});

describe('a checkout whose charge is still open when it expires', () => {
  const SECOND_MS = 1_000;

  it.each([
    ['its own deadline', 0, 0, 5 * SECOND_MS],
    ['its own deadline, an hour late', 0, HOUR_MS, 2 * HOUR_MS],
    ['its own deadline, before its charge’s', 5 * DAY_MS, 0, 5 * DAY_MS + 5 * SECOND_MS],
    ['the deadline of its charge', 5 * DAY_MS, 5 * DAY_MS, 5 * DAY_MS + 5 * SECOND_MS],
    [
      'the deadline of its charge, a minute late',
      5 * DAY_MS,
      5 * DAY_MS + MINUTE_MS,
      5 * DAY_MS + 2 * MINUTE_MS,
    ],
  ])('looks again after %s, once the charge has had time to end', async (_, closesMs, lookMs, againMs) => {
    const { checkout } = await sleepingCheckout(fixture);
    const { id } = await beginPayment(fixture, checkout);
    const expiresAtMs = deadlineOf(checkout).getTime();
    const closesAt = new Date(expiresAtMs + closesMs);
    await fixture.database.em.fork().nativeUpdate(ChargeEntity, { id }, { closesAt });
    const expiry = { checkoutId: checkout.id, nowMs: expiresAtMs + lookMs };
    expect(await fixture.activities.expireCheckout(expiry)).toEqual({
      status: 'PENDING',
      lookAgainAtMs: expiresAtMs + againMs,
    });
    await cancelCheckout(fixture, checkout);
  });
});

describe('a declined card', () => {
  it('releases the coupon of a declined card, so that the payer can use it again', async () => {
    const { coupon, checkout, workflow } = await checkoutWithLastCoupon();
    const byCard = { method: 'CARD', couponCode: coupon.code } as const;
    fixture.provider.declineNext('insufficient_funds');
    expect(await beginPayment(fixture, checkout, byCard)).toMatchObject({
      status: 'FAILED',
      failureReason: 'insufficient_funds',
    });
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });

    expect(await beginPayment(fixture, checkout, byCard)).toMatchObject({ status: 'PAID' });
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
    expect(await endOf(fixture, workflow)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({
      status: 'PAID',
      paidAmountCents: 9_000,
      charges: ['CARD FAILED', 'CARD PAID'],
      payments: ['ACCEPTED 9000'],
      events: 1,
    });
  });
});

describe('a checkout that is paid', () => {
  it('closes other charges of a paid checkout and releases their coupon', async () => {
    const { coupon, checkout, workflow } = await checkoutWithLastCoupon();
    const pix = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    const boleto = await beginPayment(fixture, checkout, { method: 'BOLETO' });
    await beginPayment(fixture, checkout, { method: 'CARD' });
    expect(await endOf(fixture, workflow)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({
      ...PAID,
      charges: ['PIX CANCELLED', 'BOLETO CANCELLED', 'CARD PAID'],
    });
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
    for (const { providerReference } of [pix, boleto])
      expect(fixture.provider.isClosed(providerReference)).toBe(true);
  });

  it('closes the other charges of a PAID checkout when it is cancelled', async () => {
    const { checkout, workflow } = await sleepingCheckout(fixture);
    await beginPayment(fixture, checkout);
    // As if the worker that accepted the payment had not notified the checkout yet.
    const em = fixture.database.em.fork();
    await em.nativeUpdate(CheckoutEntity, { id: checkout.id }, { status: 'PAID' });
    expect(await cancelCheckout(fixture, checkout)).toBe('PAID');
    expect(await endOf(fixture, workflow)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ charges: ['PIX CANCELLED'] });
  });

  it('completes a checkout whose coupon covers all without calling a provider', async () => {
    const coupon = await insertCoupon(fixture, { discountValue: 10_000, maxRedeems: 1 });
    const { checkout, workflow } = await sleepingCheckout(fixture, { coupons: [coupon.code] });
    for (const call of ['chargeCard', 'findPayment', 'close'] as const) fixture.provider.failNext(call, 1);
    const charge = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    for (const call of ['chargeCard', 'findPayment', 'close'] as const) fixture.provider.failNext(call, 0);
    expect(charge).toMatchObject({ method: 'FREE', status: 'PAID', amountCents: 0, discountCents: 10_000 });
    expect(await endOf(fixture, workflow)).toBe('PAID');
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 1, reservedCount: 0 });
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({
      status: 'PAID',
      paidAmountCents: 0,
      charges: ['FREE PAID'],
      payments: [],
      events: 1,
    });
  });
});

describe('cancelling a checkout', () => {
  it('closes the charges of a cancelled checkout, also at the provider', async () => {
    const { coupon, checkout, workflow } = await checkoutWithLastCoupon();
    const charge = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    expect(await cancelCheckout(fixture, checkout)).toBe('CANCELLED');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({
      ...UNPAID,
      status: 'CANCELLED',
      charges: ['PIX CANCELLED'],
    });
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
    expect(await endOf(fixture, workflow)).toBe('CANCELLED');
    expect(await tryPayment(fixture, checkout)).toBe('NOT_OPEN');
  });

  it('answers PAID to a cancellation if the payer was first', async () => {
    const { checkout } = await sleepingCheckout(fixture);
    await beginPayment(fixture, checkout, { method: 'CARD' });
    expect(await cancelCheckout(fixture, checkout)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({ ...PAID, charges: ['CARD PAID'] });
  });

  it('answers PAID to a cancellation if a payment without notification is found', async () => {
    const { checkout, workflow } = await sleepingCheckout(fixture);
    const charge = await beginPayment(fixture, checkout);
    const payment = await mustPay(fixture, charge);
    expect(await cancelCheckout(fixture, checkout)).toBe('PAID');
    expect(await endOf(fixture, workflow)).toBe('PAID');
    expect(await checkoutRecordOf(fixture, checkout)).toEqual({ ...PAID, charges: ['PIX PAID'] });
    expect(fixture.provider.isReturned(payment)).toBe(false);
  });

  it('changes nothing by a second cancellation or one after the deadline', async () => {
    const { checkout } = await sleepingCheckout(fixture);
    expect([await cancelCheckout(fixture, checkout), await cancelCheckout(fixture, checkout)]).toEqual([
      'CANCELLED',
      'CANCELLED',
    ]);
    const { checkout: expired, workflow } = await sleepingCheckout(fixture);
    await workflow.result();
    expect(await cancelCheckout(fixture, expired)).toBe('EXPIRED');
  });
});

describe('a payment link', () => {
  async function sleepingLink(changes: Partial<Checkout> = {}) {
    const link = await openLink(fixture, changes);
    return { link, workflow: await startCheckoutAsleep(fixture, link) };
  }

  it('sums up the payments of a link with an event for each and no workflow task', async () => {
    const { link, workflow } = await sleepingLink();
    await beginPayment(fixture, link, { method: 'CARD' });
    await notify(fixture, await mustPay(fixture, await beginPayment(fixture, link)));
    expect(await checkoutRecordOf(fixture, link)).toEqual({
      status: 'PENDING',
      paidAmountCents: 20_000,
      charges: ['CARD PAID', 'PIX PAID'],
      payments: ['ACCEPTED 10000', 'ACCEPTED 10000'],
      events: 2,
    });
    expect((await workflow.fetchHistory()).events).toHaveLength(1);
  });

  it('accepts a payment of a link after three years', async () => {
    const { link } = await sleepingLink();
    await fixture.environment.sleep(3 * 365 * DAY_MS);
    expect(await beginPayment(fixture, link, { method: 'CARD' })).toMatchObject({ status: 'PAID' });
  });

  it('answers CANCELLED for a link and then closes its open charges', async () => {
    const { link, workflow } = await sleepingLink();
    const charges = await Promise.all([beginPayment(fixture, link), beginPayment(fixture, link)]);
    expect(await cancelCheckout(fixture, link)).toBe('CANCELLED');
    await eventually(async () =>
      expect(await checkoutRecordOf(fixture, link)).toMatchObject({
        status: 'CANCELLED',
        charges: ['PIX CANCELLED', 'PIX CANCELLED'],
      }),
    );
    for (const { providerReference } of charges)
      expect(fixture.provider.isClosed(providerReference)).toBe(true);
    expect(await endOf(fixture, workflow)).toBe('CANCELLED');
    expect(await tryPayment(fixture, link)).toBe('NOT_OPEN');
  });

  it('leaves an open upsell payable when its link is cancelled', async () => {
    const { id: upSellProductId } = await insertProduct(fixture, { priceCents: 1_500 });
    const { link, workflow } = await sleepingLink({ upSellProductId });
    const first = await beginPayment(fixture, link);
    await notify(fixture, await mustPay(fixture, first));
    const upsell = await takeUpSell(fixture, first);
    const other = await beginPayment(fixture, link);
    expect(await cancelCheckout(fixture, link)).toBe('CANCELLED');
    await endOf(fixture, chargeWorkflowOf(fixture, other));
    await endOf(fixture, workflow);
    expect(await checkoutRecordOf(fixture, link)).toMatchObject({
      charges: ['PIX PAID', 'PIX PENDING', 'PIX CANCELLED'],
    });
    expect(await notify(fixture, await mustPay(fixture, upsell))).toBe('PAID');
    expect(await checkoutRecordOf(fixture, link)).toMatchObject({
      status: 'CANCELLED',
      paidAmountCents: 11_500,
    });
  });
});
