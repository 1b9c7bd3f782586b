import type { CsvColumns } from '../../../api/frame/csv.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import type { Operation } from '../../../api/frame/route.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { downloadOf, downloadParts, recordDownload } from '../exports/download.ts';
import type { Sheet } from '../exports/sheet.ts';
import { checkQuery, csvParts } from '../frame/operation.ts';
import type { Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** The files of a list. */
export interface ListFiles<Item> {
  readonly operation: Operation<Page<Item>>;
  /** The name of the file for programs, and of its audit line. */
  readonly name: string;
  /** The list as people open it in a spreadsheet. */
  readonly sheet?: Sheet | undefined;
  /** The columns of the file for programs, if the API makes none. */
  readonly columns?: CsvColumns<Item> | undefined;
}

/** The file that the URL asks for, with the parameters of the list; null if it asks for the page. @throws ApiError as the API does. */
export async function fileOf<Item>(
  visit: Visit,
  files: ListFiles<Item>,
  query: Readonly<Record<string, string | undefined>>,
): Promise<Reply | null> {
  const { operation, name, sheet } = files;
  const format = visit.query.get('format');
  const whole = { ...query, after: undefined, before: undefined };
  if (format === 'people' && sheet !== undefined) return downloadOf(visit, sheet, whole);
  const columns = columnsOf(files);
  if (format !== 'csv' || columns === null) return null;
  const [from, to] = (sheet?.days ?? []).map((day) => query[day]);
  checkQuery(visit, operation, whole);
  await recordDownload(visit, { sheet: `${name}.csv`, from, to });
  return downloadParts(visit, `${name}.csv`, csvParts(visit, operation, { query: whole }, columns));
}

/** Links to the files, with the filters of the page. */
export function fileLinks<Item>(visit: Visit, files: ListFiles<Item>): Html {
  const { say } = visit;
  return html`${files.sheet !== undefined && fileLink(visit, 'people', say('dashboard.lists.downloadAsASheet'))}${
    columnsOf(files) !== null && fileLink(visit, 'csv', say('dashboard.lists.csvForPrograms'))
  }`;
}

function columnsOf<Item>({ operation, columns }: ListFiles<Item>): CsvColumns<Item> | null {
  return columns ?? operation.csv;
}

function fileLink({ path, query }: Visit, format: 'people' | 'csv', text: string): Html {
  const same = new URLSearchParams(query);
  for (const name of ['after', 'before', 'order']) same.delete(name);
  same.set('format', format);
  return html`<a class="button button--quiet" href="${path}?${same.toString()}">${icon('download')}${text}</a>`;
}
