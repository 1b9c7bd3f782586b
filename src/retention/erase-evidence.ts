import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';

const BATCH = 100;

/** The row of the evidence stays: it says what became of it, and names nobody. */
const ERASE = statement<{ before: Date; limit: number }, { readonly erased: number }>(
  'erase evidence of ended disputes',
  () => `
  with ended as (
    select evidence.dispute_id from dispute_evidence evidence join disputes on disputes.id = evidence.dispute_id
    where disputes.closed_at < :before and (evidence.texts is not null or exists (
      select from dispute_files file where file.dispute_id = evidence.dispute_id
    ))
    limit :limit::bigint for update of evidence skip locked
  ), files as (
    delete from dispute_files using ended where dispute_files.dispute_id = ended.dispute_id
  ), erased as (
    update dispute_evidence set texts = null from ended where dispute_evidence.dispute_id = ended.dispute_id returning 1
  )
  select count(*)::int as erased from erased`,
);

/** Erases texts and files of disputes that ended before an instant. @param isOver called between two batches; throws to stop early. */
export async function eraseEvidence(
  database: Database,
  before: Date,
  isOver: () => void = () => {},
): Promise<number> {
  for (let total = 0; ; ) {
    isOver();
    const [row] = await ERASE(database, { before, limit: BATCH });
    const erased = row?.erased ?? 0;
    total += erased;
    if (erased < BATCH) return total;
  }
}
