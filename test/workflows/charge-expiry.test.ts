import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mustPay, notify, pay, recordOf } from '../support/fixtures/charges.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
  await fixture.listen();
});
afterAll(() => fixture.close());

const EXPIRED = { status: 'EXPIRED', paidAmountCents: null, payments: [], events: [], deliveries: 0 };
const PAID = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['transparent.completed'],
  deliveries: 1,
};

describe('a PIX charge that nobody pays', () => {
  it('expires an unpaid charge at its deadline and closes it at the provider', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    expect(await workflow.result()).toBe('EXPIRED');
    const { startTime, closeTime } = await workflow.describe();
    expect(startTime.getTime()).toBeLessThan(charge.closesAt.getTime());
    expect(closeTime?.getTime()).toBeGreaterThanOrEqual(charge.closesAt.getTime());
    expect(await recordOf(fixture, charge)).toEqual(EXPIRED);
    expect(await pay(fixture, charge)).toBeNull();
  });

  it('accepts a payment a minute before the deadline', async () => {
    const charge = await insertPix(fixture);
    await startAsleep(fixture, charge);
    await fixture.environment.sleep(charge.closesAt.getTime() - (await fixture.now()).getTime() - 60_000);
    expect((await recordOf(fixture, charge)).status).toBe('PENDING');
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
  });
});

describe('a payment whose notification was lost', () => {
  it('finds a payment without notification when the charge closes', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    const payment = await mustPay(fixture, charge);
    expect(await workflow.result()).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.isReturned(payment)).toBe(false);
  });

  it('changes nothing if the notification comes after the payment was found', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    const payment = await mustPay(fixture, charge);
    await workflow.result();
    expect(await notify(fixture, payment)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.isReturned(payment)).toBe(false);
  });

  it('returns a payment of too little when the charge expires', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    const payment = await mustPay(fixture, charge, { amountCents: 9_999 });
    expect(await workflow.result()).toBe('EXPIRED');
    expect(await recordOf(fixture, charge)).toEqual({ ...EXPIRED, payments: ['RETURNED 9999'] });
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });
});

describe('a payment of an expired charge', () => {
  it('returns the payment in full once, even if it is notified three times', async () => {
    const charge = await insertPix(fixture);
    await (await startAsleep(fixture, charge)).result();
    const payment = fixture.provider.payDespiteClosing({
      reference: charge.providerReference,
      amountCents: 10_000,
      paidAt: await fixture.now(),
    });
    for (let times = 0; times < 3; times++) expect(await notify(fixture, payment)).toBe('EXPIRED');
    expect(await recordOf(fixture, charge)).toEqual({ ...EXPIRED, payments: ['RETURNED 10000'] });
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });
});
