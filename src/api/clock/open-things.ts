import type { Em } from '../../database/orm.ts';
import type { StoreId } from '../../domain/ids.ts';
import { UNSETTLED } from '../../recovery/open-settlements.ts';

/** Kinds of objects that wait for a time of the clock, by their API names. Payment links never wait. */
const OPEN: Readonly<Record<string, string>> = {
  charges: `charges where store_id = :storeId and dev_mode and status = 'PENDING'`,
  checkouts: `checkouts where store_id = :storeId and dev_mode and status = 'PENDING' and expires_at is not null`,
  subscriptions: `subscriptions where store_id = :storeId and dev_mode and status = 'ACTIVE'`,
  refunds: `refunds where store_id = :storeId and dev_mode and status in ('REQUESTED', 'PENDING')`,
  payouts: `payouts where store_id = :storeId and dev_mode and status = 'PENDING'`,
  'payments that settle': `charges where store_id = :storeId and dev_mode and ${UNSETTLED}`,
};

/** At most this many of each kind are counted. */
const MOST = 1_000;

/**
 * Counts the open objects of a dev environment by kind, such as `3 charges`. Omits kinds with a zero count.
 */
export async function openThings(em: Em, storeId: StoreId): Promise<string[]> {
  const counts = Object.entries(OPEN).map(
    ([kind, rows]) =>
      `select '${kind}' as kind, (select count(*)::int from (select from ${rows} limit ${MOST}) item) as count`,
  );
  const counted = await em.execute<{ kind: string; count: number }[]>(counts.join(' union all '), {
    storeId,
  });
  return counted
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count === MOST ? `${MOST} or more` : count} ${kind}`);
}
