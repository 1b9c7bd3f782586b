import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';

let app: TestApp;
let api: ApiClient;
let onlyCard: string;
let both: string;
let link: string;

beforeAll(async () => {
  app = await createTestApp();
  api = app.api;
  const { id: customerId } = await buildCustomer(api, {
    name: 'Íris Falcão',
    email: 'iris@example.com',
    taxId: '529.982.247-25',
  });
  onlyCard = (await buildCheckout(api, { methods: ['CARD'], externalId: 'order-7' })).id;
  both = (await buildCheckout(api, { methods: ['PIX', 'CARD'], customerId })).id;
  link = (await buildPaymentLink(api, { methods: ['PIX'], customerId })).id;
});
afterAll(() => app.close());

const idsOf = async (list: string) =>
  dataOf<{ id: string }[]>(await api.get(`/v2/${list}`)).map(({ id }) => id);

describe('method', () => {
  it('finds checkouts that offer the method, alone or with others', async () => {
    expect(await idsOf('checkouts/list?method=CARD')).toEqual([both, onlyCard]);
    expect(await idsOf('payment-links/list?method=PIX')).toEqual([link]);
    expect(await idsOf('checkouts/list?method=BOLETO')).toEqual([]);
  });

  it('finds the checkouts of subscriptions in a status that offer the method', async () => {
    const { id } = await buildProduct(api, { cycle: 'MONTHLY' });
    dataOf(await api.post('/v2/subscriptions/create', { items: [{ id, quantity: 1 }], methods: ['CARD'] }));
    expect(await idsOf('subscriptions/list?method=CARD')).toHaveLength(1);
    expect(await idsOf('subscriptions/list?method=PIX')).toEqual([]);
    expect(await idsOf('subscriptions/list?method=CARD&subscriptionStatus=ACTIVE')).toEqual([]);
  });
});

describe('keyword', () => {
  it.each([
    ['an externalId', 'order-7', () => [onlyCard]],
    ['an e-mail', 'IRIS@example.com', () => [link, both]],
    ['a tax id', '52998224725', () => [link, both]],
    ['the beginning of a name', 'iris f', () => [link, both]],
    ['an id', 'bill_', () => []],
    ['nothing known', '100%', () => []],
  ])('finds checkouts by %s', async (_, keyword, ids) => {
    expect(await idsOf(`checkouts/list?keyword=${encodeURIComponent(keyword)}`)).toEqual(ids());
  });

  it('finds a checkout by its id, and combines with other filters', async () => {
    expect(await idsOf(`checkouts/list?keyword=${both}`)).toEqual([both]);
    expect(await idsOf('checkouts/list?keyword=iris@example.com&method=CARD')).toEqual([both]);
  });

  it('finds nothing of another store', async () => {
    const other = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    for (const keyword of ['order-7', 'iris@example.com', both]) {
      expect(dataOf(await other.get(`/v2/checkouts/list?keyword=${keyword}`))).toEqual([]);
    }
  });
});

describe('cursor', () => {
  it('continues a list like after', async () => {
    const { json } = await api.get('/v2/checkouts/list?limit=1');
    const { next } = json.pagination as { next: string };
    expect(await idsOf(`checkouts/list?limit=1&cursor=${next}`)).toEqual(
      await idsOf(`checkouts/list?limit=1&after=${next}`),
    );
    expect(await api.get('/v2/checkouts/list?cursor=abc')).toMatchObject({
      json: { code: 'INVALID_CURSOR' },
    });
  });
});
