import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exampleNfseSettings } from '../../../src/api/invoices/nfse/settings-schema.ts';
import type { ShownInvoice } from '../../../src/api/invoices/schema.ts';
import type { PublishedNfse } from '../../../src/wire/nfse.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { buildCustomer } from '../../support/rows/catalog.ts';
import { buildCheckout } from '../../support/rows/checkouts.ts';
import { accessKeyOf } from '../../support/rows/nfse.ts';
import { payCheckout } from '../../support/rows/payments.ts';
import { eventually } from '../../support/waiting/eventually.ts';

const SETTINGS = '/settings/nfse';
const TYPED = {
  ...{ enabled: 'yes', issueOn: 'PAID', cnpj: '11.222.333/0001-81', municipalRegistration: '12345678' },
  ...{ municipalityCode: '3550308', series: '1', serviceCode: '010701', municipalServiceCode: '' },
  ...{ nbsCode: '115022000', issRate: '2,00', simples: 'NONE', simplesAssessment: 'ALL', simplesRate: '' },
  ...{ specialRegime: 'NONE', federalTaxes: '13,45', stateTaxes: '0', municipalTaxes: '2' },
  ...{ ibsCbsOperation: '100301', ibsCbsSituation: '000', ibsCbsClass: '000001' },
};

let app: MoneyApp;
let owner: DashboardUser;
let viewer: DashboardUser;
beforeAll(async () => {
  app = await createMoneyApp();
  const place = { url: app.api.url, database: app.database };
  owner = await signedIn(place, app.storeId, 'owner', 'owner@example.com');
  viewer = await signedIn(place, app.storeId, 'viewer', 'viewer@example.com');
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const submit = (path: string, action: string, fields: Record<string, string>) =>
  owner.submit(at(path), at(action), fields);

it('saves the data of the store, and keeps wrong fields with their reasons', async () => {
  const wrong = { ...TYPED, cnpj: '11.222.333/0001-82', issRate: '2 por cento', series: '50000' };
  const refused = await submit(SETTINGS, SETTINGS, wrong);
  expect(refused.status).toBe(422);
  for (const text of ['Escreva um CNPJ válido', 'de 0 a 5', 'de 1 a 49999'])
    expect(refused.text).toContain(text);
  expect(refused.html).toContain('value="2 por cento"');
  const saved = await submit(SETTINGS, SETTINGS, TYPED);
  expect(saved.status).toBe(303);
  const { devMode, ...settings } = dataOf<Record<string, unknown>>(
    await app.api.get('/v2/invoices/nfse/settings'),
  );
  expect([devMode, settings]).toEqual([true, exampleNfseSettings]);
  expect((await owner.get(at(SETTINGS))).html).toContain('value="13,45"');
  expect((await viewer.get(at(SETTINGS))).status).toBe(403);
});

it('shows the NFS-e of an invoice, issues it again and asks for its cancellation', async () => {
  const customer = await buildCustomer(app.api);
  const checkout = await buildCheckout(app.api, { customerId: customer.id });
  await payCheckout(app.api, checkout.id);
  const nfse = await eventually(async () => {
    const [found] = dataOf<PublishedNfse[]>(await app.api.get('/v2/invoices/nfse/list'));
    expect(found).toBeDefined();
    return found as PublishedNfse;
  });
  const path = `/invoices/${nfse.invoiceId}`;
  expect((await owner.get(at(path))).text).toMatch(/NFS-\u2060e.*Aguardando.*1, série 1/s);
  const errors = [{ code: 'E0188', message: '<b>CNPJ inexistente</b>' }];
  dataOf(await app.api.post('/v2/invoices/nfse/report', { id: nfse.id, status: 'REJECTED', errors }));
  const rejected = await owner.get(at(path));
  expect(rejected.html).toContain('E0188: &lt;b&gt;CNPJ inexistente&lt;/b&gt;');
  expect((await owner.get(at(''))).html).toContain(`href="${at(path)}"`);
  await submit(path, `${path}/nfse`, { omitPayer: 'yes' });
  const again = dataOf<PublishedNfse>(await app.api.get(`/v2/invoices/nfse/get?id=${nfse.id}`));
  expect(again).toMatchObject({ status: 'PENDING', attempt: 2 });
  const file = await owner.get(at(`${path}/dps/${nfse.id}`));
  expect([file.status, file.html.includes('<toma>')]).toEqual([200, false]);
  expect((await viewer.get(at(`${path}/dps/${nfse.id}`))).status).toBe(404);
  const body = { id: nfse.id, status: 'AUTHORIZED', accessKey: accessKeyOf(nfse) };
  dataOf(await app.api.post('/v2/invoices/nfse/report', body));
  await submit(path, `${path}/nfse/${nfse.id}/cancel`, {});
  expect((await owner.get(at(path))).text).toMatch(/Autorizada.*Cancelamento pedido em/s);
  const invoice = dataOf<ShownInvoice>(await app.api.get(`/v2/invoices/get?id=${nfse.invoiceId}`));
  expect(invoice.status).toBe('PAID');
});
