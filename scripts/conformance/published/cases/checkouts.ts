import { type Case, failed, get, ok, post } from '../case.ts';
import {
  address,
  instant,
  listOf,
  listWith,
  matches,
  object,
  oneOf,
  orNull,
  startsWith,
  text,
  whole,
} from '../shape.ts';

const checkout = {
  id: startsWith('bill_'),
  externalId: orNull(text),
  url: address,
  amount: whole,
  paidAmount: orNull(whole),
  status: oneOf('PENDING', 'EXPIRED', 'CANCELLED', 'PAID', 'REFUNDED'),
  devMode: true,
  customerId: orNull(text),
  returnUrl: orNull(text),
  completionUrl: orNull(text),
  receiptUrl: orNull(text),
  upSellProductId: orNull(text),
  installmentsCount: orNull(whole),
  metadata: object,
  createdAt: instant,
  updatedAt: instant,
};
const NOTHING_NAMED = /Provide id, externalId or customerId/;

/** Checkouts and payment links. */
export const CHECKOUTS: readonly Case[] = [
  {
    page: 'pages/payment/reference',
    fact: 'items are the only required field, and PIX and CARD the default',
    send: ({ product }) => post('/checkouts/create', { items: [{ id: product, quantity: 2 }] }),
    status: 200,
    body: ({ product: id }) =>
      ok({
        ...checkout,
        amount: 20_000,
        paidAmount: null,
        items: [{ id, quantity: 2 }],
        status: 'PENDING',
        frequency: 'ONE_TIME',
        coupons: [],
        customerId: null,
        returnUrl: null,
        completionUrl: null,
        receiptUrl: null,
        upSellProductId: null,
        metadata: {},
      }),
  },
  {
    page: 'pages/cobrar/checkout',
    fact: "an item may be named by the product's externalId, and its quantity is 1 by default",
    send: () => post('/checkouts/create', { items: [{ id: 'prod-123' }] }),
    status: 200,
    body: ({ product: id }) => ok({ ...checkout, amount: 10_000, items: [{ id, quantity: 1 }] }),
  },
  {
    page: 'pages/cobrar/checkout',
    fact: 'the same externalId returns the existing checkout',
    send: ({ plan }) => post('/checkouts/create', { items: [{ id: plan }], externalId: 'pedido-123' }),
    status: 200,
    body: (shop) => ok({ ...checkout, id: shop.checkout, externalId: 'pedido-123' }),
  },
  {
    page: 'openapi.yaml /checkouts/create',
    fact: 'addresses, customer, coupons and metadata are returned',
    send: ({ product, customer }) =>
      post('/checkouts/create', {
        items: [{ id: product, quantity: 1 }],
        customerId: customer,
        returnUrl: 'https://seusite.com/voltar',
        completionUrl: 'https://seusite.com/sucesso',
        coupons: ['DEYVIN_20'],
        metadata: { customField: 'value' },
      }),
    status: 200,
    body: ({ customer: customerId }) =>
      ok({
        ...checkout,
        customerId,
        returnUrl: 'https://seusite.com/voltar',
        completionUrl: 'https://seusite.com/sucesso',
        coupons: ['DEYVIN_20'],
        metadata: { customField: 'value' },
      }),
  },
  {
    page: 'openapi.yaml /checkouts/create',
    fact: 'upSellProductId is returned',
    send: ({ product, units }) =>
      post('/checkouts/create', { items: [{ id: product, quantity: 1 }], upSellProductId: units }),
    status: 200,
    body: ({ units }) => ok({ ...checkout, upSellProductId: units }),
  },
  {
    page: 'pages/vender/upsell',
    fact: 'the product of an upsell may be named by its externalId',
    send: ({ product }) =>
      post('/checkouts/create', { items: [{ id: product, quantity: 1 }], upSellProductId: 'chamadas' }),
    status: 200,
    body: ({ units }) => ok({ upSellProductId: units }),
  },
  {
    page: 'openapi.yaml /checkouts/create',
    fact: 'the product of an upsell must have no cycle',
    send: ({ product, plan }) =>
      post('/checkouts/create', { items: [{ id: product, quantity: 1 }], upSellProductId: plan }),
    status: 422,
    body: failed(text),
  },
  {
    page: 'pages/payment/reference',
    fact: 'interest and fine of a boleto are returned',
    send: ({ product }) =>
      post('/checkouts/create', {
        items: [{ id: product, quantity: 1 }],
        methods: ['BOLETO'],
        interest: { value: 100 },
        fine: { value: 200, type: 'PERCENTAGE' },
      }),
    status: 200,
    body: ok({ ...checkout, interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } }),
    differs:
      'the checkout of the service specification has neither: its boletos show them (payments and transparents)',
  },
  {
    page: 'pages/changelog (27 July 2026)',
    fact: 'dueDate of its boleto is returned',
    send: ({ product }) =>
      post('/checkouts/create', {
        items: [{ id: product, quantity: 1 }],
        methods: ['BOLETO'],
        dueDate: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
      }),
    status: 200,
    body: ok({ dueDate: text }),
    differs:
      'the service specification has no dueDate of a checkout: its boleto is due three business days after it was chosen',
  },
  {
    page: 'openapi.yaml /checkouts/create',
    fact: 'maxInstallments is at most 12',
    send: ({ product }) =>
      post('/checkouts/create', { items: [{ id: product, quantity: 2 }], card: { maxInstallments: 13 } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /checkouts/create',
    fact: 'fifty coupons at most',
    send: ({ product }) =>
      post('/checkouts/create', {
        items: [{ id: product, quantity: 1 }],
        coupons: Array.from({ length: 51 }, (_, nth) => `C${nth}`),
      }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /checkouts/get',
    fact: 'finds a checkout by externalId',
    send: () => get('/checkouts/get?externalId=pedido-123'),
    status: 200,
    body: (shop) => ok({ ...checkout, id: shop.checkout }),
    differs:
      'the externalId of links and subscriptions is not unique, and get returns one object: checkouts/list filters by it',
  },
  {
    page: 'pages/changelog (23 September 2026)',
    fact: 'get needs id, externalId or customerId',
    send: () => get('/checkouts/get'),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /checkouts/get',
    fact: 'a checkout that is paid in more than one installment shows how many',
    send: ({ paidByCard: id }) => get(`/checkouts/get?id=${id}`),
    status: 200,
    body: ({ paidByCard: id }) =>
      ok({ ...checkout, id, status: 'PAID', paidAmount: 20_000, receiptUrl: address, installmentsCount: 3 }),
  },
  {
    page: 'openapi.yaml /checkouts/get',
    fact: 'a payment at once has no number of installments',
    send: ({ paidCheckout: id }) => get(`/checkouts/get?id=${id}`),
    status: 200,
    body: ok({ ...checkout, installmentsCount: null }),
  },
  {
    page: 'openapi.yaml /checkouts/list',
    fact: 'filters by status',
    send: () => get('/checkouts/list?status=PAID'),
    status: 200,
    body: ok(listOf({ ...checkout, status: 'PAID' })),
  },
  {
    page: 'openapi.yaml /checkouts/list',
    fact: 'method finds checkouts that offer it beside others',
    send: () => get('/checkouts/list?method=PIX'),
    status: 200,
    body: ok(listWith({ methods: ['PIX', 'CARD'] })),
  },
  {
    page: 'openapi.yaml /checkouts/list',
    fact: 'filters by customer',
    send: ({ customer }) => get(`/checkouts/list?customerId=${customer}`),
    status: 200,
    body: (shop) => ok(listWith({ id: shop.checkout, customerId: shop.customer })),
  },
  {
    page: 'openapi.yaml /checkouts/list',
    fact: 'keyword finds by externalId',
    send: () => get('/checkouts/list?keyword=pedido-123'),
    status: 200,
    body: (shop) => ok([{ id: shop.checkout }]),
  },
  {
    page: 'pages/changelog (23 September 2026)',
    fact: 'a checkout of a subscription is not found by checkouts/get',
    send: ({ subscriptionCheckout: id }) => get(`/checkouts/get?id=${id}`),
    status: 404,
    body: failed(text),
    differs:
      'the service specification: checkouts/get and list include payment links and subscription checkouts',
  },
  {
    page: 'openapi.yaml /payment-links/create',
    fact: 'a link is a checkout for several payments',
    send: ({ product }) => post('/payment-links/create', { items: [{ id: product, quantity: 1 }] }),
    status: 200,
    body: ok({ ...checkout, frequency: 'MULTIPLE_PAYMENTS', status: 'PENDING' }),
  },
  {
    page: 'openapi.yaml /payment-links/list',
    fact: 'lists links only',
    send: () => get('/payment-links/list'),
    status: 200,
    body: ok(listOf({ ...checkout, frequency: 'MULTIPLE_PAYMENTS' })),
  },
  {
    page: 'openapi.yaml /payment-links/get',
    fact: 'finds a link by id',
    send: ({ link: id }) => get(`/payment-links/get?id=${id}`),
    status: 200,
    body: ({ link: id }) => ok({ ...checkout, id }),
  },
];

const subscription = {
  id: startsWith('subs_'),
  checkoutId: startsWith('bill_'),
  customerId: startsWith('cust_'),
  amount: whole,
  status: oneOf('PENDING', 'ACTIVE', 'CANCELLED'),
  method: oneOf('PIX', 'CARD'),
  coupons: [],
  devMode: true,
  retryPolicy: { maxRetry: 3, retryEvery: 1 },
  createdAt: instant,
  updatedAt: instant,
};

/** Subscriptions and their checkouts. */
export const SUBSCRIPTIONS: readonly Case[] = [
  {
    page: 'openapi.yaml /public-mrr/mrr',
    fact: 'shows the recurring revenue of a month in cents',
    send: () => get('/public-mrr/mrr'),
    status: 200,
    body: ok({ mrr: 10_000, totalActiveSubscriptions: 1 }),
  },
  {
    page: 'openapi.yaml /subscriptions/create',
    fact: 'makes a checkout of one product, by card unless methods say otherwise',
    send: ({ plan: id }) => post('/subscriptions/create', { items: [{ id, quantity: 1 }] }),
    status: 200,
    body: ok({ ...checkout, methods: ['CARD'], status: 'PENDING' }),
  },
  {
    page: 'openapi.yaml /subscriptions/create',
    fact: 'exactly one item',
    send: ({ plan, otherPlan }) =>
      post('/subscriptions/create', { items: [plan, otherPlan].map((id) => ({ id, quantity: 1 })) }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/reference/introduction',
    fact: 'a product without a cycle is a 422',
    send: ({ product: id }) => post('/subscriptions/create', { items: [{ id, quantity: 1 }] }),
    status: 422,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /subscriptions/create',
    fact: 'maxRetry is at most 10',
    send: ({ plan: id }) =>
      post('/subscriptions/create', { items: [{ id, quantity: 1 }], retryPolicy: { maxRetry: 11 } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml Subscription',
    fact: 'get finds the subscription by id',
    send: ({ subscription: id }) => get(`/subscriptions/get?id=${id}`),
    status: 200,
    body: (shop) => ok({ ...subscription, id: shop.subscription, checkoutId: shop.subscriptionCheckout }),
  },
  {
    page: 'pages/subscriptions/get',
    fact: 'get finds the subscription by the externalId of its checkout',
    send: () => get('/subscriptions/get?externalId=assinatura-123'),
    status: 200,
    body: (shop) => ok({ ...subscription, id: shop.subscription }),
  },
  {
    page: 'pages/subscriptions/get',
    fact: 'get finds the newest subscription of a customer',
    send: ({ customer }) => get(`/subscriptions/get?customerId=${customer}`),
    status: 200,
    body: (shop) => ok({ ...subscription, id: shop.subscription }),
  },
  {
    page: 'pages/subscriptions/get',
    fact: 'get without any of them says what is missing',
    send: () => get('/subscriptions/get'),
    status: 400,
    body: failed(matches(NOTHING_NAMED)),
  },
  {
    page: 'openapi.yaml /subscriptions/get',
    fact: 'an unknown id is a 404',
    send: () => get('/subscriptions/get?id=subs_unknown'),
    status: 404,
    body: failed('Subscription not found'),
  },
  {
    page: 'openapi.yaml /subscriptions/list',
    fact: 'lists subscriptions, not checkouts',
    send: () => get('/subscriptions/list?status=ACTIVE'),
    status: 200,
    body: ok(listOf(subscription)),
    differs: 'the service specification: create and list return the checkout format',
  },
  {
    page: 'openapi.yaml /subscriptions/list',
    fact: 'an unknown checkout is an empty list',
    send: () => get('/subscriptions/list?checkoutId=bill_unknown'),
    status: 200,
    body: ok([]),
  },
  {
    page: 'pages/subscriptions/checkouts-get',
    fact: 'finds the checkout by externalId',
    send: () => get('/subscriptions/checkouts/get?externalId=assinatura-123'),
    status: 200,
    body: (shop) => ok({ ...checkout, id: shop.subscriptionCheckout, status: 'PAID' }),
  },
  {
    page: 'pages/subscriptions/checkouts-list',
    fact: 'lists paid and unpaid checkouts',
    send: () => get('/subscriptions/checkouts/list'),
    status: 200,
    body: (shop) => ok(listWith({ ...checkout, id: shop.subscriptionCheckout })),
  },
  {
    page: 'openapi.yaml /subscriptions/change-plan',
    fact: 'waits as PENDING for the next cycle',
    send: ({ subscription: id, otherPlan }) =>
      post('/subscriptions/change-plan', { id, productId: otherPlan, quantity: 1 }),
    status: 200,
    body: (shop) =>
      ok({
        id: startsWith('subu_'),
        subscriptionId: shop.subscription,
        status: 'PENDING',
        productId: shop.otherPlan,
        quantity: 1,
        newAmount: 4_990,
        requestedAt: instant,
      }),
  },
  {
    page: 'openapi.yaml /subscriptions/change-plan',
    fact: 'a product without a cycle is a 422',
    send: ({ subscription: id, product }) =>
      post('/subscriptions/change-plan', { id, productId: product, quantity: 1 }),
    status: 422,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /subscriptions/record-usage',
    fact: 'records units for the next installment',
    send: ({ subscription: id, units }) =>
      post('/subscriptions/record-usage', { id, productId: units, units: 50, action: 'add' }),
    status: 200,
    body: (shop) =>
      ok({
        id: startsWith('usgr_'),
        subscriptionId: shop.subscription,
        productId: shop.units,
        units: 50,
        unitPrice: 100,
        action: 'add',
        installmentNumber: 2,
        recordedAt: instant,
      }),
  },
  {
    page: 'openapi.yaml /subscriptions/record-usage',
    fact: 'a product with a cycle is a 422',
    send: ({ subscription: id, plan }) =>
      post('/subscriptions/record-usage', { id, productId: plan, units: 1, action: 'add' }),
    status: 422,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /subscriptions/checkouts/delete',
    fact: 'takes the id in the query, and the subscription continues',
    send: ({ subscriptionCheckout: id }) => post(`/subscriptions/checkouts/delete?id=${id}`),
    status: 200,
    body: ({ subscriptionCheckout: id }) => ok({ id }),
  },
  {
    page: 'openapi.yaml /subscriptions/cancel',
    fact: 'cancels at once',
    send: ({ subscription: id }) => post('/subscriptions/cancel', { id }),
    status: 200,
    body: (shop) => ok({ ...subscription, id: shop.subscription, status: 'CANCELLED' }),
  },
];
