import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Intake } from '../../src/notifications/intake.ts';
import { chargeUpdates, mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_S = 60;
const DAY = { expiresInS: 24 * 60 * MINUTE_S };
const PAID = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['transparent.completed'],
  deliveries: 1,
};

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
  await fixture.listen();
});
afterAll(() => fixture.close());

/** A payment that its bank notified once, and does not find yet. */
async function notifiedTooEarly() {
  const charge = await insertPix(fixture, DAY);
  const workflow = await startAsleep(fixture, charge);
  const payment = await mustPay(fixture, charge);
  fixture.provider.hideFromLookUps(payment);
  await expect(notify(fixture, payment)).rejects.toThrow('does not know the payment');
  return { charge, workflow, payment };
}

describe('a payment that the bank notified before its look-up knows it', () => {
  it('accepts the payment within five minutes after the bank knows it', async () => {
    const { charge, payment } = await notifiedTooEarly();
    await fixture.environment.sleep(`${55 * MINUTE_S} seconds`);
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PENDING', payments: [] });
    fixture.provider.hideFromLookUps(payment, false);
    await fixture.environment.sleep(`${5 * MINUTE_S} seconds`);
    await eventually(async () => expect(await recordOf(fixture, charge)).toEqual(PAID));
  });

  it('accepts the payment at once if the bank notifies it again', async () => {
    const { charge, payment } = await notifiedTooEarly();
    await fixture.environment.sleep(`${30 * MINUTE_S} seconds`);
    fixture.provider.hideFromLookUps(payment, false);
    await notify(fixture, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(fixture, charge)).toEqual(PAID));
    expect(await notify(fixture, payment)).toBe('PAID');
  });

  it('answers with the status of the row if the run repeats an older answer', async () => {
    const { charge, payment } = await notifiedTooEarly();
    fixture.provider.hideFromLookUps(payment, false);
    await notify(fixture, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(fixture, charge)).toEqual(PAID));
    const updates = chargeUpdates(fixture);
    const intake = new Intake(fixture.database, {
      confirmPayment: async () => 'PENDING',
      askProviderNow: (id) => updates.askProviderNow(id),
      lookUpPayment: (...given) => updates.lookUpPayment(...given),
      confirmDispute: (...given) => updates.confirmDispute(...given),
    });
    expect(await intake.receivePayment({ provider: fixture.provider.name, ...payment }, null)).toBe('PAID');
  });

  it('accepts a payment that is notified again five hours later', async () => {
    const { charge, payment } = await notifiedTooEarly();
    await fixture.environment.sleep('5 hours');
    fixture.provider.hideFromLookUps(payment, false);
    await notify(fixture, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(fixture, charge)).toEqual(PAID));
  });

  it('accepts the payment of a charge that expired before the bank knew it', async () => {
    const charge = await insertPix(fixture, { expiresInS: 10 * MINUTE_S });
    const workflow = await startAsleep(fixture, charge);
    const payment = await mustPay(fixture, charge);
    fixture.provider.hideFromLookUps(payment);
    fixture.provider.hideFromClosing(payment);
    await notify(fixture, payment).catch(() => undefined);
    await fixture.environment.sleep(`${20 * MINUTE_S} seconds`);
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'EXPIRED', payments: [] });
    fixture.provider.hideFromLookUps(payment, false);
    await fixture.environment.sleep(`${5 * MINUTE_S} seconds`);
    await eventually(async () => expect(await recordOf(fixture, charge)).toEqual(PAID));
    expect(await workflow.result()).toBe('PAID');
  });

  it('accepts a payment that is notified again after the run ended EXPIRED', async () => {
    const charge = await insertPix(fixture, { expiresInS: 10 * MINUTE_S });
    const workflow = await startAsleep(fixture, charge);
    const payment = await mustPay(fixture, charge);
    fixture.provider.hideFromLookUps(payment);
    fixture.provider.hideFromClosing(payment);
    await notify(fixture, payment).catch(() => undefined);
    expect(await workflow.result()).toBe('EXPIRED');
    fixture.provider.hideFromLookUps(payment, false);
    await notify(fixture, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(fixture, charge)).toEqual(PAID));
  });

  it('adds fewer than 300 events and ends with the charge if it is never found', async () => {
    const { workflow, payment } = await notifiedTooEarly();
    fixture.provider.hideFromClosing(payment);
    await fixture.environment.sleep('2 hours');
    const { historyLength } = await workflow.describe();
    expect(historyLength).toBeLessThan(300);
    await fixture.environment.sleep('1 day');
    expect(await workflow.result()).toBe('EXPIRED');
  });
});
