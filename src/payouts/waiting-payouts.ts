import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { LedgerOwner } from '../ledger/ledger.ts';

const NONE = { count: 0, cents: 0 };

const WAITING = statement<LedgerOwner, typeof NONE>(
  'count payouts that wait for an approval',
  () => `
  select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents from payouts
  where store_id = :storeId and dev_mode = :devMode and approval = 'WAITING'`,
);

/** How many payouts and transfers wait for an approval, and their sum. */
export async function waitingPayouts(em: Em, { storeId, devMode }: LedgerOwner): Promise<typeof NONE> {
  const [{ count, cents } = NONE] = await WAITING(em, { storeId, devMode });
  return { count, cents: Number(cents) };
}
