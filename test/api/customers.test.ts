import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CustomerView } from '../../src/api/customers/schema.ts';
import { recordCustomer } from '../../src/customers/record-customer.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { NOBODY } from '../../src/domain/payer.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildPixCharge, insertWebhook } from '../support/rows/build.ts';
import { buildCustomer } from '../support/rows/catalog.ts';
import { untilWaiting } from '../support/waiting/hold.ts';

const CREATE = '/v2/customers/create';
const ANA = {
  email: 'ana@example.com',
  taxId: '529.982.247-25',
  name: 'Ana Souza',
  cellphone: '+55 11 91234-5678',
  zipCode: '01310-100',
};

/** What v1 needs of a customer. */
const FULL = { email: ANA.email, name: ANA.name, cellphone: ANA.cellphone };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const strangers = async () => [
  await app.clientWith({ storeId: (await createTestStore(app.database)).id }),
  await app.clientWith({ devMode: false }),
];
const listed = async (query: string) =>
  dataOf<CustomerView[]>(await app.api.get(`/customers/list?${query}`)).map(({ id }) => id);
const countCustomers = async () => {
  const [row] = await app.database.em.fork().execute<{ count: string }[]>('select count(*) from customers');
  return Number(row?.count);
};

describe('a customer', () => {
  it('returns every field of the contract, with a punctuated tax id', async () => {
    const answer = await app.api.post(CREATE, {
      data: { ...ANA, taxId: '52998224725' },
      metadata: { b: 1, a: [2] },
    });
    expect(answer.json).toEqual({
      data: {
        id: expect.stringMatching(/^cust_[0-9A-Z]{26}$/),
        devMode: true,
        ...ANA,
        country: 'BR',
        metadata: { b: 1, a: [2] },
        typedByPayer: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
      success: true,
      error: null,
    });
    const customer = dataOf<CustomerView>(answer);
    expect(dataOf(await app.api.get(`/v2/customers/get?id=${customer.id}`))).toEqual(customer);
  });

  it('accepts customer fields without data around them', async () => {
    const flat = { email: 'flat@example.com', name: 'Flora', metadata: { plan: 'x' } };
    expect(dataOf(await app.api.post(CREATE, flat))).toMatchObject(flat);
  });

  it('creates a customer from an e-mail address alone, with empty text for the rest', async () => {
    expect(dataOf(await app.api.post(CREATE, { data: { email: 'only@example.com' } }))).toMatchObject({
      taxId: '',
      name: '',
      cellphone: '',
      zipCode: '',
      metadata: {},
    });
  });

  it('creates a new customer each time without a tax id', async () => {
    const [one, other] = [await buildCustomer(app.api), await buildCustomer(app.api)];
    expect(one.id).not.toBe(other.id);
  });

  it('accepts a company with an alphanumeric CNPJ', async () => {
    expect((await buildCustomer(app.api, { taxId: '12ABC34501DE35' })).taxId).toBe('12.ABC.345/01DE-35');
  });

  it('creates a customer once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'customer-1' };
    const body = { email: 'once@example.com' };
    const first = dataOf<CustomerView>(await app.api.post(CREATE, body, { headers }));
    const again = await app.api.post(CREATE, body, { headers });
    expect(dataOf(again)).toEqual(first);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });
});

describe('a tax id', () => {
  it('returns the existing customer unchanged if its tax id is registered', async () => {
    const first = await buildCustomer(app.api, { taxId: '111.444.777-35', name: 'Bia', metadata: { n: 1 } });
    const again = await buildCustomer(app.api, { taxId: '11144477735', name: 'Other', metadata: { n: 2 } });
    expect(again).toEqual(first);
  });

  it('fills in missing fields of a customer registered under the tax id', async () => {
    const taxId = '746.971.314-01';
    const first = await buildCustomer(app.api, { taxId, name: undefined, email: 'eva@example.com' });
    await buildPixCharge(app.api, { customer: { taxId, name: 'Eva Dias', email: 'other@example.com' } });
    await app.api.post('/v1/customer/create', { ...FULL, taxId, cellphone: '11 93333-4444', name: 'Other' });
    const again = await buildCustomer(app.api, { taxId, zipCode: '01310-100', metadata: { n: 1 } });
    expect(again).toMatchObject({
      id: first.id,
      name: 'Eva Dias',
      email: 'eva@example.com',
      cellphone: '11 93333-4444',
      zipCode: '01310-100',
      metadata: { n: 1 },
    });
  });

  it('keeps every field when parallel requests fill in different ones', async () => {
    const taxId = '168.995.350-09';
    await buildCustomer(app.api, { taxId, name: undefined });
    const given = [{ name: 'Eva Dias' }, { cellphone: '11 93333-4444' }, { zipCode: '01310-100' }];
    const wanted = Array.from({ length: 30 }, (_, index) => ({
      taxId,
      name: undefined,
      ...given[index % 3],
    }));
    const customers = await Promise.all(wanted.map((fields) => buildCustomer(app.api, fields)));
    const { id } = customers[0] ?? {};
    expect(dataOf(await app.api.get(`/customers/get?id=${id}`))).toMatchObject(Object.assign({}, ...given));
  });

  it('creates one customer from 100 requests with the same tax id at once', async () => {
    const before = await countCustomers();
    const customers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        buildCustomer(app.api, { taxId: '123.456.789-09', name: `Nr ${index}` }),
      ),
    );
    expect(new Set(customers.map((customer) => JSON.stringify(customer))).size).toBe(1);
    expect(await countCustomers()).toBe(before + 1);
  });

  it('reuses the customer with the same tax id for a charge', async () => {
    const taxId = '390.533.447-05';
    const { id } = await buildCustomer(app.api, { taxId });
    const { cellphone, email, name } = ANA;
    const charge = await buildPixCharge(app.api, { customer: { cellphone, email, name, taxId } });
    expect(charge).toMatchObject({ customerId: id });
  });

  it.each(['529.982.247-24', '00000000000', 'abc', '529.98224725'])(
    'returns 422 for the tax id %s and names the field where it was sent',
    async (taxId) => {
      const before = await countCustomers();
      for (const [body, path] of [
        [{ data: { ...ANA, taxId } }, 'data.taxId'],
        [{ ...ANA, taxId }, 'taxId'],
      ] as const) {
        expect(await app.api.post(CREATE, body)).toMatchObject({
          status: 422,
          json: { code: 'INVALID_TAX_ID', issues: [{ path }] },
        });
      }
      expect(await countCustomers()).toBe(before);
    },
  );
});

describe('refused customers', () => {
  it.each<[string, unknown, string, string]>([
    ['no e-mail address', { data: { name: 'Ana' } }, 'data.email', 'is required'],
    ['no e-mail address, flat', { name: 'Ana' }, 'email', 'is required'],
    ['nothing', {}, 'email', 'is required'],
    ['no object in data', { data: null, ...ANA }, 'data', 'must be an object'],
    ['an e-mail address that is none', { data: { email: 'ana' } }, 'data.email', 'must be an e-mail address'],
    ['an e-mail address that is none, flat', { email: 'ana' }, 'email', 'must be an e-mail address'],
    ['a misspelt field', { data: { ...ANA, taxid: '1' } }, 'data.taxid', 'is not a known field'],
    ['a misspelt field, flat', { ...ANA, taxid: '1' }, 'taxid', 'is not a known field'],
    ['a field beside data', { data: ANA, name: 'Bia' }, 'name', 'is not a known field'],
    ['metadata inside data', { data: { ...ANA, metadata: {} } }, 'data.metadata', 'is not a known field'],
    ['a number as name', { ...ANA, name: 5 }, 'name', 'must be text'],
    ['a tax id as number', { data: { ...ANA, taxId: 52998224725 } }, 'data.taxId', 'must be text'],
    ['NUL in text', { data: { ...ANA, name: 'a\0b' } }, 'data.name', ''],
    ['metadata that is no object', { data: ANA, metadata: [] }, 'metadata', 'must be an object'],
  ])('refuses %s with a 400 that names the field, and stores nothing', async (_, body, path, message) => {
    const before = await countCustomers();
    const answer = await app.api.post(CREATE, body);
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR' } });
    expect(answer.json.issues?.[0]).toMatchObject({ path, message: expect.stringContaining(message) });
    expect(await countCustomers()).toBe(before);
  });
});

describe('a list of customers', () => {
  it('filters customers by id, by tax id in any form and by e-mail in any case', async () => {
    const { id } = await buildCustomer(app.api, { email: 'Caio@Example.com', taxId: '11.222.333/0001-81' });
    for (const filter of [
      `id=${id}`,
      'taxId=11222333000181',
      'taxId=11.222.333%2F0001-81',
      'email=caio@example.COM',
      `email=Caio@Example.com&taxId=11222333000181&id=${id}`,
    ])
      expect([filter, await listed(filter)]).toEqual([filter, [id]]);
    for (const filter of ['taxId=x', 'email=caio@example', 'email=%25', `id=${id}&taxId=52998224725`])
      expect([filter, await listed(filter)]).toEqual([filter, []]);
  });

  it('pages customers without gaps or repeats', async () => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const made: string[] = [];
    for (let n = 0; n < 3; n++) made.unshift((await buildCustomer(api)).id);
    const first = await api.get('/customers/list?limit=2');
    const second = await api.get(`/customers/list?limit=2&after=${first.json.pagination?.next}`);
    const ids = [...dataOf<CustomerView[]>(first), ...dataOf<CustomerView[]>(second)].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(made));
    expect(second.json.pagination?.hasMore).toBe(false);
  });
});

describe('customers/update', () => {
  const update = (body: object, api = app.api) => api.post('/v2/customers/update', body);

  it('changes only fields that are sent with a value, in either body shape', async () => {
    const { id } = await buildCustomer(app.api, { ...FULL, taxId: '862.883.667-57', metadata: { n: 1 } });
    const nothing = { name: '', email: null, taxId: '', zipCode: null };
    expect(dataOf(await update({ id, ...nothing, cellphone: '11 90000-0000' }))).toMatchObject({
      ...FULL,
      taxId: '862.883.667-57',
      cellphone: '11 90000-0000',
      metadata: { n: 1 },
    });
    const data = { name: 'Ana Maria', taxId: '714.602.380-01' };
    expect(dataOf(await update({ id, data, metadata: { n: 2 } }))).toMatchObject({
      ...data,
      cellphone: '11 90000-0000',
      metadata: { n: 2 },
    });
    expect(dataOf(await app.api.get(`/customers/get?id=${id}`))).toMatchObject(data);
  });

  it('refuses a wrong tax id or that of another customer and changes nothing', async () => {
    const [one, other] = [
      await buildCustomer(app.api, { taxId: '960.834.350-05' }),
      await buildCustomer(app.api),
    ];
    const taken = await update({ id: other.id, taxId: one.taxId, name: 'New' });
    expect(taken).toMatchObject({
      status: 409,
      json: { code: 'TAX_ID_CONFLICT', issues: [{ path: 'taxId' }] },
    });
    const wrong = await update({ id: other.id, data: { taxId: '960.834.350-00', name: 'New' } });
    expect(wrong).toMatchObject({ status: 422, json: { issues: [{ path: 'data.taxId' }] } });
    expect(dataOf(await app.api.get(`/customers/get?id=${other.id}`))).toEqual(other);
  });

  it('returns 404 for customers of another store or environment, and for deleted ones', async () => {
    const { id } = await buildCustomer(app.api);
    for (const client of await strangers())
      expect((await update({ id, name: 'X' }, client)).status).toBe(404);
    await app.api.post(`/customers/delete?id=${id}`);
    expect((await update({ id, name: 'X' })).status).toBe(404);
  });
});

describe('ids in customers/delete', () => {
  it.each([
    ['as a parameter', (id: string) => app.api.post(`/customers/delete?id=${id}`)],
    ['in the body', (id: string) => app.api.post('/customers/delete', { id })],
    [
      'with DELETE, as published clients send it',
      (id: string) => app.api.call('/v2/customers/delete', { method: 'DELETE', body: { id } }),
    ],
  ])('deletes a customer by an id sent %s', async (_, remove) => {
    const { id } = await buildCustomer(app.api);
    expect(dataOf(await remove(id))).toMatchObject({ id });
  });

  it('returns 400 for a delete without an id', async () => {
    expect(await app.api.post('/customers/delete', {})).toMatchObject({
      status: 400,
      json: { error: 'id: is required' },
    });
  });
});

describe('a deleted customer', () => {
  const personal = { ...ANA, email: 'dora@example.com', name: 'Dora Lima', taxId: '987.654.321-00' };

  it('removes personal data of a deleted customer and frees the tax id', async () => {
    const { id } = await buildCustomer(app.api, { ...personal, metadata: { nickname: 'Dodo' } });
    const deleted = dataOf<CustomerView>(await app.api.post(`/customers/delete?id=${id}`));
    expect(deleted).toMatchObject({ id, email: '', taxId: '', name: '', metadata: {} });

    expect(await app.api.get(`/customers/get?id=${id}`)).toMatchObject({ status: 404 });
    expect(await app.api.post(`/customers/delete?id=${id}`)).toMatchObject({
      status: 404,
      json: { error: 'Customer not found' },
    });
    expect(await listed(`id=${id}`)).toEqual([]);
    const [row] = await app.database.em.fork().execute('select * from customers where id = ?', [id]);
    expect(row).toMatchObject({ id, deleted_at: expect.anything() });
    for (const text of ['Dora', 'dora@', '98765432100', '91234', '01310', 'Dodo'])
      expect(JSON.stringify(row)).not.toContain(text);

    expect((await buildCustomer(app.api, personal)).id).not.toBe(id);
  });

  it('deletes a customer once when ten requests arrive at once', async () => {
    const { id } = await buildCustomer(app.api);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.api.post(`/customers/delete?id=${id}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });

  it('creates a new customer if the found one is deleted in the meantime', async () => {
    const { id } = await buildCustomer(app.api, { taxId: '714.287.938-60' });
    const em = app.database.em.fork();
    const { storeId, devMode } = await em.findOneOrFail(CustomerEntity, { taxId: '71428793860' });
    jest.spyOn(em, 'findOne').mockImplementationOnce(async () => {
      await app.api.post(`/customers/delete?id=${id}`);
      return null;
    });
    await recordCustomer(em, { storeId, devMode }, { ...NOBODY, taxId: '71428793860' }, new Date());
    const [found, ...others] = await listed('taxId=71428793860');
    expect(others).toEqual([]);
    expect(found).toMatch(/^cust_/);
    expect(found).not.toBe(id);
  });
});

describe('another store and the other environment', () => {
  it("returns 404 for others' customers and accepts the same tax id elsewhere", async () => {
    const mine = await buildCustomer(app.api, { ...ANA, taxId: '935.411.347-80' });
    for (const client of await strangers()) {
      expect(await client.get(`/customers/get?id=${mine.id}`)).toMatchObject({ status: 404 });
      expect(await client.post(`/customers/delete?id=${mine.id}`)).toMatchObject({ status: 404 });
      expect(dataOf(await client.get('/customers/list?taxId=93541134780'))).toEqual([]);
      expect((await buildCustomer(client, { taxId: '93541134780' })).id).not.toBe(mine.id);
    }
    expect(dataOf(await app.api.get(`/customers/get?id=${mine.id}`))).toEqual(mine);
  });
});

it('compares customer.updated with what a parallel change has stored', async () => {
  const { storeId, database } = app;
  await insertWebhook(database, { storeId, events: ['customer.updated'] });
  const created = await app.api.post(CREATE, { data: { ...ANA, taxId: '111.444.777-35' } });
  const { id } = dataOf<CustomerView>(created);
  const other = database.em.fork();
  await other.begin();
  await other.nativeUpdate(CustomerEntity, { id: id as CustomerId }, { name: 'Ana Maria' });
  const answering = app.api.post('/v2/customers/update', { id, name: 'Ana Maria', zipCode: '20040-002' });
  await untilWaiting(database, 1);
  await other.commit();
  expect(await answering).toMatchObject({ status: 200 });
  const [event, ...others] = await database.em.fork().find(EventEntity, { name: 'customer.updated' });
  expect(others).toEqual([]);
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ changed: ['zipCode'] });
});
