import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvoiceEntity } from '../../src/database/entities/invoice.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { previewCharges } from '../../src/subscriptions/preview-charges.ts';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  nextCycle,
  pauseSubscription,
  resumeSubscription,
  sleepUntil,
  subscribe,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const em = () => fixture.database.em.fork();
/** 100 units are free, the next 1,000 cost 10 cents each, and all others 5 cents. */
const insertMeter = () =>
  insertProduct(fixture, {
    name: 'Mensagem',
    usagePrice: {
      model: 'GRADUATED',
      includedUnits: 100,
      tiers: [
        { upTo: 1_000, unitPriceCents: 10, flatPriceCents: 0 },
        { upTo: null, unitPriceCents: 5, flatPriceCents: 300 },
      ],
    },
  });

/** The amount that a preview names for the next cycle. */
async function previewed(subscription: Pick<Subscription, 'id'>) {
  const row = await subscriptionOf(fixture, subscription);
  const { charges } = await previewCharges(em(), row, { kind: 'NOTHING' }, await fixture.now());
  return charges.at(-1)?.cycle.amountCents;
}

describe('usage with tiers', () => {
  it('charges a cycle as its preview says, and counts from zero in the next', async () => {
    const subscription = await subscribe(fixture);
    const meter = await insertMeter();
    await addUsage(fixture, subscription, 600, meter);
    await addUsage(fixture, subscription, 601, meter);
    const amount = 5_000 + 10_000 + 300 + 505;
    expect(await previewed(subscription)).toBe(amount);
    await nextCycle(fixture, subscription);
    await addUsage(fixture, subscription, 101, meter);
    expect(await previewed(subscription)).toBe(5_010);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, amount, 5_010]);
    const invoices = await em().find(
      InvoiceEntity,
      { subscriptionId: subscription.id, amountCents: amount },
      { disableIdentityMap: true },
    );
    expect(invoices.map(({ lines }) => lines)).toMatchObject([
      [
        { type: 'plan', amountCents: 5_000 },
        { type: 'usage', description: 'Mensagem', quantity: 100, unitPriceCents: 0, amountCents: 0 },
        { type: 'usage', quantity: 1_000, unitPriceCents: 10, amountCents: 10_000 },
        { type: 'usage', quantity: 101, unitPriceCents: 5, amountCents: 505 },
        { type: 'usage', quantity: 1, unitPriceCents: 300, amountCents: 300 },
      ],
    ]);
    await cancelSubscription(fixture, subscription);
  });

  it('keeps the price of usage that a pause carries into the next cycle', async () => {
    const subscription = await subscribe(fixture);
    const meter = await insertMeter();
    await addUsage(fixture, subscription, 150, meter);
    fixture.provider.declineNext('insufficient_funds');
    await nextCycle(fixture, subscription);
    await addUsage(fixture, subscription, 120, meter);
    await pauseSubscription(fixture, subscription);
    await resumeSubscription(fixture, subscription);
    await eventually(async () =>
      expect(await amountsOf(fixture, subscription)).toEqual([5_000, 5_500, 5_000 + 500 + 200]),
    );
    await cancelSubscription(fixture, subscription);
  });

  it('charges what it costs when the subscription is cancelled', async () => {
    const subscription = await subscribe(fixture);
    await em().nativeUpdate(ProductEntity, { id: subscription.plan.productId }, { billsFinalUsage: true });
    const meter = await insertMeter();
    await addUsage(fixture, subscription, 1_201, meter);
    const { cycleEndsAt } = await subscriptionOf(fixture, subscription);
    await sleepUntil(fixture, new Date(cycleEndsAt.getTime() - 24 * 60 * 60 * 1_000));
    await cancelSubscription(fixture, subscription);
    expect((await subscriptionOf(fixture, subscription)).finalUsage).toMatchObject({ amountCents: 10_805 });
  });
});
