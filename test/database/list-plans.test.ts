import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { loadConfig } from '../../src/config.ts';
import { startMetrics } from '../../src/run/metrics/metrics-server.ts';
import { readPostgresFigures } from '../../src/run/metrics/postgres-figures.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { samplesOf } from '../support/outside/metrics.ts';
import { type AskedStatements, recordStatements } from '../support/rows/asked-statements.ts';
import { fill } from '../support/rows/fill.ts';
import { LISTS } from '../support/rows/filled-lists.ts';

/** Enough that reading the whole of any table shows. */
const CHARGES = 6_000;

/**
 * Pages of 8 KiB that one request may look at: a page of a hundred rows, their indexes, and what is shown with
 * them, which of a payment are up to five rows of other tables. The tables here have more, and grow.
 */
const MOST_PAGES = 1_400;

/** A table that grows, read as a whole. */
const GROWING =
  /Seq Scan on (charges|checkouts|customers|deliveries|delivery_attempts|disputes|events|ledger_movements|metadata_entries|payments|payouts|refunds|statement_entries|subscriptions)/;

let app: TestApp;
let asked: AskedStatements;
/** A store with nearly all rows, one with a tenth of them, and one with nearly none. */
let clients: Record<'large' | 'middle' | 'small', ApiClient>;

beforeAll(async () => {
  // A tax id is then looked up by its hash, and by the text of earlier releases.
  app = await createTestApp({}, { secretsKeys: [Buffer.alloc(32, 7).toString('base64')] });
  const { id: middle } = await createTestStore(app.database);
  const { id: small } = await createTestStore(app.database);
  clients = {
    large: app.api,
    middle: await app.clientWith({ storeId: middle }),
    small: await app.clientWith({ storeId: small }),
  };
  await fill(app.database, [
    { storeId: app.storeId, charges: CHARGES },
    { storeId: middle, charges: CHARGES / 8 },
    { storeId: small, charges: 30 },
  ]);
  asked = await recordStatements(app.database);
});
afterAll(() => app.close());

describe.each(['large', 'middle', 'small'] as const)('lists of a %s store', (size) => {
  it.each(LISTS)('reads for the list %s a part of each table that does not grow with it', async (path) => {
    asked.forget();
    expect(await clients[size].get(path)).toMatchObject({ status: 200 });
    const { plans, pages } = await asked.explain();
    expect(plans).not.toMatch(GROWING);
    expect({ path, isBounded: pages <= MOST_PAGES, pages }).toEqual({ path, isBounded: true, pages });
  });
});

describe('the dashboard', () => {
  /** Behind the store's address, and how many pages of Postgres each may look at. */
  const PAGES: readonly (readonly [path: string, mostPages: number])[] = [
    ['', MOST_PAGES],
    ['/payments', MOST_PAGES],
    ['/payments?q=cliente1@example.com', MOST_PAGES],
    ['/payments?q=529.982.247-25', MOST_PAGES],
    ['/payments?q=cliente', MOST_PAGES],
    // A search by amount reads a limited number of payments, which covers all of these.
    ['/payments?q=49,90', 4 * CHARGES],
    ['/payouts', MOST_PAGES],
    ['/payouts?status=FAILED', MOST_PAGES],
    ['/payouts?kind=transfers&createdFrom=2020-01-01', MOST_PAGES],
    ['/invoices?status=VOID', MOST_PAGES],
    ['/events', MOST_PAGES],
    ['/webhooks', MOST_PAGES],
  ];
  it.each(PAGES)(
    'reads for "%s" a part of each table that does not grow with it',
    async (path, mostPages) => {
      const owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
      asked.forget();
      expect(await owner.get(`/dashboard/${app.storeId}/dev${path}`)).toMatchObject({ status: 200 });
      const { plans, pages } = await asked.explain();
      expect(plans).not.toMatch(GROWING);
      expect({ path, isBounded: pages <= mostPages, pages }).toEqual({ path, isBounded: true, pages });
    },
  );
});

it('reads for metrics a part of each table that does not grow with it', async () => {
  asked.forget();
  await readPostgresFigures(new Registry(), app.database, new Date());
  const { plans, pages } = await asked.explain();
  // One has a row for each endpoint that hangs just now, of the other one row is read.
  expect(plans).not.toMatch(/Seq Scan on (?!endpoint_breakers|ledger_checkpoints)/);
  expect({ isBounded: pages <= MOST_PAGES, pages }).toEqual({ isBounded: true, pages });
});

it('serves Postgres metrics without Temporal, read once for parallel requests', async () => {
  const config = loadConfig({ DATABASE_URL: 'postgres://unused', METRICS_PORT: '0' });
  const { database, parts } = app;
  const asksWith = { databases: { api: database }, client: parts.client, config, log: parts.log };
  const metrics = await startMetrics({ ...asksWith, sdkAddress: null });
  try {
    asked.forget();
    const url = String(metrics?.url);
    const answers = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(url)).text()));
    const { plans } = await asked.explain();
    expect(plans.match(/using attention_open_oldest_first/g)).toHaveLength(1);
    for (const text of answers) {
      const samples = samplesOf(text);
      expect(samples.get('recebe_server_up{server="postgres"}')).toBe(1);
      expect(samples.get('recebe_server_up{server="temporal"}')).toBe(0);
      expect(samples.get('recebe_overdue_rows{kind="charge"}')).toBe(0);
    }
  } finally {
    await metrics?.close();
  }
});

it('reads customers of an e-mail address in list order, without a sort', async () => {
  asked.forget();
  expect(await clients.large.get('/customers/list?email=cliente1@example.com')).toMatchObject({
    status: 200,
  });
  const { plans } = await asked.explain();
  expect(plans).toContain('customers_of_email');
  expect(plans).not.toContain('Sort');
});
