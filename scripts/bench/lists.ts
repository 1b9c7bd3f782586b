/** Every list of v2, with each of its filters by something rare, something common and something there is not. */
export const LISTS: readonly string[] = [
  ...[
    '',
    '?status=PAID',
    '?status=CANCELLED',
    '?status=UNDER_DISPUTE',
    '?externalId=ext-1',
    '?externalId=none',
  ].map((query) => `/transparents/list${query}`),
  ...['checkouts', 'payment-links', 'subscriptions'].flatMap((path) =>
    [
      '',
      '?status=PAID',
      '?status=CANCELLED',
      '?status=REFUNDED',
      '?externalId=pedido-1',
      '?email=cliente1@example.com',
      '?taxId=00000000191',
    ].map((query) => `/${path}/list${query}`),
  ),
  ...['', '?email=cliente1@example.com', '?email=none@example.com', '?taxId=00000000191'].map(
    (query) => `/customers/list${query}`,
  ),
  ...[
    '',
    '?status=DELIVERED',
    '?status=FAILED',
    '?status=PENDING',
    '?event=transparent.refunded',
    '?event=payout.completed',
    '?event=transparent.completed&status=FAILED',
  ].map((query) => `/webhooks/deliveries${query}`),
  ...['payouts', 'pix'].flatMap((path) =>
    ['', '?status=COMPLETE', '?status=FAILED', '?status=PENDING', '?externalId=saque-2'].map(
      (query) => `/${path}/list${query}`,
    ),
  ),
  '/products/list',
  '/coupons/list',
  '/webhooks/list',
];
