import { type Case, failed, get, ok, post } from '../case.ts';
import {
  absent,
  address,
  flag,
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
import { CUSTOMER } from '../shop.ts';

const charge = {
  id: text,
  amount: whole,
  status: oneOf(
    'PENDING',
    'EXPIRED',
    'CANCELLED',
    'PAID',
    'UNDER_DISPUTE',
    'REFUNDED',
    'REDEEMED',
    'APPROVED',
    'FAILED',
  ),
  devMode: true,
  brCode: matches(/^000201.*6304[0-9A-F]{4}$/),
  brCodeBase64: startsWith('data:image/png;base64,'),
  platformFee: whole,
  expiresAt: instant,
  createdAt: instant,
  updatedAt: instant,
  metadata: object,
};
const boleto = { method: 'BOLETO', data: { amount: 5_000, customer: CUSTOMER } };
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Transparent charges and their refunds. */
export const CHARGES: readonly Case[] = [
  {
    page: 'openapi.yaml /transparents/create',
    fact: 'a PIX charge needs an amount alone',
    send: () => post('/transparents/create', { method: 'PIX', data: { amount: 100 } }),
    status: 200,
    body: ok({
      ...charge,
      id: startsWith('pix_char_'),
      amount: 100,
      status: 'PENDING',
      receiptUrl: null,
      metadata: {},
    }),
  },
  {
    page: 'openapi.yaml /transparents/create',
    fact: 'expiresIn, description, externalId, metadata and utm are accepted',
    send: () =>
      post('/transparents/create', {
        method: 'PIX',
        data: {
          amount: 100,
          expiresIn: 3_600,
          description: 'Pedido 123',
          externalId: 'cobranca-123',
          metadata: { faturaId: 'fatura-456' },
          utm: { source: 'newsletter', campaign: 'BF-2026' },
        },
      }),
    status: 200,
    body: ok({ ...charge, metadata: { faturaId: 'fatura-456' } }),
  },
  {
    page: 'openapi.yaml /transparents/create',
    fact: 'other fields of data are refused',
    send: () => post('/transparents/create', { method: 'PIX', data: { amount: 100, value: 1 } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /transparents/create',
    fact: 'a description has at most 500 characters',
    send: () =>
      post('/transparents/create', { method: 'PIX', data: { amount: 100, description: 'x'.repeat(501) } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /transparents/create',
    fact: 'the customer of a PIX charge needs all fields',
    send: () =>
      post('/transparents/create', { method: 'PIX', data: { amount: 100, customer: { name: 'Ana' } } }),
    status: 400,
    body: failed(text),
    differs: 'the service specification: every field of a PIX customer is optional',
  },
  {
    page: 'pages/changelog (11 September 2026)',
    fact: 'ensureSameTaxId asks the bank to refuse other payers',
    send: () =>
      post('/transparents/create', {
        method: 'PIX',
        data: { amount: 100, ensureSameTaxId: true, customer: CUSTOMER },
      }),
    status: 200,
    body: ok(charge),
    differs:
      "no bank of Bacen's API Pix can be asked for this, so it is an unknown field (400) and not a promise",
  },
  {
    page: 'openapi.yaml /transparents/create',
    fact: 'a boleto has a line, an address and an alternative PIX code',
    send: () => post('/transparents/create', boleto),
    status: 200,
    body: ok({
      ...charge,
      id: startsWith('bole_'),
      barCode: matches(/^[\d. ]{47,}$/),
      url: address,
      interest: null,
      fine: null,
      platformFee: 250,
    }),
  },
  {
    page: 'pages/transparents/boleto',
    fact: 'a boleto needs name and taxId of its payer',
    send: () =>
      post('/transparents/create', { method: 'BOLETO', data: { amount: 5_000, customer: { name: 'Ana' } } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/changelog (27 July 2026)',
    fact: 'dueDate of a boleto may be a year ahead, and no more',
    send: () => post('/transparents/create', { ...boleto, data: { ...boleto.data, dueDate: day(400) } }),
    status: 422,
    body: failed(text),
  },
  {
    page: 'pages/changelog (27 July 2026)',
    fact: 'dueDate must not be past',
    send: () => post('/transparents/create', { ...boleto, data: { ...boleto.data, dueDate: day(-2) } }),
    status: 422,
    body: failed(text),
  },
  {
    page: 'openapi.yaml TransparentCharge',
    fact: 'expiresAt of a boleto is the end of its due date',
    send: ({ boleto: id }) => get(`/transparents/get?id=${id}`),
    status: 200,
    body: ok({ expiresAt: matches(/T02:59:59\.999Z$/) }),
    differs:
      'expiresAt is midnight at the start of the due date, as the sample of the service specification has it (T03:00:00.000Z)',
  },
  {
    page: 'openapi.yaml BoletoFine',
    fact: 'a fine may be cents',
    send: () =>
      post('/transparents/create', {
        ...boleto,
        data: { ...boleto.data, interest: { value: 250 }, fine: { value: 1_000, type: 'FIXED' } },
      }),
    status: 200,
    body: ok({ ...charge, interest: { value: 250 }, fine: { value: 1_000, type: 'FIXED' } }),
  },
  {
    page: 'openapi.yaml BoletoInterest',
    fact: 'interest of less than nothing is refused',
    send: () =>
      post('/transparents/create', { ...boleto, data: { ...boleto.data, interest: { value: -1 } } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /transparents/get',
    fact: 'finds a charge by id',
    send: ({ pix: id }) => get(`/transparents/get?id=${id}`),
    status: 200,
    body: ({ pix: id }) => ok({ ...charge, id, status: 'PENDING', receiptUrl: null }),
  },
  {
    page: 'pages/changelog (2 June 2026)',
    fact: 'a paid charge has a receipt',
    send: ({ paidPix: id }) => get(`/transparents/get?id=${id}`),
    status: 200,
    body: ok({ ...charge, status: 'PAID', receiptUrl: address }),
  },
  {
    page: 'openapi.yaml /transparents/check',
    fact: 'shows status and expiry',
    send: ({ pix: id }) => get(`/transparents/check?id=${id}`),
    status: 200,
    body: ({ pix: id }) => ok({ id, status: 'PENDING', expiresAt: instant, amount: absent }),
  },
  {
    page: 'openapi.yaml /transparents/simulate-payment',
    fact: 'pays a charge of dev mode by its id in the query',
    send: ({ pix: id }) => post(`/transparents/simulate-payment?id=${id}`, { metadata: {} }),
    status: 200,
    body: ({ pix: id }) => ok({ ...charge, id, status: 'PAID', platformFee: 80 }),
  },
  {
    page: 'openapi.yaml /transparents/list',
    fact: 'filters by status and externalId',
    send: () => get('/transparents/list?status=PENDING&externalId=cobranca-123'),
    status: 200,
    body: ok(listOf({ ...charge, status: 'PENDING' })),
  },
  {
    page: 'openapi.yaml /transparents/list',
    fact: 'filters by method',
    send: () => get('/transparents/list?method=PIX'),
    status: 200,
    body: ok(listOf(charge)),
  },
  {
    page: 'openapi.yaml /transparents/refund',
    fact: 'answers with the id of the refund',
    send: ({ refundable: id }) => post('/transparents/refund', { id, reason: 'Pedido cancelado' }),
    status: 200,
    body: ok({ refundPublicId: startsWith('tran_') }),
  },
  {
    page: 'openapi.yaml RefundRequest',
    fact: 'a reason has at most 500 characters',
    send: ({ refundable: id }) => post('/transparents/refund', { id, reason: 'x'.repeat(501) }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml RefundRequest',
    fact: 'checkouts/refund takes the id of the checkout',
    send: ({ paidCheckout: id }) => post('/checkouts/refund', { id }),
    status: 200,
    body: ok({ refundPublicId: startsWith('tran_') }),
  },
  {
    page: 'openapi.yaml RefundError',
    fact: 'an unpaid charge cannot be refunded (with ERROR_COMPATIBILITY)',
    send: ({ boleto: id }) => post('/transparents/refund', { id }, { as: 'compatible' }),
    status: 400,
    body: failed(oneOf('INVALID_METHOD', 'TRANSACTION_NOT_REFUNDABLE')),
  },
];

const payout = {
  id: startsWith('tran_'),
  status: oneOf('PENDING', 'EXPIRED', 'CANCELLED', 'COMPLETE', 'REFUNDED'),
  devMode: true,
  receiptUrl: address,
  amount: 10_000,
  platformFee: whole,
  createdAt: instant,
  updatedAt: instant,
};
const movement = {
  amount: whole,
  kind: text,
  method: oneOf('PIX', 'PIX_QRCODE', 'CARD', 'BOLETO', 'TED', 'INTERNAL'),
  description: text,
  category: oneOf('transaction', 'withdrawal', 'refund', 'fee', 'reversal'),
  balanceEffect: oneOf('credit', 'debit', 'none'),
};
const transaction = {
  id: startsWith('tran_'),
  movements: listOf(movement),
  currency: 'BRL',
  createdAt: instant,
  checkoutId: orNull(startsWith('bill_')),
  paymentIntentId: orNull(text),
  referenceId: orNull(text),
};
const statement = (query: string) => get(`/bank-statement/list${query}`);

/** Payouts, sent PIX and the statement. */
export const MONEY: readonly Case[] = [
  {
    page: 'openapi.yaml /payouts/create',
    fact: 'at least R$ 3.50',
    send: () => post('/payouts/create', { amount: 349, externalId: 'pouco' }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /payouts/create',
    fact: 'a payout names the PIX key that it goes to',
    send: () =>
      post('/payouts/create', {
        amount: 1_000,
        externalId: 'com-chave',
        pix: { key: '11987654321', type: 'PHONE' },
      }),
    status: 200,
    body: ok(payout),
    differs:
      "a payout goes to the store's own account, and pix/send to a key: their changelog of June 2026 says the same",
  },
  {
    page: 'openapi.yaml /payouts/get',
    fact: 'finds a payout by externalId',
    send: () => get('/payouts/get?externalId=saque-123'),
    status: 200,
    body: (shop) => ok({ ...payout, id: shop.payout, externalId: 'saque-123' }),
  },
  {
    page: 'openapi.yaml /payouts/get',
    fact: 'an unknown externalId is a 404',
    send: () => get('/payouts/get?externalId=nenhum'),
    status: 404,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /payouts/list',
    fact: 'shows withdrawals',
    send: () => get('/payouts/list'),
    status: 200,
    body: ok(listOf({ ...payout, kind: 'WITHDRAW' })),
  },
  {
    page: 'openapi.yaml /pix/send',
    fact: 'the type of a key is one of six',
    send: () => post('/pix/send', { amount: 1_000, externalId: 'tipo', pix: { key: 'x', type: 'IBAN' } }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /pix/get',
    fact: 'finds a sent PIX by id',
    send: ({ transfer: id }) => get(`/pix/get?id=${id}`),
    status: 200,
    body: ({ transfer: id }) => ok({ ...payout, id, externalId: 'pix-123' }),
  },
  {
    page: 'openapi.yaml /pix/list',
    fact: 'needs an id',
    send: () => get('/pix/list'),
    status: 400,
    body: failed(text),
    differs: 'it is a list like all others here; with an id it has that one',
  },
  {
    page: 'openapi.yaml /bank-statement/list',
    fact: 'shows transactions with their movements',
    send: () => statement(''),
    status: 200,
    body: {
      ...(ok(listOf(transaction)) as object),
      pagination: { hasMore: flag, next: orNull(text), before: orNull(text) },
    },
  },
  {
    page: 'pages/bank-statement/reference',
    fact: 'a payment is a deposit that is credited and a fee that is debited',
    send: () => statement('?kind=DEPOSIT&method=PIX'),
    status: 200,
    body: (shop) =>
      ok(
        listWith({
          paymentIntentId: shop.paidPix,
          movements: [
            {
              ...movement,
              amount: 500_000,
              kind: 'DEPOSIT',
              method: 'PIX',
              category: 'transaction',
              balanceEffect: 'credit',
            },
            {
              ...movement,
              amount: 80,
              kind: 'WITHDRAW',
              method: 'INTERNAL',
              category: 'fee',
              balanceEffect: 'debit',
            },
          ],
        }),
      ),
  },
  {
    page: 'pages/bank-statement/reference',
    fact: 'an approved card has no effect on the available balance',
    send: () => statement('?kind=CARD_APPROVED'),
    status: 200,
    body: ok(listOf({ movements: listOf({ method: oneOf('CARD', 'INTERNAL'), balanceEffect: 'none' }) })),
  },
  {
    page: 'pages/bank-statement/reference',
    fact: 'referenceId is the externalId of a payout',
    send: () => statement('?kind=WITHDRAW'),
    status: 200,
    body: ok(listWith({ referenceId: 'saque-123', checkoutId: null, paymentIntentId: null })),
  },
  {
    page: 'openapi.yaml /bank-statement/list',
    fact: 'filters by status',
    send: () => statement('?status=COMPLETE'),
    status: 200,
    body: ok(listOf(transaction)),
  },
  {
    page: 'pages/bank-statement/list',
    fact: 'status=PENDING shows what has not moved the balance yet',
    send: () => statement('?status=PENDING'),
    status: 200,
    body: ok(listOf(transaction)),
    differs:
      'the statement has booked money only (contract section 3.7): open charges are in transparents/list',
  },
  {
    page: 'openapi.yaml /bank-statement/list',
    fact: 'search finds a part of the id',
    send: () => statement('?search=tran_'),
    status: 200,
    body: ok(listOf(transaction)),
    differs: 'a part of an id cannot be found by an index; the parameter is a 400',
  },
];

/** Answers to keys, and v1. */
export const KEYS: readonly Case[] = [
  {
    page: 'pages/authentication',
    fact: 'a request without a key is a 401',
    send: () => get('/customers/list', { as: 'nobody' }),
    status: 401,
    body: failed(text),
  },
  {
    page: 'pages/authentication',
    fact: 'a key without the permission is refused',
    send: () => get('/customers/list', { as: 'reader' }),
    status: 401,
    body: failed(startsWith('Insufficient permissions')),
  },
  {
    page: 'pages/comecar/chaves-de-api',
    fact: 'a key of v1 on v2 is a 401, API key version mismatch',
    send: () => get('/store/get'),
    status: 401,
    body: failed('API key version mismatch'),
    differs: 'every key serves both versions (contract section 1.3)',
  },
  {
    page: 'openapi.yaml /checkouts/get',
    fact: 'an unknown checkout is Billing not found (with ERROR_COMPATIBILITY)',
    send: () => get('/checkouts/get?id=bill_unknown', { as: 'compatible' }),
    status: 404,
    body: failed('Billing not found'),
  },
  {
    page: 'openapi-v1.yaml /customer/create',
    fact: 'v1 shows a customer by its metadata, in an envelope without success',
    send: () => post('/customer/create', CUSTOMER, { version: 1 }),
    status: 200,
    body: (shop) => ({
      data: { id: shop.customer, metadata: { name: CUSTOMER.name, email: CUSTOMER.email } },
      error: null,
      success: absent,
    }),
  },
  {
    page: 'openapi-v1.yaml /pixQrCode/create',
    fact: 'v1 takes a flat body',
    send: () =>
      post('/pixQrCode/create', { amount: 100, expiresIn: 3_600, description: 'v1' }, { version: 1 }),
    status: 200,
    body: { data: { ...charge, id: startsWith('pix_char_'), status: 'PENDING' }, error: null },
  },
  {
    page: 'openapi-v1.yaml /billing/create',
    fact: 'v1 makes products with the billing',
    send: () =>
      post(
        '/billing/create',
        {
          frequency: 'ONE_TIME',
          methods: ['PIX'],
          products: [{ externalId: 'v1-1', name: 'Plano', description: 'Um mês', quantity: 2, price: 2_000 }],
          returnUrl: 'https://seusite.com/voltar',
          completionUrl: 'https://seusite.com/sucesso',
          customer: CUSTOMER,
        },
        { version: 1 },
      ),
    status: 200,
    body: {
      data: {
        id: startsWith('bill_'),
        url: address,
        amount: 4_000,
        status: 'PENDING',
        methods: ['PIX'],
        frequency: 'ONE_TIME',
      },
      error: null,
    },
  },
];

/** What webhooks carry, as `events/list` shows it. */
export const EVENTS: readonly Case[] = [
  {
    page: 'pages/webhooks/events/checkout',
    fact: 'checkout.completed by PIX says who paid, and that it is no upsell',
    send: ({ paidCheckout }) => get(`/events/list?name=checkout.completed&subjectId=${paidCheckout}`),
    status: 200,
    body: (shop) =>
      ok([
        {
          devMode: true,
          data: {
            checkout: {
              id: shop.paidCheckout,
              amount: 20_000,
              paidAmount: 20_000,
              platformFee: 80,
              frequency: 'ONE_TIME',
              status: 'PAID',
              methods: ['PIX'],
              receiptUrl: address,
              installmentsCount: null,
              isUpSell: false,
            },
            payerInformation: { method: 'PIX', PIX: { name: text, taxId: text, isSameAsCustomer: flag } },
          },
        },
      ]),
  },
  {
    page: 'pages/webhooks/events/checkout',
    fact: 'checkout.completed by card has installments, brand and four digits',
    send: ({ paidByCard }) => get(`/events/list?name=checkout.completed&subjectId=${paidByCard}`),
    status: 200,
    body: ok([
      {
        data: {
          checkout: { installmentsCount: 3 },
          payerInformation: { method: 'CARD', CARD: { number: matches(/^\d{4}$/), brand: text } },
        },
      },
    ]),
  },
  {
    page: 'pages/webhooks/events/transparent',
    fact: 'transparent.completed has the charge, the customer and the payer',
    send: ({ paidPix }) => get(`/events/list?name=transparent.completed&subjectId=${paidPix}`),
    status: 200,
    body: (shop) =>
      ok([
        {
          data: {
            transparent: {
              id: shop.paidPix,
              amount: 500_000,
              paidAmount: 500_000,
              status: 'PAID',
              receiptUrl: address,
            },
          },
        },
      ]),
  },
  {
    page: 'pages/notificacoes/webhooks',
    fact: 'without a customer its fields are empty',
    send: ({ paidPix }) => get(`/events/list?name=transparent.completed&subjectId=${paidPix}`),
    status: 200,
    body: ok([{ data: { customer: { id: '', name: null, email: null, taxId: null } } }]),
    differs: 'customer is null then (contract section 7.4): an empty id would be taken for one',
  },
  {
    page: 'pages/webhooks/events/subscriptions',
    fact: 'subscription.completed has subscription, customer, payment and checkout',
    send: ({ subscription }) => get(`/events/list?name=subscription.completed&subjectId=${subscription}`),
    status: 200,
    body: (shop) =>
      ok([
        {
          data: {
            subscription: { id: shop.subscription, amount: 10_000, status: 'ACTIVE' },
            customer: { id: shop.customer, taxId: '529.***.***-**' },
            payment: { status: 'PAID', amount: 10_000 },
            checkout: { id: shop.subscriptionCheckout },
            payerInformation: { method: 'CARD' },
          },
        },
      ]),
  },
];
