import { type Attention, AttentionEntity } from '../../../database/entities/attention.ts';
import type { Em } from '../../../database/orm.ts';
import type { LedgerOwner } from '../../../ledger/ledger.ts';

/** The store's oldest open problems, of one environment or both. The operator sees the complete list. */
export function openAttention(em: Em, { storeId, devMode }: LedgerOwner): Promise<Attention[]> {
  const where = { storeId, $or: [{ devMode }, { devMode: null }], resolvedAt: null };
  return em.find(AttentionEntity, where, { orderBy: { since: 'asc' }, limit: 10, disableIdentityMap: true });
}
