import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { StoreId } from '../../domain/ids.ts';

const TAKE = statement<
  { storeId: StoreId; devMode: boolean; series: number; count: number },
  { last: string }
>(
  'take numbers of DPS',
  () => `
  insert into nfse_counters (store_id, dev_mode, series, last_number)
  values (:storeId, :devMode, :series::integer, :count::bigint)
  on conflict (store_id, dev_mode, series) do update set
    last_number = nfse_counters.last_number + excluded.last_number
  returning last_number as last`,
);

/**
 * The next numbers of a series, in the caller's transaction: it holds the counter until its end, and a rollback gives them back, so there
 * are no gaps.
 */
export async function takeDpsNumbers(
  tx: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  series: number,
  count: number,
): Promise<number[]> {
  const [taken] = await TAKE(tx, { storeId, devMode, series, count });
  if (taken === undefined) throw new Error('a counter returns its row');
  const first = Number(taken.last) - count + 1;
  return Array.from({ length: count }, (_, nth) => first + nth);
}
