import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ShownInvoice } from '../../../src/api/invoices/schema.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { buildCustomer, buildProduct } from '../../support/rows/catalog.ts';
import { buildCheckout } from '../../support/rows/checkouts.ts';
import { payCheckout } from '../../support/rows/payments.ts';
import { eventually } from '../../support/waiting/eventually.ts';

let app: MoneyApp;
let owner: DashboardUser;
let viewer: DashboardUser;
let invoice: ShownInvoice;
let other: ShownInvoice;
beforeAll(async () => {
  app = await createMoneyApp();
  const place = { url: app.api.url, database: app.database };
  owner = await signedIn(place, app.storeId, 'owner', 'owner@example.com');
  viewer = await signedIn(place, app.storeId, 'viewer', 'viewer@example.com');
  const customer = await buildCustomer(app.api, { name: 'Ana Souza', taxId: '529.982.247-25' });
  const { id } = await buildProduct(app.api, { price: 4_500, name: 'Caneca' });
  const checkout = await buildCheckout(app.api, {
    items: [{ id, quantity: 2 }],
    customerId: customer.id,
  });
  await payCheckout(app.api, checkout.id);
  await payCheckout(app.api, (await buildCheckout(app.api)).id);
  await eventually(async () => {
    const all = dataOf<ShownInvoice[]>(await app.api.get('/v2/invoices/list'));
    expect(all).toHaveLength(2);
    [other, invoice] = all as [ShownInvoice, ShownInvoice];
  });
});
afterAll(() => app.close());

const at = (path: string, storeId: string = app.storeId) => `/dashboard/${storeId}/dev${path}`;
const linksOf = (html: string) =>
  [...html.matchAll(/class="row__link" href="[^"]*\/([^"/]+)"/g)].map(([, id]) => id);

it('lists invoices, newest first, and finds one by its number', async () => {
  const { html, text } = await owner.get(at('/invoices'));
  expect(linksOf(html)).toEqual([other.id, invoice.id]);
  expect(text).toMatch(new RegExp(`${invoice.number}.*Ana Souza.*Paga.*R\\$ 90,00`, 's'));
  expect(linksOf((await owner.get(at(`/invoices?number=${invoice.number}`))).html)).toEqual([invoice.id]);
  expect((await owner.get(at('/invoices?status=VOID'))).text).toContain('Nenhuma fatura com estes filtros');
  const found = await owner.get(at(`/search?q=${invoice.number}`));
  expect(found.html).toContain(at(`/invoices/${invoice.id}`));
});

it('shows the lines of an invoice with links to payment and checkout', async () => {
  const { html, text } = await owner.get(at(`/invoices/${invoice.id}`));
  expect(text).toMatch(/Caneca.*2.*R\$ 45,00.*R\$ 90,00/s);
  expect(text).toContain('529.982.247-25');
  for (const path of [`/payments/${invoice.paymentId}`, `/checkouts/${invoice.checkoutId}`])
    expect(html).toContain(`href="${at(path)}"`);
  const payment = await owner.get(at(`/payments/${invoice.paymentId}`));
  expect(payment.html).toContain(`href="${at(`/invoices/${invoice.id}`)}"`);
});

it('masks the tax id for members who do not see those of customers', async () => {
  const page = await viewer.get(at(`/invoices/${invoice.id}`));
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('529.982.247-25');
  const sheet = await viewer.get(at('/invoices?format=people'));
  expect(sheet.html).toContain(`${invoice.number};`);
  expect(sheet.html).not.toContain('529.982.247-25');
  expect((await owner.get(at('/invoices?format=people'))).html).toContain('529.982.247-25');
});

it('downloads the invoice as PDF, and answers 404 in another store', async () => {
  const file = await owner.get(at(`/invoices/${invoice.id}/pdf`));
  expect([file.status, file.html.slice(0, 5)]).toEqual([200, '%PDF-']);
  const { storeId } = await app.anotherStore();
  const stranger = await signedIn(
    { url: app.api.url, database: app.database },
    storeId,
    'owner',
    'eve@example.com',
  );
  for (const path of [`/invoices/${invoice.id}`, `/invoices/${invoice.id}/pdf`, '/invoices/invc_none'])
    expect([path, (await stranger.get(at(path, storeId))).status]).toEqual([path, 404]);
});
