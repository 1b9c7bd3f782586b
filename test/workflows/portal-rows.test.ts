import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Customer, CustomerEntity } from '../../src/database/entities/customer.ts';
import { ownSubscription, paymentsOf, subscriptionsOf } from '../../src/portal/own-rows.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, openCheckout } from '../support/fixtures/checkouts.ts';
import { subscribe } from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertCustomer } from '../support/rows/checkout-rows.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const em = () => fixture.database.em.fork();
const email = 'vera@example.com';
const customerOfStore = async () => ({
  ...(await insertCustomer(fixture, { name: 'Vera Lima', email })),
  email,
});

/** Somebody else who types the tax id of the customer, with an address of their own or none. */
const strangerWith = ({ taxId }: Customer, typedEmail: string | null) => ({
  name: 'Eve',
  taxId,
  email: typedEmail,
  cellphone: null,
});

it('keeps what the store named the customer for when it changes their address', async () => {
  const customer = await customerOfStore();
  const checkout = await openCheckout(fixture, { customerId: customer.id });
  const charge = await beginPayment(fixture, checkout, { method: 'PIX' });
  await notify(fixture, await mustPay(fixture, charge));
  const subscription = await subscribe(fixture, { customerId: customer.id });
  const moved = { ...customer, email: 'vera@new.example' };
  await em().nativeUpdate(CustomerEntity, { id: customer.id }, { email: moved.email });
  expect(await paymentsOf(em(), moved)).toHaveLength(2);
  expect(await ownSubscription(em(), moved, subscription.id)).toMatchObject({ id: subscription.id });
});

it.each([['eve@example.com'], [null]])(
  'hides what a stranger pays who types the tax id, with the address %s',
  async (typedEmail) => {
    const customer = await customerOfStore();
    const payer = strangerWith(customer, typedEmail);
    const checkout = await openCheckout(fixture, { customerId: null });
    const charge = await beginPayment(fixture, checkout, { method: 'PIX', payer });
    await notify(fixture, await mustPay(fixture, charge));
    const subscription = await subscribe(fixture, { customerId: null, payer });
    expect(subscription).toMatchObject({ customerId: customer.id, customerNamedBy: 'PAYER' });
    expect(await paymentsOf(em(), customer)).toEqual([]);
    expect(await subscriptionsOf(em(), customer)).toEqual([]);
    expect(await ownSubscription(em(), customer, subscription.id)).toBeNull();
  },
);

it('shows what the customer pays whom the store named', async () => {
  const customer = await customerOfStore();
  const checkout = await openCheckout(fixture, { customerId: customer.id });
  const charge = await beginPayment(fixture, checkout, { method: 'PIX' });
  expect(await paymentsOf(em(), customer)).toMatchObject([{ id: charge.id, status: 'PENDING' }]);
  await notify(fixture, await mustPay(fixture, charge));
  const subscription = await subscribe(fixture, { customerId: customer.id });
  expect(await paymentsOf(em(), customer)).toHaveLength(2);
  expect(await ownSubscription(em(), customer, subscription.id)).toMatchObject({ id: subscription.id });
});
