import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askForPayout } from '../support/api/store-request.ts';
import { mustPay, recordOf } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  checkoutRecordOf,
  checkoutWorkflowOf,
  sleepingCheckout,
} from '../support/fixtures/checkouts.ts';
import { payoutOf, startPayout } from '../support/fixtures/money.ts';
import {
  DAY_MS,
  eventsOf,
  insertSubscription,
  startSubscription,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { credit } from '../support/rows/credit.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  // The real server, which decides whether a request wakes a run that sleeps to its first task.
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'cancellation-requested' });
});
afterAll(() => fixture.close());

describe('"Request Cancellation" of the Temporal UI', () => {
  it('cancels an unpaid charge and closes it at the provider', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    await workflow.cancel();
    expect(await workflow.result()).toBe('CANCELLED');
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'CANCELLED', payments: [] });
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
  });

  it('leaves a charge PAID if its payer was first', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    await mustPay(fixture, charge);
    await workflow.cancel();
    expect(await workflow.result()).toBe('PAID');
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PAID', payments: ['ACCEPTED 10000'] });
  });

  it('cancels a checkout and its open charges', async () => {
    const { checkout } = await sleepingCheckout(fixture);
    const charge = await beginPayment(fixture, checkout, { method: 'PIX' });
    await checkoutWorkflowOf(fixture, checkout).cancel();
    await eventually(async () =>
      expect((await checkoutRecordOf(fixture, checkout)).status).toBe('CANCELLED'),
    );
    expect(await recordOf(fixture, charge)).toMatchObject({ status: 'CANCELLED' });
    expect(await chargeWorkflowOf(fixture, charge).result()).toBe('CANCELLED');
  });

  it('cancels a subscription and records subscription.cancelled', async () => {
    const subscription = await insertSubscription(fixture, new Date(Date.now() - DAY_MS));
    await startSubscription(fixture, subscription);
    await workflowOf(fixture, subscription).cancel();
    expect(await workflowOf(fixture, subscription).result()).toBe('CANCELLED');
    expect(await subscriptionOf(fixture, { id: subscription.id })).toMatchObject({ status: 'CANCELLED' });
    expect(await eventsOf(fixture, subscription)).toContain('cancelled');
  });

  it('completes a payout that is already under way', async () => {
    const { database, storeId } = fixture;
    await credit(database, { storeId, devMode: true }, 10_000);
    fixture.provider.answerTransfers({ outcome: 'PENDING' });
    const row = await askForPayout(fixture, 1_000);
    const workflow = await startPayout(fixture, row);
    await workflow.cancel();
    expect(await workflow.result()).toBe('COMPLETE');
    expect(await payoutOf(fixture, row.id)).toMatchObject({ status: 'COMPLETE' });
  });
});
