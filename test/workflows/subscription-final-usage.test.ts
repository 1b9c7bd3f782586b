import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { paymentsOf } from '../../src/portal/own-rows.ts';
import { previewCharges } from '../../src/subscriptions/preview-charges.ts';
import {
  addUsage,
  cancelSubscription,
  cyclesOf,
  eventsOf,
  scheduleCancellation,
  sleepUntil,
  subscribe,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertCustomer, insertProduct } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const em = () => fixture.database.em.fork();

/** A subscription whose plan charges usage at a cancellation. */
async function metered(terms: Parameters<typeof subscribe>[1] = {}): Promise<Subscription> {
  const subscription = await subscribe(fixture, terms);
  await em().nativeUpdate(ProductEntity, { id: subscription.plan.productId }, { billsFinalUsage: true });
  return subscription;
}

/** The checkout that charges its usage, and the charges of it. */
async function finalOf({ id }: Subscription) {
  const { finalUsage } = await subscriptionOf(fixture, { id });
  if (finalUsage === null) return null;
  const { checkoutId } = finalUsage;
  const checkout = await em().findOneOrFail(CheckoutEntity, { id: checkoutId });
  const charges = await em().find(ChargeEntity, { checkoutId }, { orderBy: { createdAt: 'asc' } });
  return { checkout, charges, finalUsage };
}

const paidFinal = (subscription: Subscription) =>
  eventually(async () => {
    const final = await finalOf(subscription);
    expect(final?.checkout.status).toBe('PAID');
    return final;
  });

describe('usage that no cycle has charged', () => {
  it('charges the card when the subscription is cancelled', async () => {
    const subscription = await metered();
    const message = await insertProduct(fixture, { name: 'Mensagem', priceCents: 25 });
    await addUsage(fixture, subscription, 40, message);
    await addUsage(fixture, subscription, 700);
    await cancelSubscription(fixture, subscription);
    const final = await paidFinal(subscription);
    expect(final?.charges).toMatchObject([
      { method: 'CARD', status: 'PAID', amountCents: 1_700, customerId: subscription.customerId },
    ]);
    expect(final?.checkout.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Mensagem', quantity: 40, unitPriceCents: 25 }),
        expect.objectContaining({ quantity: 700, unitPriceCents: 1 }),
      ]),
    );
    expect(await subscriptionOf(fixture, subscription)).toMatchObject({ status: 'CANCELLED' });
    expect(await cyclesOf(fixture, subscription)).toHaveLength(1);
    expect(await eventsOf(fixture, subscription)).not.toContain('renewed');
  });

  it('charges once, however often the cancellation is repeated', async () => {
    const subscription = await metered();
    await addUsage(fixture, subscription, 500);
    const cancel = () => cancelSubscription(fixture, subscription).catch(() => 'refused');
    await Promise.all([cancel(), cancel(), cancel()]);
    const final = await paidFinal(subscription);
    expect(final?.charges).toHaveLength(1);
    const owned = await em().count(CheckoutEntity, { items: { $ne: null }, amountCents: 500 } as never);
    expect(owned).toBe(1);
  });

  it('leaves the checkout open for another card if the card is declined', async () => {
    const subscription = await metered();
    await addUsage(fixture, subscription, 900);
    fixture.provider.declineNext('insufficient_funds');
    await cancelSubscription(fixture, subscription);
    const failed = await eventually(async () => {
      const final = await finalOf(subscription);
      expect(final?.charges).toMatchObject([{ status: 'FAILED', failureReason: 'insufficient_funds' }]);
      return final;
    });
    expect(failed?.checkout).toMatchObject({ status: 'PENDING', methods: ['CARD', 'PIX'] });
  });

  it('waits on a page for a payer by PIX', async () => {
    const subscription = await metered({ methods: ['PIX'] });
    await addUsage(fixture, subscription, 900);
    await cancelSubscription(fixture, subscription);
    const final = await finalOf(subscription);
    expect(final).toMatchObject({ charges: [], checkout: { status: 'PENDING', amountCents: 900 } });
    expect(final?.checkout.methods[0]).toBe('PIX');
  });

  it.each(['CARD', 'PIX'] as const)(
    'names no customer whose tax id a payer by %s only typed',
    async (method) => {
      const email = 'vera@example.com';
      const customer = { ...(await insertCustomer(fixture, { name: 'Vera Lima', email })), email };
      const payer = { name: 'Eve', taxId: customer.taxId, email: 'eve@example.com', cellphone: null };
      const subscription = await metered({ methods: [method], customerId: null, payer });
      expect(subscription.customerId).toBe(customer.id);
      await addUsage(fixture, subscription, 900);
      if (method === 'CARD') fixture.provider.declineNext('insufficient_funds');
      await cancelSubscription(fixture, subscription);
      const final = await finalOf(subscription);
      // Its page names the customer of a checkout, and their portal shows the payments of it.
      expect(final?.checkout).toMatchObject({ customerId: null, amountCents: 900 });
      expect(await paymentsOf(em(), customer)).toEqual([]);
    },
  );

  it('names the customer whom the store named for the subscription', async () => {
    const { id: customerId } = await insertCustomer(fixture);
    const subscription = await metered({ methods: ['PIX'], customerId });
    await addUsage(fixture, subscription, 900);
    await cancelSubscription(fixture, subscription);
    expect((await finalOf(subscription))?.checkout).toMatchObject({ customerId });
  });

  it('charges at the end of the period, not when it is scheduled', async () => {
    const subscription = await metered();
    await scheduleCancellation(fixture, subscription);
    await addUsage(fixture, subscription, 1_200);
    expect(await finalOf(subscription)).toBeNull();
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    const final = await paidFinal(subscription);
    expect(final?.charges).toMatchObject([{ status: 'PAID', amountCents: 1_200 }]);
  });

  it('uses up credit first, and equals its preview', async () => {
    const subscription = await metered();
    await em().nativeUpdate(SubscriptionEntity, { id: subscription.id }, { creditCents: 300 });
    await addUsage(fixture, subscription, 1_000);
    const now = await subscriptionOf(fixture, subscription);
    const { charges, creditCents } = await previewCharges(em(), now, { kind: 'CANCEL' }, await fixture.now());
    expect(charges).toMatchObject([{ cycle: { amountCents: 700, usageCents: 1_000, creditCents: 300 } }]);
    expect(creditCents).toBe(0);
    await cancelSubscription(fixture, subscription);
    expect((await paidFinal(subscription))?.checkout).toMatchObject({ amountCents: 700 });
    expect(await subscriptionOf(fixture, subscription)).toMatchObject({ creditCents: 0 });
  });

  it.each([
    ['the plan does not charge it', false, 1_000],
    ['less than one real is owed', true, 99],
    ['nothing was used', true, 0],
  ])('charges nothing if %s', async (_, billsFinalUsage, cents) => {
    const subscription = await subscribe(fixture);
    const { productId } = subscription.plan;
    await em().nativeUpdate(ProductEntity, { id: productId }, { billsFinalUsage });
    if (cents > 0) await addUsage(fixture, subscription, cents);
    await cancelSubscription(fixture, subscription);
    expect(await finalOf(subscription)).toBeNull();
  });
});
