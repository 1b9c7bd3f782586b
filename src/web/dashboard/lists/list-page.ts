import type { CsvColumns } from '../../../api/frame/csv.ts';
import type { ListQuery, Page } from '../../../api/frame/pagination.ts';
import type { Operation } from '../../../api/frame/route.ts';
import { selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Sheet } from '../exports/sheet.ts';
import { filters, pager } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import type { NavigationId } from '../frame/navigation.ts';
import { read } from '../frame/operation.ts';
import type { Reply } from '../frame/route.ts';
import { type Heading, type Row, type SortHeading, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { fileLinks, fileOf } from './list-files.ts';

/** A list of the API as a page. */
interface ListPage<Item, Listed = Item> {
  readonly title: string;
  readonly active: NavigationId;
  readonly operation: Operation<Page<Item>>;
  /** Reads the page where the dashboard shows more than the operation returns; the operation still makes the files. */
  readonly page?: (query: ListQuery) => Promise<Page<Listed>>;
  /** Parameters of the operation that the URL may carry, in addition to paging. */
  readonly parameters: readonly string[];
  /** Fixed parameters, in addition to those of the URL. */
  readonly query?: Readonly<Record<string, string>>;
  /** Inputs for these parameters; left out if there is nothing to choose. */
  readonly fields?: Html;
  readonly headings: readonly Heading[];
  /** The sums of everything that matches, shown above the list. @param query the parameters of the operation. */
  readonly totals?: (query: Readonly<Record<string, string | undefined>>) => Promise<Html>;
  /** The rows of some items. */
  readonly rows: (items: readonly Listed[]) => readonly Row[] | Promise<readonly Row[]>;
  readonly empty: string | Html;
  /** The list as people open it in a spreadsheet. */
  readonly sheet?: Sheet;
  /** The name of the file for programs; defaults to that of the menu's entry. */
  readonly file?: string;
  /** Its columns, if the API makes no such file. */
  readonly columns?: CsvColumns<Item>;
  /** Above the list. */
  readonly above?: Html | null;
  readonly actions?: Html;
}

/** Rows per page: enough to scan, and quick to read. */
const LIMIT = '30';

/** The list with filters, paging and files of all its rows. @throws ApiError as the API does. */
export async function listPage<Item, Listed = Item>(
  visit: Visit,
  list: ListPage<Item, Listed>,
): Promise<Reply> {
  const { operation, parameters, title } = list;
  const chosen = new Map(
    [...parameters, 'after', 'before'].map((name) => [name, visit.query.get(name) ?? undefined]),
  );
  const query = { ...Object.fromEntries(chosen), ...list.query };
  const name = list.file ?? String(list.active);
  const files = { operation, name, sheet: list.sheet, columns: list.columns };
  const file = await fileOf(visit, files, query);
  if (file !== null) return file;
  const [{ items, pagination }, totals] = await Promise.all([
    list.page?.(pageQueryOf(visit)) ??
      (read(visit, operation, {
        query: { ...query, limit: LIMIT },
        order: orderOf(visit),
      }) as Promise<never>),
    list.totals?.(query),
  ]);
  const { headings, empty } = list;
  const body = html`${list.above ?? null}
${list.fields !== undefined && filters(visit, list.fields)}
${totals !== undefined && items.length > 0 && html`<p class="totals">${totals}</p>`}
${table({ caption: title, headings, rows: await list.rows(items), empty })}
${pager(visit, pagination)}`;
  const actions = html`${items.length > 0 && fileLinks(visit, files)}${list.actions ?? null}`;
  return page(visit, { title, active: list.active, body, actions });
}

/** The page asked for by the URL. */
function pageQueryOf(visit: Visit): ListQuery {
  const [after, before] = [visit.query.get('after') || undefined, visit.query.get('before') || undefined];
  return { after, before, limit: Number(LIMIT), order: orderOf(visit) };
}

/** The order asked for by the URL: the newest first, or the oldest. */
export function orderOf({ query }: Visit): 'newest' | 'oldest' {
  return query.get('order') === 'oldest' ? 'oldest' : 'newest';
}

/** The heading of the column that the list is ordered by. */
export function sortHeading(visit: Visit, text: string): SortHeading {
  const order = orderOf(visit);
  const turned = new URLSearchParams(visit.query);
  for (const name of ['after', 'before', 'order']) turned.delete(name);
  if (order === 'newest') turned.set('order', 'oldest');
  return { text, order, href: `${visit.path}?${turned.toString()}` };
}

/** A select for one parameter, with an option for any value. */
export function choice(
  { say, query }: Visit,
  field: {
    readonly name: string;
    readonly label: string;
    readonly options: readonly (readonly [string, string])[];
  },
): Html {
  const any = ['', say('dashboard.lists.any')] as const;
  return selectField({ ...field, value: query.get(field.name) ?? '', options: [any, ...field.options] });
}

/** Fields for the first and last day. */
export function dayFields({ say, query }: Visit, from = 'createdFrom', to = 'createdTo'): Html {
  const field = (name: string, label: string) =>
    textField({ name, label, type: 'date', required: false, value: query.get(name) ?? '' });
  return html`${field(from, say('dashboard.from'))}${field(to, say('dashboard.to'))}`;
}
