import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  NOON,
  paid,
} from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { PortalReader } from '../../support/web/portal-reader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());

/** Who gave the payment to the customer, and with which address. */
const payment = fc.record({
  owner: fc.nat({ max: 3 }),
  /** With a key, on a page with the customer's own address, or on a page by somebody else who typed the customer's tax id. */
  by: fc.constantFrom('store', 'customer', 'stranger'),
  isSubscription: fc.boolean(),
  /** Rows of releases that did not note who named the customer. */
  isOld: fc.boolean(),
});

it('shows each of two customers of two stores their own rows and no other', async () => {
  const property = fc.asyncProperty(fc.array(payment, { maxLength: 8 }), async (payments) => {
    const stores = [{ id: app.storeId }, await createTestStore(app.database)];
    const shops = stores.map(({ id: storeId }) => ({ database: app.database, storeId }));
    // Two customers of each store. All have the same address but one, as a person buys in several stores.
    const people = await Promise.all(
      shops.flatMap((shop) => [
        insertCustomer(shop, { email: 'ana@example.com' }),
        insertCustomer(shop, { email: 'ana@example.com', typedByPayer: true }),
      ]),
    );
    const expected = people.map((): string[] => []);
    for (const { owner, by, isSubscription, isOld } of payments) {
      const [customer, shop] = [people[owner], shops[owner >> 1]];
      if (customer === undefined || shop === undefined) throw new Error('no such customer');
      const { id: customerId } = customer;
      const payerEmail = by === 'store' ? null : by === 'customer' ? 'Ana@example.com' : 'eve@example.com';
      const source = { customerNamedBy: isOld ? null : by === 'store' ? 'MERCHANT' : 'PAYER' } as const;
      const named = by === 'store' ? { customerId, ...source } : {};
      const isShown = by === 'customer' || (by === 'store' && !customer.typedByPayer);
      if (isSubscription) {
        const made = await insertSubscribed(shop, 'CARD', {
          checkout: { customerId, ...source },
          subscription: { customerId, ...source },
        });
        const charged = { payerEmail, ...source };
        await app.database.em.fork().nativeUpdate(ChargeEntity, { id: made.first.id }, charged);
        // Nothing tells who named the customer of a paid checkout of an older release, so its address decides.
        if (by === 'customer' || (isShown && !isOld))
          expected[owner]?.push(made.first.id, made.subscription.id);
      } else {
        const checkout = await insertCheckout(shop, named);
        const charged = { ...paid(100), customerId, payerEmail, ...source };
        const charge = await insertCharge(shop, checkout, 'PIX', charged);
        if (by !== 'store') {
          const linked = { customerId, ...source, paidByChargeId: charge.id };
          await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: checkout.id }, linked);
        }
        if (isShown) expected[owner]?.push(charge.id);
      }
    }
    for (const [index, customer] of people.entries()) {
      const api = await app.clientWith({ storeId: customer.storeId });
      const link = await api.post('/v2/customer-portal/create', { customerId: customer.id });
      const path = new URL((link.json.data as { url: string }).url).pathname;
      const { text } = await new PortalReader(app).signIn(path, 'ana@example.com');
      const shown = text.match(/(?:\/receipt\/|<h2 id=")((?:pix_char|card|subs)_[0-9A-Z]{26})/g) ?? [];
      const ids = shown.map((each) => each.replace(/^.*[/"]/, ''));
      expect(ids.toSorted()).toEqual((expected[index] ?? []).toSorted());
    }
  });
  await fc.assert(property, { numRuns: 8 });
});
