import { type Case, failed, get, ok, post } from '../case.ts';
import { address, flag, instant, listOf, oneOf, orNull, startsWith, text, whole } from '../shape.ts';

const product = {
  id: startsWith('prod_'),
  externalId: text,
  name: text,
  price: whole,
  devMode: true,
  currency: 'BRL',
  createdAt: instant,
  updatedAt: instant,
  status: 'ACTIVE',
  cycle: orNull(oneOf('WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY')),
  hasFile: flag,
};
const body = { externalId: 'novo', name: 'Produto Exemplo', price: 10_000, currency: 'BRL' };
const webhook = {
  id: startsWith('webh_'),
  name: text,
  endpoint: address,
  devMode: true,
  v2: true,
  createdAt: instant,
  updatedAt: instant,
};

/** Products, webhooks, the store and its figures. */
export const PRODUCTS: readonly Case[] = [
  {
    page: 'openapi.yaml /products/create',
    fact: 'needs externalId, name, price and currency',
    send: () => post('/products/create', body),
    status: 200,
    body: ok({ ...product, ...body, imageUrl: null, cycle: null, hasFile: false }),
  },
  {
    page: 'openapi.yaml /products/create',
    fact: 'a price of nothing is refused',
    send: () => post('/products/create', { ...body, externalId: 'gratis', price: 0 }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/changelog (15 May 2026)',
    fact: 'a cycle may be QUARTERLY',
    send: () => post('/products/create', { ...body, externalId: 'trimestral', cycle: 'QUARTERLY' }),
    status: 200,
    body: ok({ ...product, cycle: 'QUARTERLY' }),
  },
  {
    page: 'openapi.yaml /products/create',
    fact: 'trialDays is at most 90',
    send: () => post('/products/create', { ...body, externalId: 'longo', cycle: 'MONTHLY', trialDays: 91 }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /products/get',
    fact: 'finds a product by externalId',
    send: () => get('/products/get?externalId=prod-123'),
    status: 200,
    body: (shop) => ok({ ...product, id: shop.product, externalId: 'prod-123' }),
  },
  {
    page: 'openapi.yaml /products/list',
    fact: 'filters by externalId and status',
    send: () => get('/products/list?externalId=prod-123&status=ACTIVE'),
    status: 200,
    body: (shop) => ok([{ ...product, id: shop.product }]),
  },
  {
    page: 'openapi.yaml /products/list',
    fact: 'filters by name, currency and keyword',
    send: () => get('/products/list?keyword=prod&currency=BRL'),
    status: 200,
    body: ok(listOf(product)),
    differs:
      'a store has few products and no index of their texts: these parameters are a 400, which names the known ones',
  },
  {
    page: 'openapi.yaml /products/delete',
    fact: 'deletes a product by its id in the query',
    send: ({ units }) => post(`/products/delete?id=${units}`),
    status: 200,
    body: ({ units }) => ok({ ...product, id: units, status: oneOf('ACTIVE', 'INACTIVE', 'ARCHIVED') }),
  },
  {
    page: 'openapi.yaml /products/get',
    fact: 'an unknown id is a 404',
    send: () => get('/products/get?id=prod_unknown'),
    status: 404,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /webhooks/create',
    fact: 'returns the webhook without its secret',
    send: () =>
      post('/webhooks/create', {
        name: 'Outro',
        endpoint: 'https://example.com/outro',
        secret: 'meu-secret-seguro',
        events: ['transparent.completed', 'payout.failed', 'subscription.trial_started'],
      }),
    status: 200,
    body: ok({
      ...webhook,
      events: ['transparent.completed', 'payout.failed', 'subscription.trial_started'],
    }),
  },
  {
    page: 'openapi.yaml /webhooks/create',
    fact: 'the endpoint must be HTTPS and public',
    send: () =>
      post(
        '/webhooks/create',
        {
          name: 'Privado',
          endpoint: 'https://10.0.0.1/x',
          secret: 'meu-secret-seguro',
          events: ['payout.failed'],
        },
        { as: 'compatible' },
      ),
    status: 422,
    body: failed(text),
  },
  {
    page: 'pages/webhooks/events/pix-key',
    fact: 'pix_key.received can be registered only by accounts with a fixed key',
    send: () =>
      post('/webhooks/create', {
        name: 'Chave',
        endpoint: 'https://example.com/chave',
        secret: 'meu-secret-seguro',
        events: ['pix_key.received'],
      }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /webhooks/list',
    fact: 'search finds a part of the name',
    send: () => get('/webhooks/list?search=pagamentos'),
    status: 200,
    body: ({ webhook: id }) => ok([{ ...webhook, id }]),
  },
  {
    page: 'openapi.yaml /webhooks/get',
    fact: 'finds a webhook by id',
    send: ({ webhook: id }) => get(`/webhooks/get?id=${id}`),
    status: 200,
    body: ({ webhook: id }) => ok({ ...webhook, id, events: ['checkout.completed', 'subscription.renewed'] }),
  },
  {
    page: 'openapi.yaml /webhooks/delete',
    fact: 'takes the id in the body',
    send: ({ webhook: id }) => post('/webhooks/delete', { id }),
    status: 200,
    body: ({ webhook: id }) => ok({ id }),
  },
  {
    page: 'pages/store/reference',
    fact: 'shows the three parts of the balance in cents',
    send: () => get('/store/get'),
    status: 200,
    body: ok({
      id: startsWith('store_'),
      name: text,
      balance: { available: whole, pending: whole, blocked: whole },
    }),
  },
  {
    page: 'openapi.yaml /stores/get',
    fact: 'the path is in the plural',
    send: () => get('/stores/get'),
    status: 200,
    body: ok({ id: startsWith('store_') }),
    differs: 'their published clients ask for /store/get; the document alone has the plural',
  },
  {
    page: 'openapi.yaml /public-mrr/merchant-info',
    fact: 'shows who the merchant is',
    send: () => get('/public-mrr/merchant-info'),
    status: 200,
    body: ok({ id: startsWith('store_'), name: text, website: address, createdAt: instant }),
  },
  {
    page: 'openapi.yaml /public-mrr/revenue',
    fact: 'shows transactions per day',
    send: () => get('/public-mrr/revenue?startDate=2026-01-01&endDate=2026-01-31'),
    status: 200,
    body: ok({ totalRevenue: 0, totalTransactions: 0, transactionsPerDay: {} }),
  },
  {
    page: 'openapi.yaml /public-mrr/revenue',
    fact: 'both days are required',
    send: () => get('/public-mrr/revenue'),
    status: 400,
    body: failed(text),
    differs: 'without days it shows the last 30, which breaks nobody who sends them',
  },
];
