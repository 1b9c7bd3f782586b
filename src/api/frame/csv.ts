import { invalid } from './errors.ts';
import type { ListQuery, Page } from './pagination.ts';
import type { ApiRequest } from './request.ts';

/** What a cell may hold; null leaves it empty. */
type Cell = string | number | boolean | null;

/** The columns of a list as CSV, by their names in the header row, in their order. */
export type CsvColumns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

/** How many rows one answer has at most; `Link` leads on (contract section 1.11). */
export const MAX_CSV_ROWS = 10_000;

/** Rows that are read at once. */
const PAGE_ROWS = 500;

/** A file of rows, and where the next one begins. */
export interface CsvAnswer {
  readonly body: string;
  /** The cursor after its last row; null where the list ends. */
  readonly next: string | null;
}

/**
 * A list as CSV (RFC 4180): its pages one after the other, up to {@link MAX_CSV_ROWS} rows.
 * @param handler of the list's route.
 * @throws ApiError what the handler throws; 400 with `before`, as a file only goes on to what is older.
 */
export async function csvAnswer(
  handler: (request: ApiRequest, prepared: undefined) => Promise<unknown>,
  columns: CsvColumns<unknown>,
  request: ApiRequest,
): Promise<CsvAnswer> {
  const query = request.query as ListQuery;
  if (query.before !== undefined) throw invalid('before', 'is not for CSV; use after');
  const lines = [csvOf(columns, [])];
  let after: string | null | undefined = query.after;
  do {
    const limit = Math.min(PAGE_ROWS, MAX_CSV_ROWS + 1 - lines.length);
    const wanted = request.withQuery({ ...query, limit, after: after ?? undefined });
    const { items, pagination } = (await handler(wanted, undefined)) as Page<unknown>;
    for (const item of items) lines.push(lineOf(columns, item));
    after = pagination.next;
  } while (after !== null && lines.length <= MAX_CSV_ROWS);
  return { body: lines.join(''), next: after };
}

/** Rows under their header. */
export function csvOf<Item>(columns: CsvColumns<Item>, items: readonly Item[]): string {
  return csvLine(Object.keys(columns)) + items.map((item) => lineOf(columns, item)).join('');
}

function lineOf<Item>(columns: CsvColumns<Item>, item: Item): string {
  return csvLine(Object.values(columns).map((cell) => cell(item)));
}

function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What a spreadsheet begins a formula with, and characters that it takes for these (OWASP, "CSV Injection"). */
const FORMULA = '[=+\\-@＝＋－＠]';
const AT_ITS_BEGINNING = new RegExp(`^(?:\\s*${FORMULA}|[\\t\\r\\n])`);
/** What some spreadsheets take for the end of a cell or line even within quotes, and then a formula. */
const AFTER_A_SEPARATOR = new RegExp(`([;\\t\\r\\n]\\s*)(?=${FORMULA})`, 'g');

/**
 * An apostrophe before what would be a formula: payers type names and other systems write descriptions, and
 * whoever opens the file trusts it.
 */
function withoutFormulas(text: string): string {
  const plain = text.replace(AFTER_A_SEPARATOR, "$1'");
  return AT_ITS_BEGINNING.test(text) ? `'${plain}` : plain;
}

/** Numbers are written as they are, below zero too: only texts can be formulas. */
function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const plain = withoutFormulas(value);
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
