/** The id of a row of one of the stores that `fill` fills, by their order. */
export const filled = (prefix: string, number: number, store = 0) =>
  `${prefix}F00${store}${number.toString(16).toUpperCase().padStart(22, '0')}`;

/** A charge, one that was refunded, a refund, a payment link, a checkout, a customer, and what there is not. */
const SUBJECTS_AND_PERIODS = [
  ...[
    filled('pix_char_', 3),
    filled('pix_char_', 1000),
    filled('tran_', 1000),
    filled('bill_', 1),
    filled('bill_', 2),
    filled('cust_', 1),
    'subs_none',
    'none',
  ].map((id) => `?subjectId=${id}`),
  `?from=${daysAgo(200)}`,
  `?to=${daysAgo(200)}`,
  `?from=${daysAgo(201)}&to=${daysAgo(200)}`,
];

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString();
}

/** Every list of v2, with each of its filters by something rare, something common and something there is not. */
export const LISTS: readonly string[] = [
  ...[
    '',
    '?status=PAID',
    '?status=CANCELLED',
    '?status=UNDER_DISPUTE',
    '?externalId=ext-1',
    '?externalId=none',
    `?customerId=${filled('cust_', 3)}`,
    '?createdFrom=2020-01-01&createdTo=2020-12-31',
    '?metadata[order]=1',
    '?metadata[channel]=web',
    '?metadata[channel]=none',
  ].map((query) => `/transparents/list${query}`),
  ...[
    '',
    '?method=PIX',
    '?method=BOLETO',
    '?status=PAID',
    '?status=UNDER_DISPUTE',
    '?method=CARD&status=FAILED',
    '?externalId=ext-1',
    '?externalId=pedido-1',
    '?externalId=none',
    `?checkoutId=${filled('bill_', 1)}`,
    `?customerId=${filled('cust_', 1)}`,
    '?subscriptionId=subs_1',
    '?createdFrom=2020-01-01&createdTo=2020-12-31',
    '?createdTo=2099-12-31&status=PAID',
    '?paidFrom=2020-01-01',
    '?paidTo=2099-12-31&method=PIX',
    '?paidFrom=2098-01-01',
    '?metadata[order]=1',
    '?metadata[channel]=web',
    '?metadata[channel]=none',
  ].map((query) => `/payments/list${query}`),
  ...[
    '',
    '?account=AVAILABLE',
    '?account=PENDING',
    '?kind=PAYMENT',
    '?kind=DISPUTE_WON',
    '?from=2020-01-01&to=2020-12-31',
    '?to=2099-12-31&account=AVAILABLE&kind=PAYMENT',
  ].map((query) => `/balance/movements${query}`),
  ...[
    '',
    '?method=PIX',
    '?method=CARD',
    '?kind=DEPOSIT',
    '?kind=REFUND',
    '?kind=CARD_APPROVED&method=CARD',
    '?status=COMPLETE',
    '?status=APPROVED',
    '?startDate=2020-01-01&endDate=2020-12-31&method=PIX',
  ].map((query) => `/bank-statement/list${query}`),
  ...['checkouts', 'payment-links', 'subscriptions'].flatMap((path) =>
    [
      '',
      '?status=PAID',
      '?status=CANCELLED',
      '?status=REFUNDED',
      '?externalId=pedido-1',
      '?email=cliente1@example.com',
      '?taxId=00000000191',
      `?customerId=${filled('cust_', 3)}`,
      '?createdFrom=2020-01-01&createdTo=2020-12-31',
      '?createdTo=2099-12-31',
      '?method=PIX',
      '?method=BOLETO',
      '?keyword=pedido-1',
      '?keyword=cliente1@example.com',
      '?keyword=cliente',
      '?metadata[channel]=none',
    ].map((query) => `/${path}/list${query}`),
  ),
  ...['ACTIVE', 'CANCELLED'].flatMap((status) =>
    ['', `&customerId=${filled('cust_', 3)}`, '&externalId=pedido-3', '&createdFrom=2020-01-01'].map(
      (query) => `/subscriptions/list?subscriptionStatus=${status}${query}`,
    ),
  ),
  ...[
    '',
    '?createdTo=2020-12-31',
    '?email=cliente1@example.com',
    '?email=none@example.com',
    '?taxId=00000000191',
  ].map((query) => `/customers/list${query}`),
  ...[
    '',
    '?status=DELIVERED',
    '?status=FAILED',
    '?status=PENDING',
    '?event=transparent.refunded',
    '?event=payout.completed',
    '?event=transparent.completed&status=FAILED',
    `?webhookId=${filled('webh_', 0)}`,
    `?webhookId=${filled('webh_', 0, 1)}`,
    `?eventId=${filled('evnt_', 1)}`,
    ...SUBJECTS_AND_PERIODS,
  ].map((query) => `/webhooks/deliveries${query}`),
  ...[
    '',
    '?name=transparent.completed',
    '?name=transparent.refunded',
    '?name=payout.completed',
    ...SUBJECTS_AND_PERIODS,
    `?name=transparent.completed&subjectId=${filled('bill_', 1)}`,
  ].map((query) => `/events/list${query}`),
  ...['payouts', 'pix'].flatMap((path) =>
    ['', '?status=COMPLETE', '?status=FAILED', '?status=PENDING', '?externalId=saque-2'].map(
      (query) => `/${path}/list${query}`,
    ),
  ),
  '/products/list',
  '/coupons/list',
  '/webhooks/list',
];
