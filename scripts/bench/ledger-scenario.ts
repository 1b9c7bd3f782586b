import type { StoreId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { CONNECTIONS } from './api.ts';
import { type Bench, backlogOf } from './bench.ts';
import { completions } from './ceilings.ts';
import type { Figures } from './figures.ts';
import { closedLoop, openLoop, percentile, until } from './load.ts';

/** The number of a store's entries when its balance is read. */
const ENTRIES = 1_000_000;

/** A failed payout has two movements with two entries each, and does not change the balance. */
const ENTRIES_PER_PAYOUT = 4;

/** The rate of a dashboard rather than a load, because the latency of one answer is measured. */
const BALANCES_PER_SECOND = 100;

/**
 * PIX charges created and paid per second, all into the balance of one store; the discrepancies of its
 * ledger; and how fast the balance is read after a million entries.
 */
export async function ledger(bench: Bench): Promise<Figures> {
  const { api, database, temporal, nothingQueue, durations } = bench;
  const perSecond = await completions(temporal, nothingQueue, CONNECTIONS, durations.ceilingMs);
  let answered503 = 0;
  const load = await closedLoop(durations.chargesMs, CONNECTIONS, async () => {
    if (!(await api.simulatePayment(await api.createCharge()))) answered503 += 1;
  });
  await until('the last start', async () => (await backlogOf(bench)) === 0);

  const { id: storeId } = await api.getStore();
  await fillLedger(bench, storeId);
  const { discrepancies } = await verifyLedger(database.em.fork(), storeId);
  const { latenciesMs } = await openLoop(durations.halfRateMs, BALANCES_PER_SECOND, async () => {
    await api.getStore();
  });
  return {
    paidCompletionsPerSecond: perSecond,
    paidPerSecond: load.perSecond,
    paidToCompletions: load.perSecond / perSecond,
    paidP50Ms: percentile(load.latenciesMs, 50),
    paidAnswered503: answered503,
    ledgerDiscrepancies: discrepancies.length,
    balanceP50Ms: percentile(latenciesMs, 50),
    balanceP99Ms: percentile(latenciesMs, 99),
  };
}

/** Adds entries up to a million, once for all rounds. */
async function fillLedger({ database }: Bench, storeId: StoreId): Promise<void> {
  const em = database.em.fork();
  const [row] = await em.execute<{ count: number }[]>(
    'select count(*)::int as count from ledger_entries where store_id = ?',
    [storeId],
  );
  const missing = Math.ceil(Math.max(0, ENTRIES - (row?.count ?? 0)) / ENTRIES_PER_PAYOUT);
  if (missing === 0) return;
  await em.execute(
    `with payout as (
       insert into payouts (id, kind, store_id, dev_mode, status, amount_cents, platform_fee_cents, external_id, content_hash,
         pix_key_type, pix_key, failure_reason, created_at, updated_at, workflow_started_at)
       select 'bench_' || gen_random_uuid(), 'TRANSFER', ?, true, 'FAILED', 1000, 0, gen_random_uuid(), '', 'EMAIL',
         'loja@example.com', 'bench',
         now(), now(), now()
       from generate_series(1, ${missing}) returning id, store_id, dev_mode, amount_cents as cents, created_at
     )
     insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
       blocked_cents, outgoing_cents, platform_fees_cents, created_at)
     select id, kind, store_id, dev_mode, 0, 0, sign * cents, 0, -sign * cents, 0, created_at
     from payout, (values ('PAYOUT_RESERVED', -1), ('PAYOUT_FAILED', 1)) movement (kind, sign)`,
    [storeId],
    'run',
  );
  await em.execute('analyze ledger_movements', [], 'run');
}
