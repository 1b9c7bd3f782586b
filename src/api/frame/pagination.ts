import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Em } from '../../database/orm.ts';
import { type ApiError, fieldError } from './errors.ts';
import { PIECE_ROWS, presentEach } from './present-each.ts';

/** One page of a list, newest first (contract section 1, "Pagination"). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

/**
 * `next` goes into `after` for older objects, `before` into `before` for newer ones; null if there are no
 * more.
 */
export interface Pagination {
  readonly hasMore: boolean;
  readonly next: string | null;
  readonly before: string | null;
}

/** Objects per page of a list without a limit parameter (contract section 1, "Pagination"). */
export const LARGEST_PAGE = 1_000;

/** The requested start of a page. */
export interface PageQuery {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** A request for a list. Cursors are valid for that list only. */
interface ListRequest {
  readonly em: Em;
  /** Identifies the list: the path of its route. */
  readonly path: string;
  readonly query: ListQuery;
}

/** Query parameters of a list, apart from its filters. */
export interface ListQuery extends PageQuery {
  /** The requested page size. */
  readonly limit?: number;
  /** The dashboard can turn a list around: the same indexes are read from their other end. */
  readonly order?: 'newest' | 'oldest';
}

/** A place in a list ordered by creation and, within one millisecond, by id. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/** The requested page, presented. @throws ApiError INVALID_CURSOR */
export async function presentPage<Row extends Position, Shown>(
  request: ListRequest,
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
  present: (row: Row) => Shown | Promise<Shown>,
): Promise<Page<Shown>> {
  const { items, pagination } = await paginate(request, entity, where);
  return { items: await presentEach(items, present), pagination };
}

/**
 * The page of entities that match `where`.
 *
 * @throws ApiError INVALID_CURSOR, also for a cursor of another list
 */
export function paginate<Row extends Position>(
  request: ListRequest,
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
): Promise<Page<Row>> {
  return pageOf(
    request,
    (wanted) => nearest(request.em, entity, where, wanted),
    (row) => row,
  );
}

/** Rows of a list nearest to a position, in one direction. */
export interface Wanted {
  /**
   * Null starts at the end of the list: with the newest row for older rows, with the oldest for newer ones.
   */
  readonly from: Position | null;
  readonly direction: 'older' | 'newer';
  readonly take: number;
}

/**
 * The page of rows that `read` returns, nearest first. A cursor is a position, not a count, so rows created
 * while a client pages do not shift its pages. One extra row shows whether there are more.
 *
 * @throws ApiError INVALID_CURSOR, also for a cursor of another list
 */
export async function pageOf<Row>(
  { path, query: { after, before, limit = LARGEST_PAGE, order } }: Omit<ListRequest, 'em'>,
  read: (wanted: Wanted) => Promise<readonly Row[]>,
  positionOf: (row: Row) => Position,
): Promise<Page<Row>> {
  if (after !== undefined && before !== undefined) {
    throw cursorError('before', 'must not be sent together with after');
  }
  const backwards = before !== undefined;
  const cursor = before ?? after;
  const from = cursor === undefined ? null : decodeCursor(backwards ? 'before' : 'after', cursor, path);
  const isTowardsNewer = backwards !== (order === 'oldest');
  const rows = await read({ from, direction: isTowardsNewer ? 'newer' : 'older', take: limit + 1 });
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
      next: hasMore && last ? encodeCursor(positionOf(last), path) : null,
      before: hasNewer && first ? encodeCursor(positionOf(first), path) : null,
    },
  };
}

/** Up to `take` rows older or newer than `from`, nearest first. Other requests get in between two pieces. */
async function nearest<Row extends Position>(
  em: Em,
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
  { from, direction, take }: Wanted,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const piece = Math.min(take - rows.length, PIECE_ROWS);
    const wanted = { from: rows.at(-1) ?? from, direction, take: piece };
    const read = await nearestPiece(em, entity, where, wanted);
    rows.push(...read);
    if (read.length < piece || rows.length === take) return rows;
  }
}

function nearestPiece<Row extends Position>(
  em: Em,
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
  { from, direction, take }: Wanted,
): Promise<Row[]> {
  const order = direction === 'older' ? 'desc' : 'asc';
  const filter = from === null ? where : { $and: [where, beyond(from, direction)] };
  return em.find(entity, filter as FilterQuery<Row>, {
    orderBy: [{ createdAt: order }, { id: order }] as never,
    limit: take,
    disableIdentityMap: true,
  }) as Promise<Row[]>;
}

/** The first condition lets Postgres start at the right place of the index; the second one is exact. */
function beyond({ createdAt, id }: Position, direction: 'older' | 'newer'): object {
  return direction === 'older'
    ? { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }] }
    : { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { id: { $gt: id } }] };
}

function encodeCursor({ createdAt, id }: Position, list: string): string {
  return Buffer.from(`${list} ${createdAt.getTime()}.${id}`).toString('base64url');
}

/** Milliseconds within the date range of JavaScript and Postgres, and an id in this service's format. */
const POSITION = /^(\d{1,14})\.([a-z_]{1,20}_[0-9A-Z]{1,40})$/;

function decodeCursor(name: 'after' | 'before', cursor: string, list: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = text.startsWith(`${list} `) ? POSITION.exec(text.slice(list.length + 1)) : null;
  const [, milliseconds, id] = match ?? [];
  const position = { createdAt: new Date(Number(milliseconds)), id: id ?? '' };
  if (match === null || encodeCursor(position, list) !== cursor) {
    throw cursorError(name, 'must be a cursor taken from the pagination of this list');
  }
  return position;
}

function cursorError(path: 'after' | 'before', message: string): ApiError {
  return fieldError(400, 'INVALID_CURSOR', path, message);
}
