import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CustomerView } from '../../src/api/customers/schema.ts';
import type { V1CustomerView } from '../../src/api/v1/customer.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { V1Client } from '../support/api/v1.ts';

const ANA = {
  name: 'Ana Souza',
  cellphone: '+55 11 91234-5678',
  email: 'ana@example.com',
  taxId: '52998224725',
};

let app: TestApp;
let documented: V1Client;
let api: ApiClient;
let v1: V1Client;
beforeAll(async () => {
  app = await createTestApp();
  documented = await V1Client.of(app.api);
});
beforeEach(async () => {
  api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
  v1 = documented.as(api);
});
afterAll(() => app.close());

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  v1.post('/customer/create', { ...ANA, ...changes }, { headers });

describe('a customer in v1', () => {
  it('returns the id of a customer and all other fields in metadata', async () => {
    expect((await create()).json).toEqual({
      data: {
        id: expect.stringMatching(/^cust_[0-9A-Z]{26}$/),
        devMode: true,
        metadata: { ...ANA, taxId: '529.982.247-25' },
      },
      error: null,
    });
  });

  it('shows a customer created in v1 in v2', async () => {
    const { id } = dataOf<V1CustomerView>(await create());
    const shown = dataOf<CustomerView>(await api.get(`/v2/customers/get?id=${id}`));
    expect(shown).toMatchObject({ ...ANA, taxId: '529.982.247-25', country: 'BR', metadata: {} });
    expect(dataOf(await api.get('/v2/customers/list'))).toEqual([shown]);
  });

  it('lists v2 customers in v1, newest first, with empty text for unknown fields', async () => {
    const { id } = dataOf<V1CustomerView>(await create());
    const other = dataOf<CustomerView>(await api.post('/v2/customers/create', { email: 'bia@example.com' }));
    expect(await v1.list('/customer/list')).toEqual([
      {
        id: other.id,
        devMode: true,
        metadata: { name: '', cellphone: '', email: 'bia@example.com', taxId: '' },
      },
      { id, devMode: true, metadata: { ...ANA, taxId: '529.982.247-25' } },
    ]);
  });

  it('returns the customer with the tax id and fills in its missing fields', async () => {
    const email = 'first@example.com';
    const first = dataOf<CustomerView>(
      await api.post('/v2/customers/create', { email, taxId: '529.982.247-25' }),
    );
    expect(dataOf(await create())).toMatchObject({ id: first.id, metadata: { email, name: ANA.name } });
    expect(await v1.list('/customer/list')).toHaveLength(1);
  });

  it('excludes a customer deleted in v2 from the list', async () => {
    const { id } = dataOf<V1CustomerView>(await create());
    await api.post(`/v2/customers/delete?id=${id}`);
    expect(await v1.list('/customer/list')).toEqual([]);
  });

  it('replays a customer for its Idempotency-Key in the envelope of v1', async () => {
    const headers = { 'Idempotency-Key': 'customer-1' };
    const first = await create({}, headers);
    const again = await create({}, headers);
    expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', first.text]);
    expect(await create({ name: 'Bia' }, headers)).toMatchObject({
      status: 422,
      json: { data: null, error: expect.stringContaining('Idempotency-Key') },
    });
    const v2 = await api.post('/v2/customers/create', ANA, { headers });
    expect([v2.status, v2.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it.each(['name', 'cellphone', 'email', 'taxId'])('requires %s', async (field) => {
    expect(await create({ [field]: undefined })).toMatchObject({
      status: 400,
      json: { data: null, error: `${field}: is required` },
    });
  });

  it.each([
    [400, 'metadata', { metadata: {} }],
    [400, 'email', { email: 'ana' }],
    [422, 'taxId', { taxId: '529.982.247-26' }],
  ])('returns %d naming %s and stores nothing', async (status, field, changes) => {
    expect(await create(changes)).toMatchObject({
      status,
      json: { data: null, error: expect.stringMatching(new RegExp(`^${field}: `)) },
    });
    expect(await v1.list('/customer/list')).toEqual([]);
  });

  it("lists only customers of the key's own store", async () => {
    await create();
    expect(await documented.list('/customer/list')).toEqual([]);
  });
});
