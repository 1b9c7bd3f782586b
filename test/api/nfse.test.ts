import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleNfseSettings } from '../../src/api/invoices/nfse/settings-schema.ts';
import type { ShownInvoice } from '../../src/api/invoices/schema.ts';
import { AttentionEntity } from '../../src/database/entities/attention.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import type { PublishedNfse } from '../../src/wire/nfse.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { accessKeyOf } from '../support/rows/nfse.ts';
import { payCheckout } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

const ERRORS = [{ code: 'E0188', message: 'CNPJ do prestador inexistente' }];
const DECLINED_LATER = { number: '4000000000000341' };

let app: MoneyApp;
let api: ApiClient;
let storeId: StoreId;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api, storeId } = await app.anotherStore());
});

const post = (path: string, body: object = {}) => api.post(`/v2/invoices/nfse/${path}`, body);
const setUp = async (changes: object = {}) =>
  dataOf(await post('update-settings', { ...exampleNfseSettings, ...changes }));
const list = async (query = '') => dataOf<PublishedNfse[]>(await api.get(`/v2/invoices/nfse/list?${query}`));
const get = async ({ id }: Pick<PublishedNfse, 'id'>) =>
  dataOf<PublishedNfse>(await api.get(`/v2/invoices/nfse/get?id=${id}`));
const report = async (nfse: Pick<PublishedNfse, 'id'>, status: string, more: object = {}) =>
  dataOf<PublishedNfse>(await post('report', { id: nfse.id, status, ...more }));
const authorize = (nfse: PublishedNfse, number = 42) =>
  report(nfse, 'AUTHORIZED', { accessKey: accessKeyOf(nfse, number) });
const issue = async (invoiceId: string, more: object = {}) =>
  dataOf<PublishedNfse>(await post('issue', { invoiceId, ...more }));
const events = async (name: string) =>
  dataOf<{ data: { nfse: PublishedNfse } }[]>(await api.get(`/v2/events/list?name=${name}`));
const notes = (kind: 'NFSE_REJECTED' | 'NFSE_NOT_CANCELLED') =>
  app.database.em.fork().find(AttentionEntity, { storeId, kind, resolvedAt: null });

async function invoiceOf(checkoutId: string): Promise<ShownInvoice> {
  return eventually(async () => {
    const [invoice] = dataOf<ShownInvoice[]>(await api.get(`/v2/invoices/list?checkoutId=${checkoutId}`));
    expect(invoice).toBeDefined();
    return invoice as ShownInvoice;
  });
}

/** A paid checkout of R$ 50.00. */
async function paid(changes: object = {}) {
  const customer = await buildCustomer(api, { name: 'Ana & Souza', taxId: '529.982.247-25' });
  const { id } = await buildProduct(api, { price: 5_000, name: 'Aula' });
  const checkout = await buildCheckout(api, {
    items: [{ id, quantity: 1 }],
    customerId: customer.id,
    ...changes,
  });
  await payCheckout(api, checkout.id);
  return invoiceOf(checkout.id);
}

/** Its DPS, of a store that issues them by itself. */
async function declared(): Promise<PublishedNfse> {
  await setUp();
  const invoice = await paid();
  return eventually(async () => {
    const [nfse] = await list(`invoiceId=${invoice.id}`);
    expect(nfse).toBeDefined();
    return nfse as PublishedNfse;
  });
}

async function xmlOf({ url, key }: ApiClient, path: string) {
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } });
  return { status: answer.status, type: answer.headers.get('content-type'), xml: await answer.text() };
}

describe('issuing', () => {
  it('issues one numbered DPS per paid invoice, with an event and an XML document', async () => {
    const nfse = await declared();
    expect(nfse).toMatchObject({
      status: 'PENDING',
      dpsId: 'DPS355030821122233300018100001000000000000001',
      series: 1,
      dpsNumber: 1,
      attempt: 1,
      accessKey: null,
      errors: [],
      cancellation: null,
    });
    const { status, type, xml } = await xmlOf(api, nfse.dpsPath);
    expect([status, type]).toEqual([200, 'application/xml']);
    expect(xml).toContain(`<infDPS Id="${nfse.dpsId}">`);
    expect(xml).toContain('<CPF>52998224725</CPF><xNome>Ana &amp; Souza</xNome>');
    expect(xml).toContain('<vServ>50.00</vServ>');
    expect(await events('nfse.pending')).toMatchObject([{ data: { nfse } }]);
    expect(await get(nfse)).toEqual(nfse);
    expect(await list('status=PENDING')).toEqual([nfse]);
  });

  it('issues none if the store is switched off or the invoice charges nothing', async () => {
    const off = await paid();
    await setUp();
    const { code } = await buildCoupon(api, { code: 'GRATIS', discountKind: 'PERCENTAGE', discount: 100 });
    const free = await buildCheckout(api, { coupons: [code] });
    await api.post('/v2/checkouts/simulate-payment', { id: free.id, coupon: code });
    const nothing = await invoiceOf(free.id);
    // Issued later, so those above would have come first.
    await paid();
    await eventually(async () => expect(await list()).toHaveLength(1));
    expect(await list(`invoiceId=${off.id}`)).toEqual([]);
    expect(await list(`invoiceId=${nothing.id}`)).toEqual([]);
    expect(await post('issue', { invoiceId: nothing.id })).toMatchObject({
      status: 422,
      json: { code: 'INVALID_STATE', rule: 'NOTHING_TO_DECLARE' },
    });
  });

  it('issues one on request, once, and only with the data of the store', async () => {
    const invoice = await paid();
    expect(await post('issue', { invoiceId: invoice.id })).toMatchObject({
      status: 422,
      json: { rule: 'NFSE_NOT_SET_UP' },
    });
    await setUp({ enabled: false });
    const answers = await Promise.all(Array.from({ length: 8 }, () => issue(invoice.id)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
    expect(await events('nfse.pending')).toHaveLength(1);
  });

  it('leaves the payer out if that is asked for', async () => {
    await setUp({ enabled: false });
    const nfse = await issue((await paid()).id, { omitPayer: true });
    expect((await xmlOf(api, nfse.dpsPath)).xml).not.toMatch(/<toma>|52998224725/);
  });

  it('declares an open cycle on request, and asks to cancel it once it is void', async () => {
    await setUp({ issueOn: 'CREATED' });
    const plan = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY' });
    const body = { items: [{ id: plan.id, quantity: 1 }], methods: ['CARD'] };
    const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', body));
    const subscribed = await api.post('/v2/checkouts/simulate-payment', { id, card: DECLINED_LATER });
    const { subscriptionId } = dataOf<{ subscriptionId: string }>(subscribed);
    await advance(api, { by: 'P1M' });
    await eventually(async () => expect(await list()).toHaveLength(2));
    // On a busy machine both are declared at once, so their order says nothing.
    const [open] = dataOf<ShownInvoice[]>(await api.get('/v2/invoices/list?status=OPEN'));
    const [renewal] = await list(`invoiceId=${open?.id}`);
    if (!renewal) throw new Error('The renewal has no NFS-e.');
    await authorize(renewal);
    await api.post('/v2/subscriptions/cancel', { id: subscriptionId });
    await eventually(async () =>
      expect(await events('nfse.cancellation_requested')).toMatchObject([
        {
          data: { nfse: { id: renewal.id, cancellation: { reason: 'VOIDED' } }, invoice: { status: 'VOID' } },
        },
      ]),
    );
    expect(await list()).toHaveLength(2);
  });
});

describe('reports', () => {
  it('authorises it once for any number of reports', async () => {
    const nfse = await declared();
    const url = 'https://example.com/nfse/42';
    const body = {
      accessKey: accessKeyOf(nfse),
      attempt: 1,
      verificationUrl: url,
      at: '2026-12-04T14:25:40Z',
    };
    const answers = await Promise.all(Array.from({ length: 8 }, () => report(nfse, 'AUTHORIZED', body)));
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 'AUTHORIZED',
        nfseNumber: 42,
        verificationUrl: url,
        authorizedAt: '2026-12-04T14:25:40.000Z',
      });
    expect(await events('nfse.authorized')).toHaveLength(1);
    expect(await report(nfse, 'REJECTED', { errors: ERRORS })).toMatchObject({ status: 'AUTHORIZED' });
    expect(await events('nfse.rejected')).toEqual([]);
  });

  it('asks a person after a rejection, and keeps the number when it is issued again', async () => {
    const nfse = await declared();
    expect(await report(nfse, 'REJECTED', { errors: ERRORS })).toMatchObject({
      status: 'REJECTED',
      errors: ERRORS,
    });
    expect(await notes('NFSE_REJECTED')).toMatchObject([{ subjectId: `${nfse.id}/${nfse.invoiceId}` }]);
    await setUp({ serviceCode: '010901' });
    const again = await issue(nfse.invoiceId);
    expect(again).toMatchObject({ id: nfse.id, status: 'PENDING', attempt: 2, dpsId: nfse.dpsId });
    expect(await notes('NFSE_REJECTED')).toEqual([]);
    expect((await xmlOf(api, nfse.dpsPath)).xml).toContain('<cTribNac>010701</cTribNac>');
    expect((await xmlOf(api, again.dpsPath)).xml).toContain('<cTribNac>010901</cTribNac>');
    expect(await events('nfse.pending')).toHaveLength(2);
    expect(await report(nfse, 'REJECTED', { attempt: 1, errors: ERRORS })).toMatchObject({
      status: 'PENDING',
    });
    expect(await report(nfse, 'AUTHORIZED', { attempt: 1, accessKey: accessKeyOf(nfse) })).toMatchObject({
      status: 'AUTHORIZED',
      authorizedAttempt: 1,
    });
  });

  it('gives a new number with a new series, and cancels the duplicate', async () => {
    const nfse = await declared();
    await report(nfse, 'REJECTED', { errors: ERRORS });
    await setUp({ series: 7 });
    const other = await issue(nfse.invoiceId);
    expect(other).toMatchObject({ series: 7, dpsNumber: 1, attempt: 1, status: 'PENDING' });
    expect(other.id).not.toBe(nfse.id);
    await authorize(nfse);
    await eventually(async () =>
      expect(await events('nfse.cancellation_requested')).toMatchObject([
        { data: { nfse: { id: nfse.id, cancellation: { reason: 'DUPLICATE' } } } },
      ]),
    );
    expect(await authorize(other, 43)).toMatchObject({ status: 'AUTHORIZED', cancellation: null });
  });

  it('issues another one after a cancellation', async () => {
    const nfse = await declared();
    await authorize(nfse);
    expect(await report(nfse, 'CANCELLED')).toMatchObject({ status: 'CANCELLED' });
    const other = await issue(nfse.invoiceId);
    expect(other).toMatchObject({ dpsNumber: 2, attempt: 1, status: 'PENDING' });
    expect(await authorize(nfse)).toMatchObject({ status: 'CANCELLED' });
    expect(await get(other)).toEqual(other);
  });

  it('refuses an access key of another store, or of another NFS-e', async () => {
    const nfse = await declared();
    const other = await issue((await paid()).id);
    await authorize(nfse);
    for (const accessKey of [
      accessKeyOf(nfse),
      accessKeyOf({ dpsId: nfse.dpsId.replace('11222333000181', '99888777000166') }),
    ])
      expect(await post('report', { id: other.id, status: 'AUTHORIZED', accessKey })).toMatchObject({
        status: 422,
        json: { code: 'NOT_ACCEPTABLE', rule: 'NFSE_OTHER_ACCESS_KEY' },
      });
    const cancelled = await post('report', { id: other.id, status: 'CANCELLED' });
    expect(cancelled).toMatchObject({ status: 422, json: { rule: 'NFSE_NOT_AUTHORIZED' } });
    expect(await get(other)).toMatchObject({ status: 'PENDING' });
  });

  it('gives an access key to one NFS-e when several are reported with it at once', async () => {
    const all = [await declared(), await declared(), await declared(), await declared()];
    const [first] = all;
    const accessKey = accessKeyOf(first as PublishedNfse);
    const answers = await Promise.all(
      all.map(({ id }) => post('report', { id, status: 'AUTHORIZED', accessKey })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });

  it('names every wrong field of a report', async () => {
    const { json, status } = await post('report', {
      ...{
        id: 'nfse_x',
        status: 'REJECTED',
        accessKey: '1',
        verificationUrl: 'javascript:alert(1)',
        more: 1,
      },
    });
    expect(status).toBe(400);
    expect(json.issues?.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['accessKey', 'verificationUrl', 'more']),
    );
    const missing = await post('report', { id: 'nfse_x', status: 'REJECTED' });
    expect(missing.json.issues).toMatchObject([{ path: 'errors' }]);
    const strange = await post('report', { id: 'nfse_x', status: 'CANCELLED', errors: ERRORS });
    expect(strange.json.issues).toMatchObject([{ path: 'errors' }]);
  });
});

describe('cancellations', () => {
  const refund = async ({ invoiceId }: PublishedNfse, more: object = {}) => {
    const { checkoutId } = dataOf<ShownInvoice>(await api.get(`/v2/invoices/get?id=${invoiceId}`));
    dataOf(await api.post('/v2/checkouts/refund', { id: checkoutId, ...more }));
  };

  it('asks for one after a full refund, and for none after a part of it', async () => {
    const nfse = await declared();
    await authorize(nfse);
    await refund(nfse, { amount: 1_000 });
    expect(await get(nfse)).toMatchObject({ cancellation: null });
    await refund(nfse);
    await eventually(async () =>
      expect(await events('nfse.cancellation_requested')).toMatchObject([
        { data: { nfse: { id: nfse.id, cancellation: { reason: 'REFUNDED', errors: [] } } } },
      ]),
    );
    expect(await report(nfse, 'CANCELLED')).toMatchObject({ status: 'CANCELLED' });
    expect(await events('nfse.cancelled')).toHaveLength(1);
    expect(await post('issue', { invoiceId: nfse.invoiceId })).toMatchObject({
      status: 422,
      json: { rule: 'NOTHING_TO_DECLARE' },
    });
  });

  it('asks for it once the NFS-e of a refunded payment is authorised', async () => {
    const nfse = await declared();
    await refund(nfse);
    await eventually(async () =>
      expect(await get(nfse)).toMatchObject({ cancellation: { reason: 'REFUNDED' } }),
    );
    expect(await events('nfse.cancellation_requested')).toEqual([]);
    await authorize(nfse);
    await eventually(async () => expect(await events('nfse.cancellation_requested')).toHaveLength(1));
  });

  it('asks for it on request, and again after a refusal', async () => {
    const nfse = await declared();
    expect(await post('cancel', { id: nfse.id })).toMatchObject({ status: 422 });
    await authorize(nfse);
    const ask = async () => dataOf<PublishedNfse>(await post('cancel', { id: nfse.id }));
    expect(await ask()).toMatchObject({ cancellation: { reason: 'REQUESTED' } });
    await ask();
    await eventually(async () => expect(await events('nfse.cancellation_requested')).toHaveLength(1));
    const refused = await report(nfse, 'CANCELLATION_REFUSED', { errors: ERRORS });
    expect(refused).toMatchObject({ status: 'AUTHORIZED', cancellation: { errors: ERRORS } });
    expect(await notes('NFSE_NOT_CANCELLED')).toHaveLength(1);
    await ask();
    await eventually(async () => expect(await events('nfse.cancellation_requested')).toHaveLength(2));
    await report(nfse, 'CANCELLED');
    expect(await notes('NFSE_NOT_CANCELLED')).toEqual([]);
  });
});

describe('access', () => {
  it('returns 404 for another store and another environment', async () => {
    const nfse = await declared();
    const stranger = await app.anotherStore();
    const production = await app.clientWith({ storeId, devMode: false });
    for (const client of [stranger.api, production]) {
      expect((await client.get(`/v2/invoices/nfse/get?id=${nfse.id}`)).status).toBe(404);
      expect((await xmlOf(client, nfse.dpsPath)).status).toBe(404);
      expect(dataOf(await client.get('/v2/invoices/nfse/list'))).toEqual([]);
      for (const [path, body] of [
        ['issue', { invoiceId: nfse.invoiceId }],
        ['cancel', { id: nfse.id }],
        ['report', { id: nfse.id, status: 'CANCELLED' }],
      ] as const)
        expect((await client.post(`/v2/invoices/nfse/${path}`, body)).status).toBe(404);
    }
    expect((await xmlOf(api, `${nfse.dpsPath}1`)).status).toBe(404);
  });

  it('requires INVOICE:CREATE to change it, and CUSTOMER:READ to read the document', async () => {
    const nfse = await declared();
    const reader = await app.clientWith({ storeId, permissions: ['INVOICE:READ'] as never });
    expect((await reader.get(`/v2/invoices/nfse/get?id=${nfse.id}`)).status).toBe(200);
    expect((await xmlOf(reader, nfse.dpsPath)).status).toBe(403);
    for (const path of ['issue', 'cancel', 'report', 'update-settings'])
      expect((await reader.post(`/v2/invoices/nfse/${path}`, {})).status).toBe(403);
  });
});

describe('the data of the store', () => {
  it('returns what was entered, for each environment', async () => {
    const before = dataOf(await api.get('/v2/invoices/nfse/settings'));
    expect(before).toMatchObject({ enabled: false, cnpj: null });
    await setUp();
    expect(dataOf(await api.get('/v2/invoices/nfse/settings'))).toEqual({
      devMode: true,
      ...exampleNfseSettings,
    });
    const production = await app.clientWith({ storeId, devMode: false });
    expect(dataOf(await production.get('/v2/invoices/nfse/settings'))).toMatchObject({ cnpj: null });
  });

  it('names every field that the tax authority would refuse', async () => {
    const wrong = {
      ...{ cnpj: '11.222.333/0001-82', municipalityCode: '9950308', series: 50_000, serviceCode: '1.07' },
      ...{ issRate: 501, nbsCode: '1', municipalRegistration: 'ab-1' },
    };
    const { status, json } = await post('update-settings', { ...exampleNfseSettings, ...wrong });
    expect(status).toBe(400);
    expect(json.issues?.map(({ path }) => path).sort()).toEqual(
      Object.keys(wrong).toSorted((one, other) => (one < other ? -1 : 1)),
    );
    const together = {
      simples: 'ME_EPP',
      simplesAssessment: 'ALL',
      specialRegime: 'OTHER',
      ibsCbsClass: null,
    };
    const refused = await post('update-settings', { ...exampleNfseSettings, ...together });
    expect(refused.json.issues?.map(({ path }) => path).sort()).toEqual(
      ['federalTaxes', 'ibsCbsClass', 'municipalTaxes', 'simplesRate', 'specialRegime', 'stateTaxes'].sort(),
    );
    expect(dataOf(await api.get('/v2/invoices/nfse/settings'))).toMatchObject({ cnpj: null });
  });
});
