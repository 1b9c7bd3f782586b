import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CustomerView } from '../../../src/api/customers/schema.ts';
import type { Invoice } from '../../../src/database/entities/invoice.ts';
import { invoiceAddress } from '../../../src/invoices/invoice-address.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { buildCheckout, buildPaymentLink } from '../../support/rows/checkouts.ts';
import { payForm } from '../../support/web/pay-form.ts';
import { PortalReader } from '../../support/web/portal-reader.ts';

const STRANGER = 'eve@example.com';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/**
 * A stranger types somebody's tax id on a page of the store, with their own address.
 * @returns the customer, and the payment that the stranger has begun.
 */
async function typedCustomer(payerTaxId: string) {
  const { id: checkoutId } = await buildCheckout(app.api);
  const typed = { method: 'PIX', payerName: 'Ana', payerTaxId, payerEmail: STRANGER };
  const { location } = await payForm(app.api.url, checkoutId, typed);
  const [customer] = dataOf<CustomerView[]>(await app.api.get(`/customers/list?taxId=${payerTaxId}`));
  if (customer === undefined) throw new Error('the payer has no customer');
  return { customerId: customer.id, chargeId: chargeIn(location) };
}

/** Begins the payment of a checkout that the store makes for this customer. */
async function paymentFor(customerId: string): Promise<string | undefined> {
  const { id } = await buildCheckout(app.api, { customerId });
  return chargeIn((await payForm(app.api.url, id, { method: 'PIX' })).location);
}

const chargeIn = (location: string) => location.split('/').at(-1);

/** The ids of the payments in a customer's data, for the reader of this address. */
async function paymentsShownTo(email: string, customerId: string): Promise<string[]> {
  const reader = new PortalReader(app);
  await reader.signIn(`/portal/${customerId}`, email);
  const { text } = await reader.get(`/portal/${customerId}/data`);
  return (JSON.parse(text) as { payments: { id: string }[] }).payments.map(({ id }) => id);
}

it('hides payments of a customer whom the store names from a stranger who typed them', async () => {
  const { customerId, chargeId } = await typedCustomer('529.982.247-25');
  await paymentFor(customerId);
  expect(await paymentsShownTo(STRANGER, customerId)).toEqual([chargeId]);
});

it('trusts a typed address only after the store has given one', async () => {
  const { customerId, chargeId } = await typedCustomer('168.995.350-09');
  const change = { id: customerId, name: 'Ana Souza', metadata: { tier: 'gold' } };
  const changed = dataOf<CustomerView>(await app.api.post('/v2/customers/update', change));
  expect(changed).toMatchObject({ name: 'Ana Souza', typedByPayer: true });
  const own = await paymentFor(customerId);
  expect(await paymentsShownTo(STRANGER, customerId)).toEqual([chargeId]);
  const given = { id: customerId, email: 'ana@example.com' };
  const confirmed = dataOf<CustomerView>(await app.api.post('/v2/customers/update', given));
  expect(confirmed).toMatchObject({ email: 'ana@example.com', typedByPayer: false });
  expect(await paymentsShownTo('ana@example.com', customerId)).toEqual([own]);
});

it('mails no invoice to a typed address', async () => {
  const { customerId } = await typedCustomer('714.602.380-01');
  const { id: checkoutId } = await buildCheckout(app.api, { customerId });
  const em = app.database.em.fork();
  expect(await invoiceAddress(em, { checkoutId, chargeId: null } as Invoice)).toBeNull();
  dataOf(await app.api.post('/v2/customers/update', { id: customerId, email: 'ana@example.com' }));
  expect(await invoiceAddress(em.fork(), { checkoutId, chargeId: null } as Invoice)).toBe('ana@example.com');
});

it('keeps the metadata of a typed customer when the store first describes them', async () => {
  const taxId = '746.971.314-01';
  const { customerId } = await typedCustomer(taxId);
  dataOf(await app.api.post('/v2/customers/update', { id: customerId, metadata: { tier: 'gold' } }));
  const customer = { name: 'Ana', email: 'ana@example.com', taxId };
  const described = dataOf<CustomerView>(await app.api.post('/v2/customers/create', { data: customer }));
  expect(described).toMatchObject({ id: customerId, metadata: { tier: 'gold' }, typedByPayer: false });
});

it('fills no typed address into the form of a payment link', async () => {
  const { customerId } = await typedCustomer('390.533.447-05');
  const link = await buildPaymentLink(app.api, { customerId });
  expect((await app.api.get(`/pay/${link.id}`, { key: null })).text).not.toContain(STRANGER);
});
