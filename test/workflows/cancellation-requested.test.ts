import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askForPayout } from '../support/api/store-request.ts';
import { mustPay, recordOf } from '../support/lives/charge-life.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  checkoutRecordOf,
  checkoutWorkflowOf,
  sleepingCheckout,
} from '../support/lives/checkout-life.ts';
import { payoutOf, startPayout } from '../support/lives/money-life.ts';
import {
  DAY_MS,
  eventsOf,
  insertSubscription,
  startSubscription,
  subscriptionOf,
  workflowOf,
} from '../support/lives/subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { credit } from '../support/rows/credit.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let world: WorkflowWorld;
beforeAll(async () => {
  // The real server, which decides whether a request wakes a run that sleeps to its first task.
  const environment = await connectToRealServer();
  world = await createWorkflowWorld({ environment, taskQueue: 'cancellation-requested' });
});
afterAll(() => world.close());

describe('"Request Cancellation" of the Temporal UI', () => {
  it('cancels a charge that waits for its payer, here and at the provider', async () => {
    const charge = await insertPix(world);
    const workflow = await startAsleep(world, charge);
    await workflow.cancel();
    expect(await workflow.result()).toBe('CANCELLED');
    expect(await recordOf(world, charge)).toMatchObject({ status: 'CANCELLED', payments: [] });
    expect(world.provider.isClosed(charge.providerReference)).toBe(true);
  });

  it('leaves a charge PAID whose payer was first', async () => {
    const charge = await insertPix(world);
    const workflow = await startAsleep(world, charge);
    await mustPay(world, charge);
    await workflow.cancel();
    expect(await workflow.result()).toBe('PAID');
    expect(await recordOf(world, charge)).toMatchObject({ status: 'PAID', payments: ['ACCEPTED 10000'] });
  });

  it('cancels a checkout and the charges that were begun in it', async () => {
    const { checkout } = await sleepingCheckout(world);
    const charge = await beginPayment(world, checkout, { method: 'PIX' });
    await checkoutWorkflowOf(world, checkout).cancel();
    await eventually(async () => expect((await checkoutRecordOf(world, checkout)).status).toBe('CANCELLED'));
    expect(await recordOf(world, charge)).toMatchObject({ status: 'CANCELLED' });
    expect(await chargeWorkflowOf(world, charge).result()).toBe('CANCELLED');
  });

  it('cancels a subscription, which is told as its cancellation', async () => {
    const subscription = await insertSubscription(world, new Date(Date.now() - DAY_MS));
    await startSubscription(world, subscription);
    await workflowOf(world, subscription).cancel();
    expect(await workflowOf(world, subscription).result()).toBe('CANCELLED');
    expect(await subscriptionOf(world, { id: subscription.id })).toMatchObject({ status: 'CANCELLED' });
    expect(await eventsOf(world, subscription)).toContain('cancelled');
  });

  it('calls no money back that is on its way', async () => {
    const { database, storeId } = world;
    await credit(database, { storeId, devMode: true }, 10_000);
    world.provider.answerTransfers({ outcome: 'PENDING' });
    const row = await askForPayout(world, 1_000);
    const workflow = await startPayout(world, row);
    await workflow.cancel();
    expect(await workflow.result()).toBe('COMPLETE');
    expect(await payoutOf(world, row.id)).toMatchObject({ status: 'COMPLETE' });
  });
});
