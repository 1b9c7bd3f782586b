import type { Database } from './orm.ts';
import { statement } from './statement.ts';

/** Rows per statement, so that none takes long. */
const BATCH = 1_000;

/** Which rows of a table are deleted. */
interface Old {
  readonly table: string;
  /** The columns of its key. */
  readonly key: readonly string[];
  /** The time column that decides; it has an index, or the table is small. */
  readonly age: string;
  /** A further condition. */
  readonly condition?: string;
}

/**
 * Deletes rows older than an instant. Any number of processes may do so at once, and stop at any point.
 * @param isOver called between two batches; throws to stop early.
 * @returns the number of deleted rows.
 */
type Deletion = (database: Database, before: Date, isOver?: () => void) => Promise<number>;

/** @param name the statement's name in metrics. */
export function deletionOf(name: string, { table, key, age, condition = 'true' }: Old): Deletion {
  const columns = key.join(', ');
  const isSame = key.map((column) => `gone.${column} = old.${column}`).join(' and ');
  const DELETE = statement<{ before: Date; limit: number }, { readonly deleted: number }>(
    name,
    () => `
    with old as (
      select ${columns} from ${table} where ${age} < :before and ${condition} order by ${age} limit :limit
      for update skip locked
    ), deleted as (
      delete from ${table} gone using old where ${isSame} returning 1
    )
    select count(*)::int as deleted from deleted`,
  );
  return async (database, before, isOver = () => {}) => {
    for (let total = 0; ; ) {
      isOver();
      const [{ deleted } = { deleted: 0 }] = await DELETE(database, { before, limit: BATCH });
      total += deleted;
      if (deleted < BATCH) return total;
    }
  };
}
