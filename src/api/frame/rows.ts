import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Em } from '../../database/orm.ts';
import type { Caller } from './caller.ts';
import { notFound } from './errors.ts';

/** Whose rows a request may see: those of its key's store and environment. */
export function ownedBy({ storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>) {
  return { storeId, devMode };
}

/** The same of what can be deleted, and was not. */
export function keptBy(caller: Pick<Caller, 'storeId' | 'devMode'>) {
  return { ...ownedBy(caller), deletedAt: null };
}

/**
 * The row that matches, read anew.
 * @param where begins with {@link ownedBy} or {@link keptBy}.
 * @param what as the error calls it.
 * @throws ApiError NOT_FOUND, the same for one that is another store's, of the other environment, deleted, or
 *   never was.
 */
export async function requireRow<Row extends object>(
  em: Em,
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
  what: string,
): Promise<Row> {
  const row = await em.findOne(entity, where, { disableIdentityMap: true });
  if (row === null) throw notFound(what);
  return row as Row;
}

interface Deletable {
  readonly id: string;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/**
 * Marks a row as deleted, and empties the fields that `erased` names.
 * @param what as the error calls it.
 * @returns the row as it is then.
 * @throws ApiError NOT_FOUND where it has been deleted meanwhile: of two requests at once one deletes it.
 */
export async function deleteRow<Row extends Deletable>(
  em: Em,
  entity: EntityName<Row>,
  row: Row,
  now: Date,
  what: string,
  erased: Partial<Row> = {},
): Promise<Row> {
  const change = { ...erased, deletedAt: now, updatedAt: now };
  const kept = { id: row.id, deletedAt: null } as FilterQuery<NoInfer<Row>>;
  const changed = await em.nativeUpdate(entity, kept, change as object);
  if (changed === 0) throw notFound(what);
  return { ...row, ...change };
}
