import type { Database } from './orm.ts';
import { statement } from './statement.ts';

/** Rows that one statement deletes, so that none takes long. */
const BATCH = 1_000;

const DELETE = statement<{ before: Date; limit: number }, { readonly deleted: number }>(
  'forget kept answers',
  () => `
  with old as (
    select store_id, dev_mode, key from idempotency_records where created_at < :before order by created_at limit :limit
    for update skip locked
  ), gone as (
    delete from idempotency_records record using old
    where record.store_id = old.store_id and record.dev_mode = old.dev_mode and record.key = old.key
    returning 1
  )
  select count(*)::int as deleted from gone`,
);

/**
 * Deletes the answers that were kept for `Idempotency-Key`s before an instant. Any number of processes may do so
 * at once. @param isOver asked between two batches; ends it early by throwing. @returns how many there were.
 */
export async function forgetAnswers(
  database: Database,
  before: Date,
  isOver: () => void = () => {},
): Promise<number> {
  for (let total = 0; ; ) {
    isOver();
    const [{ deleted } = { deleted: 0 }] = await DELETE(database, { before, limit: BATCH });
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
