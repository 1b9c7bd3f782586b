import { csvLine, type Plain } from '../../../api/frame/csv.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import type { Operation } from '../../../api/frame/route.ts';
import { withoutBidiControls } from '../../../domain/bidi.ts';
import { decimalOf } from '../../../domain/money.ts';
import type { Locale, MessageKey } from '../../i18n/catalogs.ts';
import { spreadsheetTime } from '../../i18n/dates.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';

/** A value with what it means, which decides how a spreadsheet of this language reads it. */
type Value =
  | string
  | number
  | null
  | { readonly cents: number | null }
  | { readonly at: Date | string | null };

/** One column. */
export interface Column<Row> {
  readonly heading: MessageKey;
  readonly value: (row: Row, say: Say) => Value;
}

/** A list that people open in a spreadsheet. */
export interface Sheet {
  /** In URLs: `payments`. */
  readonly id: string;
  readonly name: MessageKey;
  /** The name of the file, without its period. */
  readonly file: MessageKey;
  /** The operation of the API that reads it. */
  readonly operation: Operation<Page<never>>;
  /** The parameters for the first and last day. */
  readonly days: readonly [from: string, to: string];
  /** What the days refer to. */
  readonly dated: MessageKey;
  /** The headings and the lines of some items. */
  readonly headings: (visit: Visit) => readonly string[];
  readonly lines: (visit: Visit, items: readonly never[]) => Promise<readonly (readonly Value[])[]>;
}

/** Ties the types of a sheet's items, rows and columns together. */
export function sheet<Item, Row>(
  given: Omit<Sheet, 'operation' | 'headings' | 'lines'> & {
    readonly operation: Operation<Page<Item>>;
    /** What the columns need, read for all items at once. */
    readonly rows: (visit: Visit, items: readonly Item[]) => Promise<readonly Row[]>;
    readonly columns: (visit: Visit) => readonly Column<Row>[];
  },
): Sheet {
  const { operation, rows, columns, ...facts } = given;
  return {
    ...facts,
    operation: operation as unknown as Sheet['operation'],
    headings: (visit) => columns(visit).map(({ heading }) => visit.say(heading)),
    async lines(visit, items) {
      const shown = columns(visit);
      return (await rows(visit, items)).map((row) => shown.map(({ value }) => value(row, visit.say)));
    },
  };
}

/** Excel reads UTF-8 only with this mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** One line as spreadsheets of this language read it: Brazil's use a comma for decimals, so a semicolon between cells. */
export function sheetLine(values: readonly Value[], locale: Locale): string {
  return csvLine(
    values.map((value) => cellOf(value, locale)),
    locale === 'en' ? ',' : ';',
  );
}

function cellOf(value: Value, locale: Locale): string | number | Plain | null {
  if (typeof value === 'string') return withoutBidiControls(value);
  if (value === null || typeof value !== 'object') return value;
  if ('cents' in value) return value.cents === null ? null : { plain: decimal(value.cents, locale) };
  return value.at === null ? null : { plain: spreadsheetTime(locale, value.at) };
}

/** `1234,56`, or `1234.56` in English. */
function decimal(cents: number, locale: Locale): string {
  const text = decimalOf(Math.abs(cents));
  return `${cents < 0 ? '-' : ''}${locale === 'en' ? text : text.replace('.', ',')}`;
}
