import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { insertCharge, insertCheckout } from '../support/rows/checkout-rows.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';

let app: TestApp;
let api: ApiClient;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
const openStore = async () => {
  const { id: storeId } = await createTestStore(app.database);
  api = await app.clientWith({ storeId });
  return storeId;
};
const list = async (path: string, client = api) =>
  dataOf<{ id: string }[]>(await client.get(`/v2/${path}`)).map(({ id }) => id);
const refused = (path: string) => api.get(`/v2/${path}`);

describe('metadata[key]', () => {
  it('finds objects by an exact text, number or boolean', async () => {
    await openStore();
    const metadata = { orderId: 'A-1042', lines: 3, gift: true, nested: { orderId: 'B' }, none: null };
    const { id } = await buildPixCharge(api, { metadata });
    await buildPixCharge(api, { metadata: { orderId: 'A-1043', lines: 30 } });
    await buildPixCharge(api);
    for (const found of [
      'metadata[orderId]=A-1042',
      'metadata[lines]=3',
      'metadata[gift]=true',
      'metadata%5BorderId%5D=A-1042',
    ])
      expect(await list(`transparents/list?${found}`)).toEqual([id]);
    for (const nothing of [
      'metadata[orderId]=B',
      'metadata[orderid]=A-1042',
      'metadata[none]=null',
      'metadata[lines]=',
    ]) {
      expect(await list(`transparents/list?${nothing}`)).toEqual([]);
    }
  });

  it('filters every list of objects with metadata, within one store', async () => {
    await openStore();
    const metadata = { campaign: 'natal' };
    const checkout = await buildCheckout(api, { metadata });
    const link = await buildPaymentLink(api, { metadata });
    const { id: plan } = await buildProduct(api, { cycle: 'MONTHLY' });
    const items = [{ id: plan, quantity: 1 }];
    const subscription = dataOf<{ id: string }>(
      await api.post('/v2/subscriptions/create', { items, metadata }),
    );
    const customer = await buildCustomer(api, { metadata });
    const found = (path: string) => list(`${path}/list?metadata[campaign]=natal`);
    expect(await found('checkouts')).toEqual([subscription.id, link.id, checkout.id]);
    expect(await found('payment-links')).toEqual([link.id]);
    expect(await found('subscriptions')).toEqual([subscription.id]);
    expect(await found('customers')).toEqual([customer.id]);
    expect(await found('transparents')).toEqual([]);
    const stranger = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    expect(await list('checkouts/list?metadata[campaign]=natal', stranger)).toEqual([]);
  });

  it('finds payments by their own metadata or by that of their checkout', async () => {
    const shop = { database: app.database, storeId: await openStore() };
    const metadata = { campaign: 'natal' };
    const own = await buildPixCharge(api, { metadata });
    // From the row's time on, as this process may have another clock than the database.
    let createdMs = Date.parse(own.createdAt);
    const chargeOf = async (checkout: Checkout) => {
      createdMs += 1;
      return (await insertCharge(shop, checkout, 'PIX', { createdAt: new Date(createdMs) })).id;
    };
    const link = await insertCheckout(shop, { metadata, frequency: 'MULTIPLE_PAYMENTS' });
    const first = await chargeOf(link);
    const ofCheckout = await chargeOf(await insertCheckout(shop, { metadata }));
    await chargeOf(await insertCheckout(shop, { metadata: { campaign: 'páscoa' } }));
    const all = [await chargeOf(link), ofCheckout, first, own.id];
    expect(await list('payments/list?metadata[campaign]=natal')).toEqual(all);
    expect(await list('payments/list?metadata[campaign]=natal&createdFrom=2020-01-01')).toEqual(all);
    expect(await list('transparents/list?metadata[campaign]=natal')).toEqual([own.id]);
    for (const other of ['paidFrom=2020-01-01', 'status=PENDING', `checkoutId=${link.id}`])
      expect(await refused(`payments/list?metadata[campaign]=natal&${other}`)).toMatchObject({ status: 400 });
  });

  it('pages in list order and combines with the time of creation', async () => {
    await openStore();
    const made: string[] = [];
    for (let index = 0; index < 5; index++)
      made.unshift((await buildPixCharge(api, { metadata: { channel: 'web' } })).id);
    const first = await api.get('/v2/transparents/list?metadata[channel]=web&limit=2');
    const { next } = first.json.pagination ?? {};
    expect(dataOf<{ id: string }[]>(first).map(({ id }) => id)).toEqual(made.slice(0, 2));
    const rest = `transparents/list?metadata[channel]=web&after=${next}`;
    expect(await list(rest)).toEqual(made.slice(2));
    const [newest] = dataOf<{ createdAt: string }[]>(first);
    expect(await list(`transparents/list?metadata[channel]=web&createdTo=${newest?.createdAt}`)).toEqual(
      made.slice(1),
    );
    expect(await list('transparents/list?metadata[channel]=web&createdTo=2020-01-01')).toEqual([]);
  });

  it('finds a customer by replaced metadata and never a deleted customer', async () => {
    await openStore();
    const { id } = await buildCustomer(api, { metadata: { segment: 'gold', seller: 'Bia' } });
    dataOf(await api.post('/v2/customers/update', { id, metadata: { segment: 'silver', seller: 'Bia' } }));
    expect(await list('customers/list?metadata[segment]=gold')).toEqual([]);
    expect(await list('customers/list?metadata[segment]=silver')).toEqual([id]);
    expect(await list('customers/list?metadata[seller]=Bia')).toEqual([id]);
    dataOf(await api.post(`/v2/customers/delete?id=${id}`));
    expect(await list('customers/list?metadata[segment]=silver')).toEqual([]);
    const left = await app.database.em.fork().execute('select key from metadata_entries where id = ?', [id]);
    expect(left).toEqual([]);
  });

  it.each([
    ['metadata[a]=1&metadata[b]=2', 'metadata'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a'],
    ['metadata[]=1', 'metadata.'],
    ['metadata=1', 'metadata'],
    ['metadata[a]=1&status=PAID', 'metadata'],
    [`metadata[a]=${'x'.repeat(256)}`, 'metadata.a'],
    ['metadata[a]=%00', 'metadata'],
  ])('refuses the filter %s', async (query, path) => {
    await openStore();
    expect(await refused(`transparents/list?${query}`)).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR', issues: [{ path }] },
    });
  });

  it('refuses metadata filters on lists of objects without metadata', async () => {
    await openStore();
    expect(await refused('products/list?metadata[a]=1')).toMatchObject({ status: 400 });
  });
});
