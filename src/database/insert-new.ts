import type { EntityName } from '@mikro-orm/core';
import type { Em } from './orm.ts';

/**
 * Inserts a row unless one is there that a unique index compares it with: of several at once, one goes in.
 * @returns whether it went in.
 */
export async function insertNew<Row extends object>(
  em: Em,
  entity: EntityName<Row>,
  row: NoInfer<Row>,
): Promise<boolean> {
  const { affectedRows } = await em
    .qb(entity)
    .insert(row as never)
    .onConflict()
    .ignore()
    .execute('run');
  return affectedRows === 1;
}
