import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fill } from '../../scripts/bench/fill.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { type AskedStatements, recordStatements } from '../support/rows/asked-statements.ts';

/** Enough that reading the whole of any table shows. */
const CHARGES = 6_000;

/**
 * Pages of 8 KiB that one request may look at: a page of a hundred rows, their indexes, and what is shown with
 * them. Each table here has more, and grows.
 */
const MOST_PAGES = 900;

let app: TestApp;
let asked: AskedStatements;
/** Of a store with nearly everything, and of one with nearly nothing. */
let clients: Record<'large' | 'small', ApiClient>;

beforeAll(async () => {
  app = await createTestApp();
  const { id: small } = await createTestStore(app.database);
  clients = { large: app.api, small: await app.clientWith({ storeId: small }) };
  await fill(app.database, [
    { storeId: app.storeId, charges: CHARGES },
    { storeId: small, charges: 30 },
  ]);
  asked = await recordStatements(app.database);
});
afterAll(() => app.close());

/** Every list of v2, with each of its filters by something rare, something common and something there is not. */
const LISTS = [
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

describe.each(['large', 'small'] as const)('of a %s store', (size) => {
  it.each(LISTS)('%s looks at a part of each table that does not grow with it', async (path) => {
    asked.forget();
    expect(await clients[size].get(path)).toMatchObject({ status: 200 });
    const { plans, pages } = await asked.explain();
    expect(plans).not.toMatch(
      /Seq Scan on (charges|checkouts|customers|deliveries|delivery_attempts|events|payouts)/,
    );
    expect({ path, isBounded: pages <= MOST_PAGES, pages }).toEqual({ path, isBounded: true, pages });
  });
});
