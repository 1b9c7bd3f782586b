import type { Database } from './orm.ts';
import { statement } from './statement.ts';

/** Rows that one statement deletes, so that none takes long. */
const BATCH = 1_000;

/** What is deleted of a table. */
interface Old {
  readonly table: string;
  /** The columns of its key. */
  readonly key: readonly string[];
  /** The time that decides, on which there is an index, or the table is small. */
  readonly age: string;
  /** What must be true besides. */
  readonly condition?: string;
}

/**
 * Deletes rows of before an instant. Any number of processes may do so at once, and each may be ended anywhere.
 * @param isOver asked between two batches; ends it early by throwing.
 * @returns how many there were.
 */
type Deletion = (database: Database, before: Date, isOver?: () => void) => Promise<number>;

/** @param name of the statement, as it is measured. */
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
