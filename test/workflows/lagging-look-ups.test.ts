import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Intake } from '../../src/notifications/intake.ts';
import { chargeUpdates, mustPay, notify, recordOf } from '../support/lives/charge-life.ts';
import { createListeningWorld, type ListeningWorld } from '../support/lives/listening-world.ts';
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

let world: ListeningWorld;
beforeAll(async () => {
  world = await createListeningWorld();
  await world.listen();
});
afterAll(() => world.close());

/** A payment that its bank notified once, and does not find yet. */
async function notifiedTooEarly() {
  const charge = await insertPix(world, DAY);
  const workflow = await startAsleep(world, charge);
  const payment = await mustPay(world, charge);
  world.provider.hideFromLookUps(payment);
  await expect(notify(world, payment)).rejects.toThrow('does not know the payment');
  return { charge, workflow, payment };
}

describe('a payment that the bank notified before its look-up knows it', () => {
  it('is accepted within five minutes without another notification', async () => {
    const { charge, payment } = await notifiedTooEarly();
    await world.environment.sleep(`${55 * MINUTE_S} seconds`);
    expect(await recordOf(world, charge)).toMatchObject({ status: 'PENDING', payments: [] });
    world.provider.hideFromLookUps(payment, false);
    await world.environment.sleep(`${5 * MINUTE_S} seconds`);
    await eventually(async () => expect(await recordOf(world, charge)).toEqual(PAID));
  });

  it('is accepted at once when the bank notifies it again', async () => {
    const { charge, payment } = await notifiedTooEarly();
    await world.environment.sleep(`${30 * MINUTE_S} seconds`);
    world.provider.hideFromLookUps(payment, false);
    await notify(world, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(world, charge)).toEqual(PAID));
    expect(await notify(world, payment)).toBe('PAID');
  });

  it('answers with the status of the row if the run repeats an older answer', async () => {
    const { charge, payment } = await notifiedTooEarly();
    world.provider.hideFromLookUps(payment, false);
    await notify(world, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(world, charge)).toEqual(PAID));
    const updates = chargeUpdates(world);
    const intake = new Intake(world.database, {
      confirmPayment: async () => 'PENDING',
      askProviderNow: (id) => updates.askProviderNow(id),
      lookUpPayment: (...given) => updates.lookUpPayment(...given),
      confirmDispute: (...given) => updates.confirmDispute(...given),
    });
    expect(await intake.receivePayment({ provider: world.provider.name, ...payment }, null)).toBe('PAID');
  });

  it('is accepted when it is notified again hours after the run gave up', async () => {
    const { charge, payment } = await notifiedTooEarly();
    await world.environment.sleep('5 hours');
    world.provider.hideFromLookUps(payment, false);
    await notify(world, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(world, charge)).toEqual(PAID));
  });

  it('is accepted by a charge that expired before the bank knew it', async () => {
    const charge = await insertPix(world, { expiresInS: 10 * MINUTE_S });
    const workflow = await startAsleep(world, charge);
    const payment = await mustPay(world, charge);
    world.provider.hideFromLookUps(payment);
    world.provider.hideFromClosing(payment);
    await notify(world, payment).catch(() => undefined);
    await world.environment.sleep(`${20 * MINUTE_S} seconds`);
    expect(await recordOf(world, charge)).toMatchObject({ status: 'EXPIRED', payments: [] });
    world.provider.hideFromLookUps(payment, false);
    await world.environment.sleep(`${5 * MINUTE_S} seconds`);
    await eventually(async () => expect(await recordOf(world, charge)).toEqual(PAID));
    expect(await workflow.result()).toBe('PAID');
  });

  it('is accepted when it is notified again after the run of its expired charge has ended', async () => {
    const charge = await insertPix(world, { expiresInS: 10 * MINUTE_S });
    const workflow = await startAsleep(world, charge);
    const payment = await mustPay(world, charge);
    world.provider.hideFromLookUps(payment);
    world.provider.hideFromClosing(payment);
    await notify(world, payment).catch(() => undefined);
    expect(await workflow.result()).toBe('EXPIRED');
    world.provider.hideFromLookUps(payment, false);
    await notify(world, payment).catch(() => undefined);
    await eventually(async () => expect(await recordOf(world, charge)).toEqual(PAID));
  });

  it('costs a run that never finds it few events, and ends with the charge', async () => {
    const { workflow, payment } = await notifiedTooEarly();
    world.provider.hideFromClosing(payment);
    await world.environment.sleep('2 hours');
    const { historyLength } = await workflow.describe();
    expect(historyLength).toBeLessThan(300);
    await world.environment.sleep('1 day');
    expect(await workflow.result()).toBe('EXPIRED');
  });
});
