import type { Page } from '../../../api/frame/pagination.ts';
import type { Operation } from '../../../api/frame/route.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { filters, pager } from '../frame/components.ts';
import { selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { NavigationId } from '../frame/navigation.ts';
import { read, readCsv } from '../frame/operation.ts';
import { csvFile, type Reply } from '../frame/route.ts';
import { type Heading, type Row, type SortHeading, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';

/** A list of the API as a page. */
interface ListPage<Item> {
  readonly title: string;
  readonly active: NavigationId;
  readonly operation: Operation<Page<Item>>;
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
  readonly rows: (items: readonly Item[]) => readonly Row[] | Promise<readonly Row[]>;
  readonly empty: string | Html;
  /** Above the list. */
  readonly above?: Html | null;
  readonly actions?: Html;
}

/** Rows per page: enough to scan, and quick to read. */
const LIMIT = '30';

/** The list with filters, paging and, if the API offers it, CSV export. @throws ApiError as the API does. */
export async function listPage<Item>(visit: Visit, list: ListPage<Item>): Promise<Reply> {
  const { operation, parameters, title } = list;
  const chosen = new Map(
    [...parameters, 'after', 'before'].map((name) => [name, visit.query.get(name) ?? undefined]),
  );
  const query = { ...Object.fromEntries(chosen), ...list.query };
  if (visit.query.get('format') === 'csv') {
    const file = await readCsv(visit, operation, {
      query: { ...query, after: undefined, before: undefined },
    });
    if (file !== null) return csvFile(`${list.active}.csv`, file);
  }
  const [{ items, pagination }, totals] = await Promise.all([
    read(visit, operation, { query: { ...query, limit: LIMIT }, order: orderOf(visit) }),
    list.totals?.(query),
  ]);
  const { headings, empty } = list;
  const body = html`${list.above ?? null}
${list.fields !== undefined && filters(visit, list.fields)}
${totals !== undefined && items.length > 0 && html`<p class="totals">${totals}</p>`}
${table({ caption: title, headings, rows: await list.rows(items), empty })}
${pager(visit, pagination)}`;
  const actions = html`${operation.csv !== null && items.length > 0 && csvLink(visit)}${list.actions ?? null}`;
  return page(visit, { title, active: list.active, body, actions });
}

function csvLink({ say, path, query }: Visit): Html {
  const same = new URLSearchParams(query);
  for (const name of ['after', 'before', 'order']) same.delete(name);
  same.set('format', 'csv');
  return html`<a class="button button--quiet" href="${path}?${same.toString()}">${icon('download')}${say('Baixar em CSV', 'Download as CSV')}</a>`;
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
  const any = ['', say('Todos', 'Any')] as const;
  return selectField({ ...field, value: query.get(field.name) ?? '', options: [any, ...field.options] });
}

/** Fields for the first and last day. */
export function dayFields({ say, query }: Visit, from = 'createdFrom', to = 'createdTo'): Html {
  const field = (name: string, label: string) =>
    textField({ name, label, type: 'date', required: false, value: query.get(name) ?? '' });
  return html`${field(from, say('De', 'From'))}${field(to, say('Até', 'To'))}`;
}
