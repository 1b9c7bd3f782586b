import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pageText } from '../../src/recovery/find-open.ts';
import { DAYS } from '../../src/recovery/open-settlements.ts';
import { OPEN_ROWS } from '../../src/recovery/overdue-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const PAGE = {
  afterAt: '2026-11-22T10:00:00Z',
  afterId: 'x',
  afterStore: 'x',
  afterDev: false,
  before: '2026-11-22T12:00:00Z',
  limit: 200,
};

/** The plan where tables are so large that reading a whole one is never worth it. */
async function planOf(sql: string): Promise<string> {
  return db.database.em.fork().transactional(async (em) => {
    await em.execute('set local enable_seqscan = off');
    await em.execute('set local enable_bitmapscan = off');
    const lines = await em.execute<Record<string, string>[]>(`explain (costs off) ${sql}`, PAGE);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
}

it.each([
  ['charge', 'charges_open'],
  ['checkout', 'checkouts_open'],
  ['subscription', 'subscriptions_due_next'],
  ['refund', 'refunds_open'],
  ['return', 'payments_returning'],
  ['payout', 'payouts_open'],
  ['delivery', 'deliveries_open'],
  ['resend', 'resends_open'],
  ['paymentNotice', 'sandbox_charges_to_notify'],
  ['disputeNotice', 'sandbox_disputes_unacknowledged'],
] as const)(
  'reads a page of each %s by an index range of %s, without reading a whole table',
  async (kind, index) => {
    const plan = await planOf(pageText(OPEN_ROWS[kind], true, false));
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan using ${index} on`));
    expect(plan).toMatch(/Index Cond: .*(ROW|>=)/);
    expect(plan).not.toContain('Seq Scan');
  },
);

it('reads one charge of each day that settles, by charges_unsettled', async () => {
  const plan = await planOf(DAYS);
  expect(plan.match(/Index Only Scan using charges_unsettled/g)).toHaveLength(2);
  expect(plan).not.toContain('Seq Scan');
  expect(plan).not.toContain('Sort');
});
