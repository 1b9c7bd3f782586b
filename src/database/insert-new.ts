import type { EntityName } from '@mikro-orm/core';
import type { Database, Em } from './orm.ts';
import { type Statement, statement } from './statement.ts';

type Insert = Statement<{ row: object }, object>;

/** One for each entity, made when the first row of it is inserted. */
const INSERTS = new Map<unknown, Insert>();

function insertOf<Row extends object>(on: Em | Database, entity: EntityName<Row>): Insert {
  const known = INSERTS.get(entity);
  if (known !== undefined) return known;
  const { tableName } = on.getMetadata().get(entity);
  const insert: Insert = statement(
    `insert into ${tableName}`,
    (columns) => `
    insert into ${tableName} (${columns.of(entity)}) values (${columns.values(entity, 'row')})
    on conflict do nothing returning 1`,
  );
  INSERTS.set(entity, insert);
  return insert;
}

/**
 * Inserts a row unless one with the same unique key exists: of concurrent inserts, one succeeds.
 * @returns whether it was inserted.
 */
export async function insertNew<Row extends object>(
  on: Em | Database,
  entity: EntityName<Row>,
  row: NoInfer<Row>,
): Promise<boolean> {
  const inserted = await insertOf(on, entity)(on, { row });
  return inserted.length > 0;
}
