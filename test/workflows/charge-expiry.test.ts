import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mustPay, notify, pay, recordOf } from '../support/lives/charge-life.ts';
import { createListeningWorld, type ListeningWorld } from '../support/lives/listening-world.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let world: ListeningWorld;
beforeAll(async () => {
  world = await createListeningWorld();
  await world.listen();
});
afterAll(() => world.close());

const EXPIRED = { status: 'EXPIRED', paidAmountCents: null, payments: [], events: [], deliveries: 0 };
const PAID = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['transparent.completed'],
  deliveries: 1,
};

describe('a PIX charge that nobody pays', () => {
  it('is EXPIRED at its deadline, and its provider refuses money from then on', async () => {
    const charge = await insertPix(world);
    const workflow = await startAsleep(world, charge);
    expect(await workflow.result()).toBe('EXPIRED');
    const { startTime, closeTime } = await workflow.describe();
    expect(startTime.getTime()).toBeLessThan(charge.closesAt.getTime());
    expect(closeTime?.getTime()).toBeGreaterThanOrEqual(charge.closesAt.getTime());
    expect(await recordOf(world, charge)).toEqual(EXPIRED);
    expect(await pay(world, charge)).toBeNull();
  });

  it('can be paid until just before its deadline', async () => {
    const charge = await insertPix(world);
    await startAsleep(world, charge);
    await world.environment.sleep(charge.closesAt.getTime() - (await world.now()).getTime() - 60_000);
    expect((await recordOf(world, charge)).status).toBe('PENDING');
    expect(await notify(world, await mustPay(world, charge))).toBe('PAID');
  });

  it('expires although its provider fails three times first', async () => {
    const charge = await insertPix(world);
    world.provider.failNext('close', 3);
    expect(await (await startAsleep(world, charge)).result()).toBe('EXPIRED');
    expect(world.provider.isClosed(charge.providerReference)).toBe(true);
  });
});

describe('a payment whose notification was lost', () => {
  it('is found when the charge closes', async () => {
    const charge = await insertPix(world);
    const workflow = await startAsleep(world, charge);
    const payment = await mustPay(world, charge);
    expect(await workflow.result()).toBe('PAID');
    expect(await recordOf(world, charge)).toEqual(PAID);
    expect(world.provider.isReturned(payment)).toBe(false);
  });

  it('changes nothing more when the notification turns up after all', async () => {
    const charge = await insertPix(world);
    const workflow = await startAsleep(world, charge);
    const payment = await mustPay(world, charge);
    await workflow.result();
    expect(await notify(world, payment)).toBe('PAID');
    expect(await recordOf(world, charge)).toEqual(PAID);
    expect(world.provider.isReturned(payment)).toBe(false);
  });

  it('is returned when it was too little, and the charge expires', async () => {
    const charge = await insertPix(world);
    const workflow = await startAsleep(world, charge);
    const payment = await mustPay(world, charge, { amountCents: 9_999 });
    expect(await workflow.result()).toBe('EXPIRED');
    expect(await recordOf(world, charge)).toEqual({ ...EXPIRED, payments: ['RETURNED 9999'] });
    expect(world.provider.isReturned(payment)).toBe(true);
  });
});

describe('a payment that reaches an expired charge all the same', () => {
  it('is returned in full, once, however often it is notified', async () => {
    const charge = await insertPix(world);
    await (await startAsleep(world, charge)).result();
    const payment = world.provider.payDespiteClosing({
      reference: charge.providerReference,
      amountCents: 10_000,
      paidAt: await world.now(),
    });
    for (let times = 0; times < 3; times++) expect(await notify(world, payment)).toBe('EXPIRED');
    expect(await recordOf(world, charge)).toEqual({ ...EXPIRED, payments: ['RETURNED 10000'] });
    expect(world.provider.isReturned(payment)).toBe(true);
  });

  it('is returned even where returning fails three times first', async () => {
    const charge = await insertPix(world);
    await (await startAsleep(world, charge)).result();
    const paid = { reference: charge.providerReference, amountCents: 10_000, paidAt: await world.now() };
    const payment = world.provider.payDespiteClosing(paid);
    world.provider.failNext('refund', 3);
    expect(await notify(world, payment)).toBe('EXPIRED');
    expect(await recordOf(world, charge)).toEqual({ ...EXPIRED, payments: ['RETURNED 10000'] });
    expect(world.provider.isReturned(payment)).toBe(true);
  });
});
