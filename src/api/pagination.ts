import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Em } from '../database/orm.ts';
import { type ApiError, fieldError } from './errors.ts';

/** One page of a list, newest first (contract section 1, "Pagination"). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

/** `next` goes into `after` to get older objects, `before` into `before` to get newer ones; null where there are none. */
export interface Pagination {
  readonly hasMore: boolean;
  readonly next: string | null;
  readonly before: string | null;
}

/** How many objects a list of v1 returns at once (contract section 1, "Pagination"). */
export const V1_PAGE_SIZE = 1_000;

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** A place in a list ordered by creation and, within one millisecond, by id. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/** What to fetch: up to `take` rows, nearest to `from` first, that are older (or newer) than it. */
export interface Window {
  readonly from: Position | null;
  readonly direction: 'older' | 'newer';
  readonly take: number;
}

/**
 * A page of the entities that match `where`. Rows created while a client pages never shift what it sees, because a cursor
 * is a position, not a count.
 *
 * @throws ApiError INVALID_CURSOR
 */
export function paginate<Row extends Position>(
  em: Em,
  entity: EntityName<Row>,
  where: FilterQuery<Row>,
  request: PageRequest,
): Promise<Page<Row>> {
  return paginateRows(request, ({ from, direction, take }) => {
    const order = direction === 'older' ? 'desc' : 'asc';
    const filter = from === null ? where : { $and: [where, beyond(from, direction)] };
    return em.find(entity, filter as FilterQuery<Row>, {
      orderBy: [{ createdAt: order }, { id: order }] as never,
      limit: take,
      disableIdentityMap: true,
    }) as Promise<Row[]>;
  });
}

/** The first condition alone lets Postgres start at the right place of the index; the second is exact. */
function beyond({ createdAt, id }: Position, direction: Window['direction']): object {
  return direction === 'older'
    ? { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }] }
    : { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { id: { $gt: id } }] };
}

/** The same for rows that are fetched in another way. One row more than the page holds tells whether there are more. */
export async function paginateRows<Row extends Position>(
  { limit, after, before }: PageRequest,
  fetch: (window: Window) => Promise<Row[]>,
): Promise<Page<Row>> {
  if (after !== undefined && before !== undefined) {
    throw cursorError('before', 'must not be sent together with after');
  }
  const backwards = before !== undefined;
  const from = backwards
    ? decodeCursor('before', before)
    : after !== undefined
      ? decodeCursor('after', after)
      : null;
  const rows = await fetch({ from, direction: backwards ? 'newer' : 'older', take: limit + 1 });
  const further = rows.length > limit;
  const items = rows.slice(0, limit);
  if (backwards) items.reverse();
  const hasMore = backwards ? items.length > 0 : further;
  const hasNewer = backwards ? further : from !== null;
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    pagination: {
      hasMore,
      next: hasMore && last ? encodeCursor(last) : null,
      before: hasNewer && first ? encodeCursor(first) : null,
    },
  };
}

function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** Milliseconds of a date that JavaScript and Postgres both know, and an id as this service mints them. */
const POSITION = /^(\d{1,14})\.([a-z_]{1,20}_[0-9A-Z]{1,40})$/;

function decodeCursor(name: 'after' | 'before', cursor: string): Position {
  const match = POSITION.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, milliseconds, id] = match ?? [];
  if (milliseconds === undefined || id === undefined) {
    throw cursorError(name, 'must be a cursor taken from the pagination of this list');
  }
  const position = { createdAt: new Date(Number(milliseconds)), id };
  if (encodeCursor(position) !== cursor) {
    throw cursorError(name, 'must be a cursor taken from the pagination of this list');
  }
  return position;
}

function cursorError(path: 'after' | 'before', message: string): ApiError {
  return fieldError(400, 'INVALID_CURSOR', path, message);
}
