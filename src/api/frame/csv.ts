import { ReadsBesideOthers } from '../limits/reads-beside-others.ts';
import { invalid } from './errors.ts';
import type { ListQuery, Page } from './pagination.ts';
import type { ApiRequest } from './request.ts';

/** A cell's value; null leaves the cell empty. */
export type Cell = string | number | boolean | Plain | null;

/** Text that this service has formatted, such as an amount or a date: it is written as it is, also with a sign. */
export interface Plain {
  readonly plain: string;
}

/** CSV columns by header name, in order. */
export type CsvColumns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

/** Maximum rows of one response; the `Link` header points to the next rows (contract section 1.11). */
export const MAX_CSV_ROWS = 10_000;

/** Rows read by one query. */
const PAGE_ROWS = 500;

/** A CSV file, and the cursor for the rows after it. */
export interface CsvAnswer {
  readonly body: string;
  /** The cursor after the last row; null at the end of the list. */
  readonly next: string | null;
}

/**
 * A list as CSV (RFC 4180), up to {@link MAX_CSV_ROWS} rows, read page by page.
 * @param handler of the list's route.
 * @throws ApiError from the handler; 400 with `before`, because a file only continues to older rows.
 */
export async function csvAnswer(
  handler: (request: ApiRequest, prepared: undefined) => Promise<unknown>,
  columns: CsvColumns<unknown>,
  request: ApiRequest,
): Promise<CsvAnswer> {
  const query = request.query as ListQuery;
  if (query.before !== undefined) throw invalid('before', 'is not for CSV; use after');
  const lines = [csvOf(columns, [])];
  const beside = new ReadsBesideOthers(request.deps.busy);
  let sinceMs = performance.now();
  for await (const { items, pagination } of pagesOf(handler, request, MAX_CSV_ROWS)) {
    for (const item of items) lines.push(lineOf(columns, item));
    if (pagination.next === null || lines.length > MAX_CSV_ROWS)
      return { body: lines.join(''), next: pagination.next };
    await beside.rest(request.key.storeId, performance.now() - sinceMs);
    sinceMs = performance.now();
  }
  return { body: lines.join(''), next: null };
}

/**
 * The pages of a list, from the newest row to the oldest, each read when it is asked for: memory holds one. The caller pauses between
 * them for other stores ({@link ReadsBesideOthers}).
 * @param mostRows after which it ends.
 */
export async function* pagesOf<Item>(
  handler: (request: ApiRequest, prepared: undefined) => Promise<Page<Item> | unknown>,
  request: ApiRequest,
  mostRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page<Item>> {
  const query = request.query as ListQuery;
  let rows = 0;
  let after: string | null | undefined = query.after;
  do {
    const limit = Math.min(PAGE_ROWS, mostRows - rows);
    const wanted = request.withQuery({ ...query, limit, after: after ?? undefined });
    const page = (await handler(wanted, undefined)) as Page<Item>;
    yield page;
    rows += page.items.length;
    after = page.pagination.next;
  } while (after !== null && rows < mostRows);
}

/** A header row followed by the rows. */
export function csvOf<Item>(columns: CsvColumns<Item>, items: readonly Item[]): string {
  return csvLine(Object.keys(columns)) + csvRows(columns, items);
}

/** The same rows without the header. */
export function csvRows<Item>(columns: CsvColumns<Item>, items: readonly Item[]): string {
  return items.map((item) => lineOf(columns, item)).join('');
}

function lineOf<Item>(columns: CsvColumns<Item>, item: Item): string {
  return csvLine(Object.values(columns).map((cell) => cell(item)));
}

/** One line of a file. @param separator between the cells; a semicolon where the comma separates decimals. */
export function csvLine(cells: readonly Cell[], separator: ',' | ';' = ','): string {
  return `${cells.map(csvCell).join(separator)}\r\n`;
}

/** Characters that start a formula in a spreadsheet, and their full-width forms (OWASP, "CSV Injection"). */
const FORMULA = '[=+\\-@＝＋－＠]';
const AT_ITS_BEGINNING = new RegExp(`^(?:\\s*${FORMULA}|[\\t\\r\\n])`);
/**
 * Some spreadsheets end a cell or line at a separator even within quotes, and may then read a formula. This matches whole runs of
 * separators and blanks, whatever follows: to try each of them would take seconds for a few thousand tabs.
 */
const BETWEEN_CELLS = new RegExp(`([;\\s]+)(${FORMULA}?)`, 'g');
const SEPARATOR = /[;\t\r\n]/;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula. Payers and other systems choose
 * these texts, and the reader of the file trusts them.
 */
function withoutFormulas(text: string): string {
  const plain = text.replace(BETWEEN_CELLS, (all, between: string, formula: string) =>
    formula !== '' && SEPARATOR.test(between) ? `${between}'${formula}` : all,
  );
  return AT_ITS_BEGINNING.test(text) ? `'${plain}` : plain;
}

/** Numbers stay unchanged, also negative ones: only texts can be formulas. */
function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'object') return value.plain;
  if (typeof value !== 'string') return String(value);
  const plain = withoutFormulas(value);
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
