import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Em } from '../../database/orm.ts';
import type { Caller } from '../keys/caller.ts';
import { notFound } from './errors.ts';

/** Limits rows to the store and environment of the caller. */
export function ownedBy({ storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>) {
  return { storeId, devMode };
}

/** The same, without deleted rows. */
export function keptBy(caller: Pick<Caller, 'storeId' | 'devMode'>) {
  return { ...ownedBy(caller), deletedAt: null };
}

/**
 * Reads the matching row again from the database.
 * @param where starts with {@link ownedBy} or {@link keptBy}.
 * @param what the object's name in the error.
 * @throws ApiError NOT_FOUND, the same for a row of another store or environment, a deleted row and an
 * unknown id.
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
 * Marks a row as deleted, and empties the fields in `erased`.
 * @param what the object's name in the error.
 * @returns the deleted row.
 * @throws ApiError NOT_FOUND if a parallel request has deleted it first.
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
