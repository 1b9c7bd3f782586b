import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { buildCustomer } from '../../support/rows/catalog.ts';
import { buildCheckout } from '../../support/rows/checkouts.ts';
import { payCheckout } from '../../support/rows/payments.ts';
import { eventually } from '../../support/waiting/eventually.ts';
import { PortalReader } from '../../support/web/portal-reader.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

/** A customer with a paid checkout, signed in to the portal, whose page shows the payment's invoice. */
async function buyer(email: string, taxId: string) {
  const customer = await buildCustomer(app.api, { email, taxId });
  const checkout = await buildCheckout(app.api, { customerId: customer.id });
  await payCheckout(app.api, checkout.id);
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, email);
  const { text } = await eventually(async () => {
    const home = await reader.get(path);
    expect(home.text).toMatch(/Invoice \d{4}-\d{6} \(PDF\)/);
    return home;
  });
  const [, file = ''] = /href="([^"]+\/invoice)"/.exec(text) ?? [];
  return { reader, path, file };
}

it('lets a customer download the invoices of their own payments only', async () => {
  const ana = await buyer('ana@example.com', '529.982.247-25');
  const eve = await buyer('eve@example.com', '111.444.777-35');
  const { status, headers, text } = await ana.reader.get(ana.file);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="invoice-\d{4}-\d{6}\.pdf"$/);
  expect(text).toMatch(/^%PDF-1\.7/);
  const others = eve.file.replace(eve.path, ana.path);
  expect((await ana.reader.get(others)).status).toBe(404);
});
