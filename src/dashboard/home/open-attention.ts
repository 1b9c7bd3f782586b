import { type Attention, AttentionEntity } from '../../database/entities/attention.ts';
import type { LedgerOwner } from '../../database/ledger/ledger.ts';
import type { Em } from '../../database/orm.ts';

/** What is open of a store and was found first. More are for whoever runs the service. */
export function openAttention(em: Em, { storeId, devMode }: LedgerOwner): Promise<Attention[]> {
  const where = { storeId, devMode, resolvedAt: null };
  return em.find(AttentionEntity, where, { orderBy: { since: 'asc' }, limit: 10, disableIdentityMap: true });
}
