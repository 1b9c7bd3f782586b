import { type Attention, AttentionEntity } from '../../database/entities/attention.ts';
import type { LedgerOwner } from '../../database/ledger/ledger.ts';
import type { Em } from '../../database/orm.ts';

/** What is open of a store and was found first, of the environment or of both. More are for whoever runs the service. */
export function openAttention(em: Em, { storeId, devMode }: LedgerOwner): Promise<Attention[]> {
  const where = { storeId, $or: [{ devMode }, { devMode: null }], resolvedAt: null };
  return em.find(AttentionEntity, where, { orderBy: { since: 'asc' }, limit: 10, disableIdentityMap: true });
}
