import type { Em } from '../database/orm.ts';
import type { AuditKind } from '../domain/audit.ts';
import type { StoreId } from '../domain/ids.ts';
import { openSettlements } from './open-settlements.ts';
import { OPEN_ROWS, type OpenRows, overdueBefore, type RowKind } from './overdue-rows.ts';
import { type Cursor, type OpenItem, PAGE_SIZE, type Page, type Sought } from './page.ts';

const START: Cursor = { at: '-infinity', id: '' };

/** All pages of a kind, oldest first. Each page is read on demand, from where the last one ended. */
export async function* openPages(em: Em, kind: AuditKind, sought: Sought): AsyncGenerator<OpenItem[]> {
  for (let after: Cursor | null = START; after !== null; ) {
    const page: Page = await openPage(em.fork(), kind, sought, after);
    if (page.items.length > 0) yield [...page.items];
    after = page.next;
  }
}

function openPage(em: Em, kind: AuditKind, sought: Sought, after: Cursor): Promise<Page> {
  return kind === 'settlement' ? openSettlements(em, sought, after) : openRowsPage(em, kind, sought, after);
}

interface Row {
  readonly id: string;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly dueAt: string | null;
  readonly isSought: boolean;
  readonly keyAt: string;
  readonly keyId: string;
}

async function openRowsPage(
  em: Em,
  kind: RowKind,
  { before, startedBefore }: Sought,
  after: Cursor,
): Promise<Page> {
  const text = pageText(OPEN_ROWS[kind], before !== null, startedBefore !== null);
  const rows = await em.execute<Row[]>(text, {
    afterAt: after.at,
    afterId: after.id,
    before: before?.toISOString() ?? 'infinity',
    startedBefore,
    limit: PAGE_SIZE,
  });
  const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
  return {
    items: rows.filter(({ isSought }) => isSought).map((row) => itemOf(kind, row)),
    next: last === undefined ? null : { at: last.keyAt, id: last.keyId },
  };
}

/** Counts the overdue rows of a kind, at most {@link PAGE_SIZE}: callers only need to know whether there are any. */
export async function countOverdue(em: Em, kind: AuditKind, now: Date): Promise<number> {
  const sought = { before: overdueBefore(kind, now), startedBefore: null };
  return (await openPage(em, kind, sought, START)).items.length;
}

/** Selects the rows that are still open. */
export async function openAmong(em: Em, kind: RowKind, ids: readonly string[]): Promise<OpenItem[]> {
  const open = OPEN_ROWS[kind];
  const inner = `${open.isOpen} and ${open.id} = any(string_to_array(:ids, ','))`;
  const rows = await em.execute<Row[]>(rowsText(open, inner, 'true'), { ids: ids.join(',') });
  return rows.map((row) => itemOf(kind, row));
}

/** The SQL of a page; exported so that a test can check its plan. */
export function pageText(open: OpenRows, isOverdue: boolean, isStartedBefore: boolean): string {
  const { id, key, isOpen } = open;
  const range = `${isOpen} and (${key}, ${id}) > (cast(:afterAt as timestamptz), :afterId)
      and ${key} <= cast(:before as timestamptz)
    order by ${key}, ${id} limit :limit`;
  if (isStartedBefore) return rowsText(withStart(open), range, NOT_STARTED_SINCE);
  return rowsText(
    open,
    range,
    isOverdue
      ? [open.isDue, open.isOverdue].filter((text) => text !== undefined).join(' and ') || 'true'
      : 'true',
  );
}

const NOT_STARTED_SINCE = '(item.workflow_started_at is null or item.workflow_started_at < :startedBefore)';

function withStart({ columns, ...open }: OpenRows): OpenRows {
  return {
    ...open,
    columns: columns === undefined ? 'workflow_started_at' : `${columns}, workflow_started_at`,
  };
}

function rowsText(open: OpenRows, range: string, isSought: string): string {
  const { table, id, key, columns, joins = '', owner, dueAt = 'item.key_at' } = open;
  const owned = owner === undefined ? 'store_id, dev_mode,' : '';
  const extra = columns === undefined ? '' : `${columns},`;
  return `
  select item.id, ${owner ?? 'item'}.store_id as "storeId", ${owner ?? 'item'}.dev_mode as "devMode",
    nullif(${dueAt}, 'infinity') as "dueAt", ${isSought} as "isSought", item.key_at::text as "keyAt", item.id as "keyId"
  from (
    select ${id} as id, ${owned} ${extra} ${key} as key_at from ${table} where ${range}
  ) item ${joins}
  order by item.key_at, item.id`;
}

function itemOf(kind: AuditKind, { id, storeId, devMode, dueAt }: Row): OpenItem {
  return { kind, id, storeId, devMode, dueAt: dueAt === null ? null : new Date(dueAt) };
}
