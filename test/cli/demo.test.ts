import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { InvoiceEntity } from '../../src/database/entities/invoice.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
/** Paid before the store was filled. */
let before: string;
beforeAll(async () => {
  app = await createMoneyApp();
  ({ storeId, api } = await app.anotherStore());
  const created = await api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2_500 } });
  before = dataOf<{ id: string }>(created).id;
  await api.post(`/v2/transparents/simulate-payment?id=${before}`, {});
  for (let times = 0; times < 2; times += 1) expect(await fill()).toMatchObject({ code: 0, errors: '' });
}, 120_000);
afterAll(() => app.close());

const em = () => app.database.em.fork();
const fill = () =>
  run(`demo fill --store ${storeId}`, { DATABASE_URL: app.database.config.get('clientUrl') ?? '' });
const statusOf = async (path: string) => ({ path, status: (await api.get(path)).status });

/** One charge of each method and status in the store. */
function examples(): Promise<{ id: string; method: string; checkoutId: string | null }[]> {
  return em().execute(
    `select distinct on (method, status, checkout_id is null) id, method, checkout_id as "checkoutId"
     from charges where store_id = :storeId`,
    { storeId } as never,
  );
}

describe('demo fill in a store that has charges, twice', () => {
  it('keeps every cent of the ledger where it belongs', async () => {
    const { discrepancies } = await verifyLedger(em(), storeId);
    expect(discrepancies).toEqual([]);
    expect(dataOf(await api.get(`/v2/transparents/get?id=${before}`))).toMatchObject({ status: 'PAID' });
  });

  it('gives each PIX charge a code and each boleto a bar code, a number and a code', async () => {
    const coded = { storeId, method: 'BOLETO' as const };
    expect(await em().count(ChargeEntity, { ...coded, status: 'PENDING' })).toBeGreaterThan(0);
    expect(await em().count(ChargeEntity, { ...coded, barCode: null })).toBe(0);
    expect(await em().count(ChargeEntity, { ...coded, ourNumber: null })).toBe(0);
    const withoutCode = { storeId, method: { $ne: 'CARD' as const }, brCode: null };
    expect(await em().count(ChargeEntity, withoutCode)).toBe(0);
  });

  it('gives every paid cycle and checkout payment one invoice of the paid amount', async () => {
    const [uneven] = await em().execute<{ count: number }[]>(
      `select count(*)::int as count
       from (select * from charges where store_id = :storeId and paid_at is not null and checkout_id is not null) paid
       full join (select * from invoices where store_id = :storeId) invoice on invoice.charge_id = paid.id
       left join installments cycle on cycle.paid_by_charge_id = paid.id
       where paid.id is null or invoice.amount_cents is distinct from paid.amount_cents
         or invoice.installment_id is distinct from cycle.id`,
      { storeId } as never,
    );
    expect(uneven).toEqual({ count: 0 });
    expect(await em().count(InvoiceEntity, { storeId, subscriptionId: { $ne: null } })).toBeGreaterThan(100);
  });

  it('numbers the invoices of each year without a gap and without publishing them', async () => {
    const years = await em().execute<{ count: number; last: number; counted: number; open: number }[]>(
      `select count(*)::int as count, max(number_in_year)::int as last, last_number as counted,
         count(*) filter (where published_status is distinct from status)::int as open
       from invoices join invoice_counters using (store_id, dev_mode) where store_id = :storeId and year = number_year
       group by year, last_number`,
      { storeId } as never,
    );
    expect(years.length).toBeGreaterThan(0);
    for (const { count, last, counted, open } of years)
      expect({ last, counted, open }).toEqual({ last: count, counted: count, open: 0 });
    expect(await em().count(EventEntity, { storeId, name: { $like: 'invoice.%' } as never })).toBe(0);
  });

  it('returns 200 for every list and every charge', async () => {
    const lists = [
      'transparents',
      'checkouts',
      'payments',
      'invoices',
      'subscriptions',
      'customers',
      'events',
      'payouts',
    ];
    for (const list of lists)
      expect(await statusOf(`/v2/${list}/list?limit=100`)).toMatchObject({ status: 200 });
    for (const { id, checkoutId, method } of await examples()) {
      const read =
        checkoutId === null ? `/v2/transparents/get?id=${id}` : `/v2/checkouts/get?id=${checkoutId}`;
      const page = checkoutId === null && method === 'BOLETO' ? `/boleto/${id}` : null;
      const paths = [read, `/v2/payments/get?id=${id}`, ...(page === null ? [] : [page])];
      for (const path of paths) expect(await statusOf(path)).toEqual({ path, status: 200 });
    }
  });

  it('shows the sandbox page of the dashboard and exports payments', async () => {
    const at = { url: app.api.url, database: app.database };
    const owner = await signedIn(at, storeId, 'owner', 'owner@example.com');
    for (const path of ['/sandbox', '/payments', '/payments?format=csv', '/balance', '']) {
      const { status } = await owner.get(`/dashboard/${storeId}/dev${path}`);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });
});

it('returns 200 for charges whose codes are missing', async () => {
  await em().nativeUpdate(
    ChargeEntity,
    { storeId, method: { $in: ['PIX', 'BOLETO'] } },
    { brCode: null, barCode: null, ourNumber: null },
  );
  expect(await statusOf('/v2/transparents/list?limit=100')).toMatchObject({ status: 200 });
  for (const { id, checkoutId } of await examples()) {
    if (checkoutId !== null) continue;
    const path = `/v2/transparents/get?id=${id}`;
    expect(await statusOf(path)).toEqual({ path, status: 200 });
  }
});
