import { type Attention, AttentionEntity } from '../database/entities/attention.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreId } from '../domain/ids.ts';

const OPEN_OF_STORE = statement<{ storeId: StoreId; devMode: boolean; limit: number }, Attention>(
  'open attention of a store',
  (columns) => `
    select ${columns.read(AttentionEntity, 'attention')} from attention
    where resolved_at is null and store_id = :storeId and (dev_mode = :devMode or dev_mode is null)
    order by since, id limit :limit::bigint`,
);

/** The open notes about a store, of one environment or both, longest waiting first. The operator sees all. */
export function openAttentionOf(
  on: Em | Database,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  limit: number,
): Promise<Attention[]> {
  return OPEN_OF_STORE(on, { storeId, devMode, limit });
}
