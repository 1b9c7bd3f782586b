import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withoutCustomer, withoutPersonalData } from '../../src/api/customers/personal-data.ts';
import { EVENT_NAMES, V1_EVENT_NAMES } from '../../src/domain/event-names.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildWebhook, webhookBody } from '../support/rows/build.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { eventually } from '../support/waiting/eventually.ts';

const ANA = {
  name: 'Ana Quitéria Erasmo',
  email: 'ana.quiteria@example.com',
  cellphone: '+55 47 91234-5678',
  taxId: '345.118.070-78',
};
/** Every form in which she could still be found. */
const TRACES = [...Object.values(ANA), '34511807078', '345.***.***-**', 'Quitéria'];

let app: MoneyApp;
/** An endpoint that answers with what it was sent, as some do. */
const echo = createServer((request, response) => request.pipe(response));
beforeAll(async () => {
  app = await createMoneyApp();
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await app.close();
  await new Promise((resolve) => echo.close(resolve));
});

const rows = <Row>(sql: string) => app.database.em.fork().execute<Row[]>(sql);

/** The tables that hold any of the texts in any of their columns. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const hits = await app.database.em.fork().execute<unknown[]>(
      `select 1 from "${name}" as row, unnest(?::text[]) as trace
         where strpos(lower(row::text), lower(trace)) > 0 limit 1`,
      [`{${texts.map((text) => `"${text}"`).join(',')}}`],
    );
    if (hits.length > 0) found.push(name);
  }
  return found;
}

/** What happened to money, and when, of which nothing may change. */
async function moneyTrail() {
  return {
    movements: await rows('select * from ledger_movements order by subject_id, kind'),
    balances: await rows('select * from ledger_balances order by store_id, dev_mode'),
    charges: await rows(
      `select to_jsonb(charges) - 'payer_name' - 'payer_tax_id' - 'payer_email' - 'payer_cellphone' as row
       from charges order by id`,
    ),
    checkouts: await rows('select * from checkouts order by id'),
    payments: await rows(
      `select id, charge_id, provider, provider_payment_id, outcome, amount_cents, paid_at, created_at
       from payments order by id`,
    ),
    refunds: await rows('select * from refunds order by id'),
    events: await rows('select id, name, key, customer_id, created_at from events order by id'),
    deliveries: await rows(`select id, event_id, status, attempts from deliveries order by id`),
  };
}

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

async function pay(api: ApiClient, id: string) {
  expect(dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`))).toMatchObject({
    status: 'PAID',
  });
}

/**
 * The deliveries of Ana's history: of three created billings to v1, of three payments and a refund to both endpoints, and of an
 * invoice that is created and paid to v2. The invoice comes last.
 */
const DELIVERIES = 13;

/** Creates payments by every method and a refund for Ana, and waits until both endpoints got their events. */
async function customerWithHistory(api: ApiClient) {
  const endpoint = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
  await buildWebhook(api, { endpoint, events: [...EVENT_NAMES] });
  dataOf(await api.post('/v1/webhooks/create', webhookBody({ endpoint, events: [...V1_EVENT_NAMES] })));
  const body = { data: ANA, metadata: { note: `calls herself ${ANA.name}` } };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/customers/create', body, keyed('v2')));
  await api.post('/v1/customer/create', ANA, keyed('v1'));
  const made = [];
  for (const method of ['PIX', 'BOLETO']) {
    const order = { method, data: { amount: 2500, customer: ANA } };
    made.push(dataOf<{ id: string }>(await api.post('/v2/transparents/create', order, keyed(method))).id);
  }
  const [pix = '', boleto = ''] = made;
  await pay(api, pix);
  await pay(api, boleto);
  const checkout = await buildCheckout(api, { customerId: id });
  const { name, taxId, email } = ANA;
  const payment = { id: checkout.id, method: 'PIX', payer: { name, taxId, email } };
  const { paymentId } = dataOf<{ paymentId: string }>(
    await api.post('/v2/checkouts/simulate-payment', payment),
  );
  dataOf(await api.post('/v2/transparents/refund', { id: pix, reason: 'size' }));
  await eventually(async () => {
    const statuses = await rows<{ status: string }>('select status from deliveries');
    expect(statuses).toHaveLength(DELIVERIES);
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
  });
  return { id, body, boleto, paid: [boleto, paymentId] };
}

describe('POST /customers/delete', () => {
  it('removes every personal value from the database and keeps all money rows', async () => {
    const { api } = app;
    const { id, body, boleto, paid } = await customerWithHistory(api);
    const other = await app.anotherStore();
    expect(await tablesWith(TRACES)).toEqual([
      'charges',
      'customers',
      'delivery_attempts',
      'events',
      'idempotency_records',
      'metadata_entries',
      'payments',
      'sandbox_charges',
    ]);
    const before = await moneyTrail();

    dataOf(await api.post(`/v2/customers/delete?id=${id}`, {}, keyed('delete')));

    expect(await tablesWith(TRACES)).toEqual([]);
    expect(await moneyTrail()).toEqual(before);
    for (const page of [...paid.map((charge) => `/receipt/${charge}`), `/boleto/${boleto}`]) {
      const shown = await fetch(api.url + page);
      expect([page, shown.status]).toEqual([page, 200]);
      expect(await shown.text()).toContain('Não informado');
    }
    const replayed = await api.post('/v2/customers/create', body, keyed('v2'));
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
    expect(dataOf(replayed)).toMatchObject({ id, name: '', email: '', taxId: '', metadata: {} });
    expect((await api.post('/v1/customer/create', ANA, keyed('v1'))).json.data).toEqual({
      id,
      devMode: true,
      metadata: { name: '', cellphone: '', email: '', taxId: '' },
    });
    expect(await tablesWith(TRACES)).toEqual([]);

    // The same person is a new customer, and customers of other stores stay.
    dataOf(await other.api.post('/v2/customers/create', body));
    const again = dataOf<{ id: string }>(await api.post('/v2/customers/create', body, keyed('new')));
    expect(again.id).not.toBe(id);
    dataOf(await api.post(`/v2/customers/delete?id=${again.id}`));
    expect(await rows(`select name from customers where name is not null`)).toEqual([{ name: ANA.name }]);
  });
});

describe('copies of a customer in events and stored answers', () => {
  it('removes personal data only from the customer and the payer of an event', () => {
    const event = {
      transparent: { id: 'pix_char_1', name: 'stays' },
      customer: { id: 'cust_1', name: 'Ana', email: 'a@b.c', taxId: '345.***.***-**' },
      payerInformation: {
        method: 'PIX',
        PIX: { name: 'Ana', taxId: '345.***.***-**', isSameAsCustomer: true },
      },
      reason: null,
    };
    expect(withoutPersonalData(JSON.stringify(event))).toBe(
      JSON.stringify({
        ...event,
        customer: { id: 'cust_1', name: '', email: '', taxId: '' },
        payerInformation: { method: 'PIX', PIX: { name: null, taxId: null, isSameAsCustomer: true } },
      }),
    );
  });

  it('removes a customer from a stored answer and keeps other customers in it', () => {
    const v1 = (id: string, name: string) => ({ id, metadata: { name, taxId: name } });
    const billing = (name: string) => ({
      data: { id: 'bill_1', customer: v1('cust_1', name) },
      error: null,
    });
    expect(withoutCustomer(JSON.stringify(billing('Ana')), 'cust_1')).toBe(JSON.stringify(billing('')));
    const list = JSON.stringify({ data: [v1('cust_2', 'Bia')] });
    expect(withoutCustomer(list, 'cust_1')).toBe(list);
  });
});
