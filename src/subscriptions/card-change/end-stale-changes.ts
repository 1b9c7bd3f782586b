import { CardChangeEntity } from '../../database/entities/card-change.ts';
import type { Database } from '../../database/orm.ts';
import { endAsUnused } from './end-as-unused.ts';

const BATCH = 100;

/**
 * Ends changes of cards that their payers have abandoned, and has the new cards erased at their providers. Any number of
 * processes may do so at once, and stop at any point.
 * @param isOver called between two batches; throws to stop early.
 */
export async function endStaleCardChanges(database: Database, now: Date, isOver: () => void): Promise<void> {
  for (;;) {
    isOver();
    const em = database.em.fork();
    const stale = await em.find(
      CardChangeEntity,
      { status: 'PENDING', expiresAt: { $lte: now } },
      { limit: BATCH, orderBy: { expiresAt: 'asc' }, disableIdentityMap: true },
    );
    for (const change of stale)
      await em.fork().transactional((tx) => endAsUnused(tx, change, { status: 'ABANDONED' }, now));
    if (stale.length < BATCH) return;
  }
}
