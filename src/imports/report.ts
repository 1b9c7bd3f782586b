import { csvLine } from '../api/frame/csv.ts';
import { IMPORT_KINDS, type ImportKind } from '../domain/imports.ts';
import type { RowResult } from './run-import.ts';
import type { SourcedRow } from './source.ts';

/** Rows of a kind by what became of them. */
export type KindCounts = Readonly<Record<Lowercase<RowResult['outcome']>, number>>;

export interface ImportCounts extends Readonly<Record<ImportKind, KindCounts>> {}

/** A row that needs a person. */
export interface ReportedRow {
  readonly kind: ImportKind;
  readonly place: string;
  readonly id: string;
  /** Null for a note about the row as a whole. */
  readonly field: string | null;
  readonly problem: string;
}

const NONE: KindCounts = { made: 0, found: 0, unchanged: 0, skipped: 0, refused: 0 };

export const REPORT_HEADER = csvLine(['outcome', 'kind', 'place', 'id', 'recebe_id', 'field', 'problem']);

/** Counts rows, and remembers the first that need a person. */
export class ImportReport {
  readonly #counts = Object.fromEntries(IMPORT_KINDS.map((kind) => [kind, { ...NONE }])) as {
    [Kind in ImportKind]: { -readonly [Outcome in keyof KindCounts]: number };
  };
  readonly #most: number;
  readonly refused: ReportedRow[] = [];
  readonly notes: ReportedRow[] = [];

  /** @param most rows of each list that are remembered; the counts and the file have all. */
  constructor(most: number) {
    this.#most = most;
  }

  get counts(): ImportCounts {
    return this.#counts;
  }

  /** @returns the lines of the row in the report's file. */
  add({ kind, place, id }: SourcedRow, result: RowResult): string {
    this.#counts[kind][result.outcome.toLowerCase() as keyof KindCounts] += 1;
    const about = { kind, place, id };
    const lineOf = (rowId: string | null, field: string | null, problem: string | null) =>
      csvLine([result.outcome, kind, place, id, rowId, field, problem]);
    switch (result.outcome) {
      case 'REFUSED':
        for (const each of result.problems) this.#remember(this.refused, { ...about, ...each });
        return result.problems.map(({ field, problem }) => lineOf(null, field, problem)).join('');
      case 'SKIPPED':
        return lineOf(null, null, result.reason);
      case 'UNCHANGED':
        return lineOf(result.rowId, null, null);
      default:
        if (result.note !== null) this.#remember(this.notes, { ...about, field: null, problem: result.note });
        return lineOf(result.rowId, null, result.note);
    }
  }

  #remember(list: ReportedRow[], row: ReportedRow): void {
    if (list.length < this.#most) list.push(row);
  }
}
