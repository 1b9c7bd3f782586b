import { hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomerView } from '../../src/api/customers/schema.ts';
import { sealNumbers } from '../../src/database/encryption/seal-numbers.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { EVENT_NAMES, V1_EVENT_NAMES } from '../../src/domain/event-names.ts';
import { buildBrCode } from '../../src/domain/pix.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook, webhookBody } from '../support/rows/build.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { credit } from '../support/rows/credit.ts';
import { buildPaidPix } from '../support/rows/payments.ts';
import { setControls } from '../support/rows/payout-controls.ts';
import { columnsWith } from '../support/rows/texts-in-tables.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';

const CPF = '529.982.247-25';
const PAGE_CPF = '390.533.447-05';
const CNPJ = '11.222.333/0001-81';
const KEYS = {
  CPF: '714.287.938-60',
  CNPJ: '12.ABC.345/01DE-35',
  PHONE: '+5547991234567',
  EMAIL: 'chave.da.bia@example.com',
  RANDOM: '7d9f1a52-3f0b-4c1e-9a56-0e2b7c8d4f11',
} as const;
const KEY_IN_CODE = '16899535009';
const BR_CODE = buildBrCode({
  key: KEY_IN_CODE,
  merchantName: 'Bia Lima',
  merchantCity: 'SAO PAULO',
  amountCents: 1_000,
  txid: 'PEDIDO7',
});
const bare = (number: string) => number.replace(/[./-]/g, '');
/** Every number, in each form in which it could stand somewhere. */
const NUMBERS = [CPF, PAGE_CPF, CNPJ, ...Object.values(KEYS), KEY_IN_CODE, BR_CODE].flatMap((number) =>
  number.includes('@') || number === BR_CODE ? [number] : [number, bare(number)],
);

let app: MoneyApp;
let sink: WebhookSink;
beforeAll(async () => {
  [app, sink] = await Promise.all([
    createMoneyApp({ secretsKeys: [randomBytes(32).toString('base64')] }),
    startWebhookSink(),
  ]);
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

const sql = <Row = unknown>(text: string, params: readonly unknown[] = []) =>
  app.database.em.fork().execute<Row[]>(text, params as unknown[]);
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** Sells in every way that the API has and sends money to keys of each type. */
async function fillStore(): Promise<void> {
  const { api, database, storeId } = app;
  const ana = { name: 'Ana Souza', email: 'ana@example.com', cellphone: '+55 11 91234-0000', taxId: CPF };
  await buildWebhook(api, { endpoint: sink.endpoint().url, events: [...EVENT_NAMES] });
  const v1 = webhookBody({ endpoint: sink.endpoint().url, events: [...V1_EVENT_NAMES] });
  dataOf(await api.post('/v1/webhooks/create', v1));
  const customer = await api.post(
    '/v2/customers/create',
    { data: { ...ana, taxId: CNPJ } },
    keyed('customer'),
  );
  dataOf(await api.post('/v1/customer/create', ana, keyed('v1-customer')));
  for (const method of ['PIX', 'BOLETO']) {
    const order = { method, data: { amount: 50_000, externalId: `order-${method}`, customer: ana } };
    const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', order, keyed(method)));
    dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`));
  }
  const { id: customerId } = dataOf<CustomerView>(customer);
  const typed = { payerName: 'Caio Dias', payerTaxId: PAGE_CPF, payerEmail: 'caio@example.com' };
  await payForm(api.url, (await buildCheckout(api, { methods: ['BOLETO'] })).id, {
    method: 'BOLETO',
    ...typed,
  });
  await payForm(api.url, (await buildCheckout(api, { customerId })).id, { method: 'PIX' });
  const plan = { id: (await buildProduct(api, { cycle: 'MONTHLY' })).id, quantity: 1 };
  const subscription = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', { items: [plan] }));
  const payer = { name: ana.name, taxId: CPF, email: ana.email };
  dataOf(
    await api.post('/v2/checkouts/simulate-payment', { id: subscription.id, payer }, keyed('subscribed')),
  );
  const seller = { name: 'Dora Reis', taxId: CNPJ };
  const { id: subAccountId } = dataOf<{ id: string }>(
    await api.post('/v2/sub-accounts/create', seller, keyed('seller')),
  );
  await buildPaidPix(api, { amount: 2_000, splits: [{ subAccountId, amount: 1_000 }] });
  const share = { id: subAccountId, amount: 1_000, externalId: 'share' };
  dataOf(await api.post('/v2/sub-accounts/withdraw', share, keyed('share')));
  await credit(database, { storeId, devMode: true }, 1_000_000);
  for (const [type, key] of Object.entries({ ...KEYS, BR_CODE })) {
    const body = { amount: 1_000, externalId: `to-${type}`, pix: { type, key } };
    dataOf(await api.post('/v2/pix/send', body, keyed(type)));
  }
  const withdraw = {
    externalId: 'week-1',
    method: 'PIX',
    amount: 1_000,
    pix: { type: 'CPF', key: KEYS.CPF },
  };
  dataOf(await api.post('/v1/withdraw/create', withdraw));
  await eventually(async () => {
    const open = await sql(`select id from deliveries where status <> 'DELIVERED'
      union all select id from payouts where status = 'PENDING'`);
    expect(open).toEqual([]);
  });
}

describe('the database of a store that sells and pays', () => {
  beforeAll(fillStore);

  it("stores no tax id or PIX key as text except the store's own tax id", async () => {
    expect(await columnsWith(app.database, NUMBERS)).toEqual([]);
    // Invoices and their events name the store, too.
    const taxId = '33445566000186';
    await app.database.em.fork().nativeUpdate(StoreEntity, { id: app.storeId }, { taxId });
    expect(await columnsWith(app.database, [taxId])).toContain('stores.tax_id');
  });

  it('stores no unkeyed hash from which a PIX key could be guessed', async () => {
    const content = JSON.stringify([1_000, null, ['CPF', bare(KEYS.CPF)]]);
    const body = JSON.stringify({ amount: 1_000, externalId: 'to-CPF', pix: { key: KEYS.CPF, type: 'CPF' } });
    const guesses = [content, `POST\n/pix/send\n\n${body}`].map((text) => hash('sha256', text));
    expect(await columnsWith(app.database, guesses)).toEqual([]);
    const [found] = await sql<{ keyed: string; plain: string }>(
      `select count(*) filter (where starts_with(content_hash, 'pnh.')) as keyed, count(*) as plain
       from (select content_hash from payouts union all select content_hash from charges where external_id is not null) of_all`,
    );
    expect(Number(found?.keyed)).toBe(Number(found?.plain));
  });

  it('answers with the numbers as before, also when an answer is replayed', async () => {
    const { api } = app;
    const shown = dataOf<{ pix: { type: string; key: string } }[]>(await api.get('/v2/pix/list?limit=20'));
    const sent = Object.fromEntries(shown.map(({ pix }) => [pix.type, pix.key]));
    expect(sent).toMatchObject({ CPF: '714.***.***-**', EMAIL: KEYS.EMAIL, RANDOM: KEYS.RANDOM, BR_CODE });
    const body = { amount: 1_000, externalId: 'to-PHONE', pix: { type: 'PHONE', key: KEYS.PHONE } };
    const replayed = await api.post('/v2/pix/send', body, keyed('PHONE'));
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
    for (const answer of [replayed, await api.post('/v2/pix/send', body)])
      expect(dataOf<{ pix: object }>(answer).pix).toMatchObject({ key: KEYS.PHONE });
    const order = { method: 'PIX', data: { amount: 50_000, externalId: 'order-PIX' } };
    expect(await api.post('/v2/transparents/create', order)).toMatchObject({ status: 409 });
  });

  it('finds customers, checkouts and payments by the whole tax id', async () => {
    const { api, storeId, database } = app;
    for (const taxId of [CPF, bare(CPF), PAGE_CPF, CNPJ]) {
      const [customer, ...others] = dataOf<CustomerView[]>(await api.get(`/customers/list?taxId=${taxId}`));
      expect([bare(customer?.taxId ?? ''), others]).toEqual([bare(taxId), []]);
    }
    expect(dataOf<unknown[]>(await api.get(`/checkouts/list?taxId=${CNPJ}`))).toHaveLength(1);
    const owner = await signedIn({ url: api.url, database }, storeId, 'owner');
    const search = async (text: string) =>
      (await owner.get(`/dashboard/${storeId}/dev/payments?${new URLSearchParams({ q: text })}`)).text;
    expect(await search(PAGE_CPF)).toContain('Caio Dias');
    expect(await search('Ana')).toContain('529.***.***-**');
  });
});

describe('a tax id', () => {
  it('creates one customer from parallel requests with the same tax id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => buildCustomer(app.api, { taxId: '935.411.347-80' })),
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    const other = await app.anotherStore();
    const theirs = await buildCustomer(other.api, { taxId: '935.411.347-80' });
    const rows = await sql<{ tax_id_hash: string }>('select tax_id_hash from customers where id in (?, ?)', [
      ids[0]?.id,
      theirs.id,
    ]);
    expect(new Set(rows.map(({ tax_id_hash }) => tax_id_hash)).size).toBe(2);
  });

  it('finds a tax id stored as text by an earlier release and encrypts it later', async () => {
    const { api, database } = app;
    const { id } = await buildCustomer(api, { email: 'bruno@example.com' });
    await sql(`update customers set tax_id = '34511807078' where id = ?`, [id]);
    const listed = async () =>
      dataOf<CustomerView[]>(await api.get('/customers/list?taxId=345.118.070-78')).map((found) => found.id);
    expect(await listed()).toEqual([id]);
    expect(await buildCustomer(api, { taxId: '345.118.070-78' })).toMatchObject({ id });
    const { id: otherId } = await buildCustomer(api);
    const taken = await api.post('/v2/customers/update', { id: otherId, taxId: '345.118.070-78' });
    expect(taken).toMatchObject({ status: 409, json: { code: 'TAX_ID_CONFLICT' } });
    expect(await sealNumbers(database.em.fork())).toEqual({ count: 1, duplicates: [] });
    expect(await columnsWith(database, ['34511807078'])).toEqual([]);
    expect(await listed()).toEqual([id]);
    expect(await buildCustomer(api, { taxId: '345.118.070-78' })).toMatchObject({ id });
    expect(await sealNumbers(database.em.fork())).toEqual({ count: 0, duplicates: [] });
  });

  it('finds a customer only by the new tax id after a change', async () => {
    const { api } = app;
    const { id } = await buildCustomer(api, { taxId: '325.714.060-60' });
    dataOf(await api.post('/v2/customers/update', { id, taxId: '111.444.777-35' }));
    const found = async (taxId: string) =>
      dataOf<CustomerView[]>(await api.get(`/customers/list?taxId=${taxId}`)).map((each) => each.id);
    expect([await found('325.714.060-60'), await found('111.444.777-35')]).toEqual([[], [id]]);
    const { id: otherId } = await buildCustomer(api);
    const taken = await api.post('/v2/customers/update', { id: otherId, taxId: '111.444.777-35' });
    expect(taken).toMatchObject({ status: 409, json: { code: 'TAX_ID_CONFLICT' } });
  });

  it('erases a tax id with its hash and frees it for a new customer', async () => {
    const { api, database } = app;
    const { id } = await buildCustomer(api, { taxId: '168.995.350-09' });
    dataOf(await api.post(`/v2/customers/delete?id=${id}`));
    const row = await database.em.fork().findOneOrFail(CustomerEntity, { id: id as never });
    expect(row).toMatchObject({ taxId: null, taxIdHash: null });
    expect((await buildCustomer(api, { taxId: '168.995.350-09' })).id).not.toBe(id);
  });

  it('loses its hash when the previous release changes or erases it', async () => {
    const { id } = await buildCustomer(app.api, { taxId: '046.098.220-67' });
    const hashOf = async () =>
      (await sql<{ tax_id_hash: string | null }>('select tax_id_hash from customers where id = ?', [id]))[0];
    expect((await hashOf())?.tax_id_hash).not.toBeNull();
    await sql(`update customers set tax_id = '88641577947' where id = ?`, [id]);
    expect(await hashOf()).toEqual({ tax_id_hash: null });
  });
});

describe('an answer that is replayed', () => {
  it('keeps a text of the client that only looks encrypted', async () => {
    const { api } = app;
    const metadata = { note: 'pn1.0a1b2c3d.QUJD', taxId: 'a "quoted" \\ text' };
    const body = { data: { email: 'dora@example.com', taxId: '857.613.290-77' }, metadata };
    const first = await api.post('/v2/customers/create', body, keyed('lookalike'));
    const second = await api.post('/v2/customers/create', body, keyed('lookalike'));
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect(second.json).toEqual(first.json);
    expect(dataOf(second)).toMatchObject({ metadata, taxId: '857.613.290-77' });
  });

  it('keeps an encrypted number that the client has copied from another answer', async () => {
    const { api } = app;
    const victim = { data: { email: 'vera@example.com', taxId: '390.533.447-05' } };
    dataOf(await api.post('/v2/customers/create', victim, keyed('of-the-victim')));
    const [row] = await sql<{ body: string }>('select body from idempotency_records where key = ?', [
      'of-the-victim',
    ]);
    const copied = /pn1\.[\w.+/=]+/.exec(row?.body ?? '')?.[0] ?? '';
    expect(copied).toMatch(/^pn1/);
    const metadata = { note: copied, taxId: copied, key: copied };
    const body = { data: { email: 'thief@example.com', name: copied }, metadata };
    const first = await api.post('/v2/customers/create', body, keyed('of-the-thief'));
    const second = await api.post('/v2/customers/create', body, keyed('of-the-thief'));
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect(second.json).toEqual(first.json);
  });
});

describe('the limit of a payee', () => {
  it('counts encrypted payouts and those of earlier releases alike', async () => {
    const { storeId, api } = await app.anotherStore();
    await credit(app.database, { storeId, devMode: true }, 100_000);
    await setControls(app.database, { storeId, devMode: true }, { maxPayeeDayCents: 3_000 });
    const send = (externalId: string, pix: object = { type: 'CPF', key: KEYS.CPF }) =>
      api.post('/v2/pix/send', { amount: 1_000, externalId, pix });
    dataOf(await send('first'));
    await sql(`update payouts set pix_key = ?, payee_key = null, payee_hash = null where store_id = ?`, [
      bare(KEYS.CPF),
      storeId,
    ]);
    dataOf(await send('second'));
    dataOf(await send('third'));
    expect(await send('fourth')).toMatchObject({ status: 422, json: { rule: 'PAYEE_LIMIT_REACHED' } });
    await sealNumbers(app.database.em.fork());
    expect(await columnsWith(app.database, [bare(KEYS.CPF)])).toEqual([]);
    expect(await send('fifth')).toMatchObject({ status: 422, json: { rule: 'PAYEE_LIMIT_REACHED' } });
    dataOf(await send('to another', { type: 'CNPJ', key: KEYS.CNPJ }));
  });
});
