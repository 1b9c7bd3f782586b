import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { type Info, parse } from 'csv-parse';
import type { ImportKind } from '../../domain/imports.ts';
import type { Problem } from '../rows.ts';
import { type Source, type SourcedRow, SourceError } from '../source.ts';
import { CSV_FILES, type CsvFile } from './columns.ts';

/** Longer rows are no data of a customer or subscription. */
const MAX_ROW_BYTES = 256 * 1024;
/** Of a column that becomes metadata: `metadata.crm_id`. */
const METADATA = 'metadata.';

/**
 * Files as spreadsheets write them: UTF-8 with or without a byte order mark, separated by commas, semicolons or tabs. They are
 * read row by row.
 * @param name what identifies these rows: the same files must have the same name again.
 * @throws SourceError at once if there is none of the files.
 */
export function csvSource(folder: string, name: string): Source {
  const files = CSV_FILES.filter((file) => existsSync(join(folder, file.name)));
  if (files.length === 0)
    throw new SourceError(`${folder} has none of ${CSV_FILES.map((file) => file.name).join(', ')}`);
  return {
    name,
    nameOf: (kind, field) => columnOf(kind, field),
    async *rows() {
      // All of them first: a wrong column in the last file should not show after an hour.
      const headers = new Map<CsvFile, readonly string[]>();
      for (const file of files) headers.set(file, await headerOf(join(folder, file.name), file));
      for (const file of files) yield* rowsOf(join(folder, file.name), file, headers.get(file) ?? []);
    },
  };
}

/** The column of a field; `discount` of a coupon is in one of two. */
function columnOf(kind: ImportKind, field: string): string {
  const columns = CSV_FILES.find((file) => file.kind === kind)?.columns ?? {};
  const [name] = Object.entries(columns).find(([, column]) => column.field === field.split('[')[0]) ?? [];
  return name ?? (field === 'discount' ? 'percent or amount' : field);
}

interface Line {
  readonly record: readonly string[];
  readonly line: number;
}

/** @throws SourceError if a column is unknown, missing or there twice. */
async function headerOf(path: string, file: CsvFile): Promise<readonly string[]> {
  for await (const { record } of linesOf(path, file)) {
    const names = record.map((name) => name.trim().toLowerCase());
    const known = ['id', ...Object.keys(file.columns)];
    const wrong = names.find((name) => !known.includes(name) && !name.startsWith(METADATA));
    if (wrong !== undefined)
      throw new SourceError(
        `${file.name}: there is no column "${shown(wrong)}"; they are ${known.join(', ')} and ${METADATA}<key>`,
      );
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new SourceError(`${file.name}: the column "${shown(twice)}" is there twice`);
    if (!names.includes('id')) throw new SourceError(`${file.name}: the column "id" is missing`);
    return names;
  }
  throw new SourceError(`${file.name}: the first line must name the columns`);
}

async function* rowsOf(path: string, file: CsvFile, names: readonly string[]): AsyncGenerator<SourcedRow> {
  let isHeader = true;
  for await (const { record, line } of linesOf(path, file)) {
    if (!isHeader) yield rowOf(file, names, record, line);
    isHeader = false;
  }
}

function rowOf(file: CsvFile, names: readonly string[], record: readonly string[], line: number): SourcedRow {
  const place = `${file.name}, line ${line}`;
  const cells = new Map(names.map((name, index) => [name, (record[index] ?? '').trim()]));
  const problems: Problem[] = [];
  if (record.length !== names.length)
    problems.push({ field: 'row', problem: `must have ${names.length} cells, and has ${record.length}` });
  const fields: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  for (const [name, text] of cells) {
    if (text === '') continue;
    const column = file.columns[name];
    // A spreadsheet has not computed it, and another one may run it when the value is exported again.
    if (text.startsWith('='))
      problems.push({ field: column?.field ?? name, problem: 'is a formula: write its value' });
    else if (name.startsWith(METADATA)) metadata[name.slice(METADATA.length)] = text;
    else {
      if (column === undefined) continue;
      const read = column.read(text);
      if ('problem' in read) problems.push({ field: column.field, problem: read.problem });
      else fields[column.field] = read.value;
    }
  }
  if (Object.keys(metadata).length > 0) fields.metadata = metadata;
  const completed = COMPLETED[file.kind]?.(fields) ?? fields;
  const id = cells.get('id') ?? '';
  const isFormula = id.startsWith('=');
  return { kind: file.kind, place, id: isFormula ? '' : id, fields: completed, problems };
}

/** What a file says in other columns than a row of the API. */
const COMPLETED: Readonly<
  Partial<Record<string, (fields: Record<string, unknown>) => Record<string, unknown>>>
> = {
  coupon: ({ percent, amount, discountKind, ...fields }) => {
    const kind = discountKind ?? (percent === undefined ? 'FIXED' : 'PERCENTAGE');
    return { ...fields, discountKind: kind, discount: kind === 'FIXED' ? amount : percent };
  },
};

/** The lines of a file. @throws SourceError that names the line if the file is no CSV in UTF-8. */
async function* linesOf(path: string, { name }: CsvFile): AsyncGenerator<Line> {
  const parser = parse({
    bom: true,
    delimiter: await delimiterOf(path, name),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // The error reaches the reader of the parser, which the pipeline destroys.
  pipeline(Readable.from(textOf(path, name)), parser, () => {});
  try {
    for await (const each of parser) {
      const { record, info } = each as { record: string[]; info: Info };
      yield { record, line: info.lines };
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { message, lines } = error as { readonly message: string; readonly lines?: number };
    throw new SourceError(`${name}${lines === undefined ? '' : `, line ${lines}`}: ${shown(message)}`, {
      cause: error,
    });
  }
}

async function* textOf(path: string, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SourceError(`${name}: must be UTF-8; save it in the spreadsheet as "CSV UTF-8"`, {
      cause: error,
    });
  }
}

/** The separator that the first line has most of; a decimal comma is never in it. */
async function delimiterOf(path: string, name: string): Promise<string> {
  for await (const text of textOf(path, name)) {
    const [first = ''] = text.split(/\r?\n/, 1);
    const count = (separator: string) => first.split(separator).length;
    return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
  }
  return ',';
}

/** A text of a file in an error: short, and without what controls a terminal. */
function shown(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').slice(0, 100);
}
